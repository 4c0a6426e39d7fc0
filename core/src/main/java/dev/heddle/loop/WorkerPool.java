package dev.heddle.loop;

import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A few platform threads for what would block the loop: files, look-ups, heavy computation.
///
/// Bounded: a full queue refuses at once. Two [Lane]s, so that slow work cannot take every worker.
/// Workers are started as they are needed and then stay; they are daemons.
///
/// Lock-free, because the loop submits: it must never wait for a lock that a descheduled worker
/// holds, and handing over a thousand pieces must not cost a thousand wake-ups.
///
/// **Thread:** any.
public final class WorkerPool implements Executor, AutoCloseable {
    public static final int DEFAULT_THREADS = 4;
    public static final int DEFAULT_QUEUE_LIMIT = 100_000;

    /// The system property with the number of threads of the shared pool.
    public static final String THREADS_PROPERTY = "heddle.workers";

    // One bit per worker in a long says who is idle.
    private static final int THREADS_MAX = 64;

    private static final int SLOW_FIRST = 8;

    private final int threads;
    private final int queueLimit;
    private final int slowLimit;
    private final Lanes lanes = new Lanes();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger slowRunning = new AtomicInteger();

    // Bit i is set by worker i before it looks a last time and parks, and cleared by whoever wakes it.
    private final AtomicLong idle = new AtomicLong();

    // Slot i is written once, by whoever counted `started` from i to i + 1.
    private final @Nullable Thread[] workers;
    private final AtomicInteger started = new AtomicInteger();
    private volatile boolean closed;

    /// @param threads 1 to 64
    /// @param queueLimit how much may wait; more is refused
    public WorkerPool(int threads, int queueLimit) {
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException("threads must be 1 to 64, but are " + threads);
        }
        if (queueLimit < 1) {
            throw new IllegalArgumentException("queueLimit must be positive, but is " + queueLimit);
        }
        this.threads = threads;
        this.queueLimit = queueLimit;
        slowLimit = (threads + 1) / 2;
        workers = new @Nullable Thread[threads];
    }

    /// {@return the pool that every loop uses unless it is given another}
    public static WorkerPool shared() {
        return Shared.POOL;
    }

    @Override
    public void execute(Runnable job) {
        execute(job, Lane.NORMAL);
    }

    /// @throws RejectedExecutionException if the queue is full or the pool is closed
    public void execute(Runnable job, Lane lane) {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(lane, "lane");
        if (closed) {
            throw new RejectedExecutionException("this worker pool is closed");
        }
        if (queued.incrementAndGet() > queueLimit) {
            queued.decrementAndGet();
            throw new RejectedExecutionException(
                    "the worker pool's queue is full: " + queueLimit + " pieces of work wait");
        }
        lanes.of(lane).add(job);
        wakeOne();
    }

    /// {@return how many pieces of work wait}
    public int queued() {
        return queued.get();
    }

    public int threads() {
        return threads;
    }

    /// Ends the workers after what they are doing; what waits is not run. Idempotent.
    @Override
    public void close() {
        closed = true;
        for (Thread worker : workers) {
            LockSupport.unpark(worker);
        }
    }

    @Override
    public String toString() {
        return "WorkerPool(threads=" + threads + ", queued=" + queued + "/" + queueLimit + ")";
    }

    /// Takes back what has not been begun.
    void forget(Runnable job) {
        if (lanes.normal.remove(job) || lanes.slow.remove(job)) {
            queued.decrementAndGet();
        }
    }

    private void wakeOne() {
        long mask = idle.get();
        while (mask != 0) {
            long bit = Long.lowestOneBit(mask);
            if (idle.compareAndSet(mask, mask & ~bit)) {
                LockSupport.unpark(workers[Long.numberOfTrailingZeros(bit)]);
                return;
            }
            mask = idle.get();
        }
        int next = started.get();
        if (next < threads && started.compareAndSet(next, next + 1)) {
            startWorker(next);
        }
    }

    private void startWorker(int index) {
        var thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("heddle-worker-" + index)
                        .unstarted(() -> work(index));
        workers[index] = thread;
        thread.start();
    }

    private void work(int index) {
        long bit = 1L << index;
        for (int round = 0; !closed; round++) {
            if (!runOne(round)) {
                park(bit);
            }
        }
    }

    private void park(long bit) {
        // Say so first, then look once more: a submit either sees the bit or its work is seen here.
        idle.getAndUpdate(mask -> mask | bit);
        if (closed || runOne(0)) {
            idle.getAndUpdate(mask -> mask & ~bit);
            return;
        }
        while ((idle.get() & bit) != 0 && !closed) {
            LockSupport.park(this);
            Thread.interrupted();
        }
    }

    /// {@return whether there was something to run}
    private boolean runOne(int round) {
        // Now and then the slow lane goes first, so that a stream of normal work cannot starve it.
        if (round % SLOW_FIRST == 0 && runSlow()) {
            return true;
        }
        Runnable job = lanes.normal.poll();
        if (job != null) {
            queued.decrementAndGet();
            run(job);
            return true;
        }
        return runSlow();
    }

    private boolean runSlow() {
        if (lanes.slow.isEmpty()) {
            return false;
        }
        if (slowRunning.incrementAndGet() > slowLimit) {
            slowRunning.decrementAndGet();
            return false;
        }
        try {
            Runnable job = lanes.slow.poll();
            if (job == null) {
                return false;
            }
            queued.decrementAndGet();
            run(job);
            return true;
        } finally {
            slowRunning.decrementAndGet();
        }
    }

    private static void run(Runnable job) {
        try {
            job.run();
        } catch (Throwable thrown) {
            // Work catches its own; this is a plain job of execute(), as in any executor.
            var thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } finally {
            // An interrupt was meant for that job, not for the next.
            Thread.interrupted();
        }
    }

    private static final class Lanes {
        final ConcurrentLinkedQueue<Runnable> normal = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<Runnable> slow = new ConcurrentLinkedQueue<>();

        ConcurrentLinkedQueue<Runnable> of(Lane lane) {
            return switch (lane) {
                case NORMAL -> normal;
                case SLOW -> slow;
            };
        }
    }

    private static final class Shared {
        static final WorkerPool POOL =
                new WorkerPool(
                        Integer.getInteger(THREADS_PROPERTY, DEFAULT_THREADS),
                        DEFAULT_QUEUE_LIMIT);
    }
}
