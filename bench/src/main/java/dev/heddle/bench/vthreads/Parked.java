package dev.heddle.bench.vthreads;

import dev.heddle.bench.coroutines.Size;
import dev.heddle.bench.race.Meter;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// Sleeping, and being woken in the middle of it.
///
/// **Thread:** any.
final class Parked {
    private static final Duration POLL = Duration.ofMillis(1);

    private Parked() {}

    static void sleep() throws InterruptedException {
        Basics.join(Basics.start(Size.DELAY, Parked::sleepOneMilli));
    }

    /// Parked with nothing around it, as cheaply as can be: in a queue of waiters, such as that of
    /// a latch, each interrupted one would search the queue for itself.
    static void interrupt(Meter meter) throws InterruptedException {
        meter.pause();
        var threads = Basics.start(Size.CANCEL, Parked::parkUntilInterrupted);
        awaitParked(threads);
        meter.resume();
        for (var thread : threads) {
            thread.interrupt();
        }
        Basics.join(threads);
    }

    static void hold(int count, Runnable whileParked) throws InterruptedException {
        var gate = new CountDownLatch(1);
        var threads = Basics.start(count, () -> await(gate));
        awaitParked(threads);
        whileParked.run();
        gate.countDown();
        Basics.join(threads);
    }

    private static void awaitParked(Thread[] threads) throws InterruptedException {
        for (var thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(POLL);
            }
        }
    }

    private static void sleepOneMilli() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    private static void parkUntilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }
}
