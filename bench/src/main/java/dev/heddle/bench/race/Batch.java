package dev.heddle.bench.race;

/// A workload that is one function and needs no setting up, on the CPU clock of the whole process:
/// coroutines run on whichever threads their scheduler has, and others collect their garbage.
///
/// **Thread:** owner (the measuring thread).
public record Batch(int operations, Work work) implements Workload {
    /// What one batch does.
    @FunctionalInterface
    public interface Work {
        /// @param meter runs; see [Workload#batch]
        void run(Meter meter) throws Exception;
    }

    @Override
    public void batch(Meter meter) throws Exception {
        work.run(meter);
    }

    @Override
    public Meter newMeter() {
        return Meter.ofProcess();
    }

    @Override
    public void close() {}
}
