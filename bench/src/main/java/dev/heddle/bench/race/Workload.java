package dev.heddle.bench.race;

import java.io.Closeable;

/// Something to be measured in this JVM. Opening it sets it up; its batches do nothing else than
/// what the row is about, and check that it was really done.
///
/// **Thread:** owner (the measuring thread).
public interface Workload extends Closeable {
    /// How many operations one batch is. Large enough that two looks at the clock do not count.
    int operations();

    /// @param meter runs; to be paused around a wait that is not part of the work
    void batch(Meter meter) throws Exception;

    /// {@return a meter with the CPU clock that fits}
    default Meter newMeter() {
        return Meter.ofThread();
    }

    /// Opens one.
    @FunctionalInterface
    interface Opener {
        Workload open() throws Exception;
    }
}
