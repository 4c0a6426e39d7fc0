package dev.heddle.loop;

/// Monotonic time in nanoseconds since some origin, never negative.
///
/// The only way the engine learns the time, so that a test can be the clock.
///
/// **Thread:** any.
@FunctionalInterface
public interface Clock {
    long nanos();

    /// {@return the machine's monotonic clock, counted from the moment this class was loaded}
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
