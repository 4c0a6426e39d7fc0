package dev.heddle.bench.race;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// Wall clock and CPU clock of the thread that measures, which is the one that runs the loop.
///
/// **Thread:** owner (the measuring thread).
public final class Meter {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    // Up to the last pause.
    private long wallNanos;
    private long cpuNanos;

    private long wallSince;
    private long cpuSince;
    private boolean running;

    public Meter() {}

    public void start() {
        wallNanos = 0;
        cpuNanos = 0;
        resume();
    }

    /// Stands still until [#resume]: for a wait that belongs to neither side's work.
    public void pause() {
        wallNanos += System.nanoTime() - wallSince;
        cpuNanos += THREADS.getCurrentThreadCpuTime() - cpuSince;
        running = false;
    }

    public void resume() {
        running = true;
        cpuSince = THREADS.getCurrentThreadCpuTime();
        wallSince = System.nanoTime();
    }

    public long wallNanos() {
        return running ? wallNanos + System.nanoTime() - wallSince : wallNanos;
    }

    /// Pauses, and says what there was since the start.
    public Sample stop(long operations) {
        pause();
        return Sample.ofTotals(wallNanos, cpuNanos, operations);
    }
}
