package dev.heddle.bench.race;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/// Wall clock and CPU clock of what is measured.
///
/// **Thread:** owner (the measuring thread, or a coroutine that it waits for).
public final class Meter {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final LongSupplier cpuClock;

    // Up to the last pause.
    private long wallNanos;
    private long cpuNanos;

    private long wallSince;
    private long cpuSince;
    private boolean running;

    private Meter(LongSupplier cpuClock) {
        this.cpuClock = cpuClock;
    }

    /// {@return one with the CPU clock of the thread that measures, which is the one that runs the
    /// loop}
    public static Meter ofThread() {
        return new Meter(THREADS::getCurrentThreadCpuTime);
    }

    /// {@return one with the CPU clock of the whole process, its JIT and garbage collector
    /// included}
    ///
    /// It ticks every 10 ms only, and also in virtual threads, which have no CPU clock.
    public static Meter ofProcess() {
        return new Meter(PROCESS::getProcessCpuTime);
    }

    public void start() {
        wallNanos = 0;
        cpuNanos = 0;
        resume();
    }

    /// Stands still until [#resume]: for a wait that belongs to neither side's work.
    public void pause() {
        wallNanos += System.nanoTime() - wallSince;
        cpuNanos += cpuClock.getAsLong() - cpuSince;
        running = false;
    }

    public void resume() {
        running = true;
        cpuSince = cpuClock.getAsLong();
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
