package dev.heddle.bench.race;

/// What one round of one side gave.
///
/// **Thread:** immutable.
///
/// @param value in the row's unit, such as nanoseconds per operation
/// @param cpu the same on the CPU clock of the thread that matters; NaN if nobody measured it
/// @param operations how many operations the round did
public record Sample(double value, double cpu, long operations) {
    /// {@return the sample of a round that took so long altogether}
    public static Sample ofTotals(long wallNanos, long cpuNanos, long operations) {
        return new Sample(
                (double) wallNanos / operations, (double) cpuNanos / operations, operations);
    }
}
