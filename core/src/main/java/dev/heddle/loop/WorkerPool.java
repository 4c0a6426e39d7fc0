package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

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
    private static final int SWEEP_MIN = 64;

    private final int threads;
    private final int queueLimit;
    private final int slowLimit;
    private final Lanes lanes = new Lanes();
    private final AtomicInteger queued = new AtomicInteger();
    // Work that was cancelled since the lanes were last swept. It stays in its lane until a worker
    // gets to it or there is more of it than of the rest: taking one out of the middle costs a
    // walk.
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger slowRunning = new AtomicInteger();

    // Bit i is set by worker i before it looks a last time and parks, and cleared by whoever wakes
    // it. A worker whose bit is set runs nothing: a wake-up spent on a busy one would be lost.
    private final AtomicLong idle = new AtomicLong();

    // How many workers were woken and have not found work yet. While there is one, a submit wakes
    // nobody, so that a thousand pieces do not cost a thousand wake-ups. Nothing is lost by that:
    // the last one that finds work wakes another if there is more, and one that finds none looks
    // once more after it has left this count.
    private final AtomicInteger searchers = new AtomicInteger();

    // Bit i is set by whoever starts worker i, and cleared only if that fails. Slot i is written
    // before the worker is started.
    private final AtomicLong started = new AtomicLong();
    private final AtomicReferenceArray<@Nullable Thread> workers;
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
        workers = new AtomicReferenceArray<>(threads);
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
        try {
            wakeOne();
        } catch (Throwable noThread) {
            // Out of threads or memory. If another worker has taken the job by now, all is well.
            if (forget(job)) {
                throw noThread;
            }
        }
        // The pool may have closed since it was asked: then the close has found this job, or not.
        if (closed && forget(job)) {
            throw new RejectedExecutionException("this worker pool is closed");
        }
    }

    /// {@return how many pieces of work wait}
    public int queued() {
        return queued.get();
    }

    public int threads() {
        return threads;
    }

    /// Ends the workers after what they are doing. What waits is not run: [Work] of a loop is
    /// cancelled, so that the loop is told. Idempotent.
    ///
    /// @throws IllegalStateException for the shared pool, which others rely on
    @Override
    public void close() {
        if (this == Shared.POOL) {
            throw new IllegalStateException("the shared worker pool is never closed");
        }
        closed = true;
        for (int i = 0; i < threads; i++) {
            LockSupport.unpark(workers.get(i));
        }
        for (var lane : Lane.values()) {
            cancelAll(lanes.of(lane));
        }
    }

    @Override
    public String toString() {
        return "WorkerPool(threads=" + threads + ", queued=" + queued + "/" + queueLimit + ")";
    }

    /// Cancels what has not been begun of one loop.
    void cancelAllOf(Engine engine) {
        for (var lane : Lane.values()) {
            for (Runnable job : lanes.of(lane)) {
                if (job instanceof Work.Job(var work) && work.isOf(engine)) {
                    work.cancel();
                }
            }
        }
    }

    /// A piece of [Work] waits no longer: it was begun, or taken back.
    void left() {
        queued.decrementAndGet();
    }

    /// [#left] by being cancelled: it still stands in its lane.
    void leftByCancelling() {
        left();
        if (cancelled.incrementAndGet() > SWEEP_MIN + queued.get()) {
            cancelled.set(0);
            lanes.normal.removeIf(WorkerPool::isCancelled);
            lanes.slow.removeIf(WorkerPool::isCancelled);
        }
    }

    private static boolean isCancelled(Runnable job) {
        return job instanceof Work.Job(var work) && work.state() == Work.State.CANCELLED;
    }

    /// Takes a refused job out of its lane again.
    ///
    /// @return false if a worker has it already
    private boolean forget(Runnable job) {
        boolean found = lanes.normal.remove(job) || lanes.slow.remove(job);
        if (found) {
            leftUnlessWork(job);
        }
        return found;
    }

    // Work counts itself out when it leaves the state QUEUED, which may be before this.
    private void leftUnlessWork(Runnable job) {
        if (!(job instanceof Work.Job)) {
            left();
        }
    }

    private void cancelAll(Queue<Runnable> lane) {
        for (Runnable job = lane.poll(); job != null; job = lane.poll()) {
            leftUnlessWork(job);
            if (job instanceof Work.Job(var work)) {
                work.cancel();
            }
        }
    }

    /// Makes a worker look for work after this: one that does so already, an idle one, or else a
    /// new one. If all are busy, each of them looks before it parks.
    private void wakeOne() {
        if (searchers.get() > 0) {
            return;
        }
        for (long mask = idle.get(); mask != 0; mask = idle.get()) {
            long bit = Long.lowestOneBit(mask);
            if (idle.compareAndSet(mask, mask & ~bit)) {
                searchers.incrementAndGet();
                LockSupport.unpark(workers.get(Long.numberOfTrailingZeros(bit)));
                return;
            }
        }
        for (long mask = started.get(); Long.bitCount(mask) < threads; mask = started.get()) {
            long bit = Long.lowestOneBit(~mask);
            if (started.compareAndSet(mask, mask | bit)) {
                startWorker(bit);
                return;
            }
        }
    }

    private void startWorker(long bit) {
        int index = Long.numberOfTrailingZeros(bit);
        try {
            var thread =
                    Thread.ofPlatform()
                            .daemon()
                            .inheritInheritableThreadLocals(false)
                            .name("heddle-worker-" + index)
                            .unstarted(new Worker(bit));
            // Not that of whoever happens to submit first: the worker outlives them.
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            workers.set(index, thread);
            thread.start();
        } catch (Throwable noThread) {
            long others = started.updateAndGet(mask -> mask & ~bit);
            if (others == 0) {
                throw noThread;
            }
            // Those that run will get to the work, later than with one more.
            report(noThread);
        }
    }

    private boolean hasWork() {
        return !lanes.normal.isEmpty() || (!lanes.slow.isEmpty() && slowRunning.get() < slowLimit);
    }

    private boolean takeSlowPlace() {
        int seen = slowRunning.get();
        while (seen < slowLimit) {
            if (slowRunning.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = slowRunning.get();
        }
        return false;
    }

    /// What a worker's thread does: run, and park when there is nothing to run. It does not spin in
    /// between: that kept the loop and a worker on two processors, and waking across costs more
    /// than it saves (offload-1 took 8 to 50 microseconds instead of 3).
    ///
    /// **Thread:** its own.
    private final class Worker implements Runnable {
        private final long bit;
        private int round;

        // Whether it counts among the searchers. Whoever wakes it has counted it. A new one is not
        // counted: its start may fail, and others would have relied on it.
        private boolean searching;

        // A new one that finds work wakes the next all the same: the worker that had it started
        // counts
        // on it for the rest, and may be busy for as long as the rest waits.
        private boolean fresh = true;

        Worker(long bit) {
            this.bit = bit;
        }

        @Override
        public void run() {
            while (!closed) {
                if (!runOne()) {
                    park();
                }
            }
        }

        /// {@return whether there was something to run}
        private boolean runOne() {
            // Now and then the slow lane goes first, so that a stream of normal work cannot starve
            // it.
            if (round++ % SLOW_FIRST == 0 && runSlow()) {
                return true;
            }
            Runnable job = lanes.normal.poll();
            if (job != null) {
                begin(job);
                return true;
            }
            return runSlow();
        }

        // A worker that finds the lane's limit reached may sleep, although there is slow work:
        // whoever has a place looks again after giving it back. So that this holds, a place is only
        // ever taken below the limit, and one taken for nothing is followed by another look.
        private boolean runSlow() {
            while (!lanes.slow.isEmpty() && takeSlowPlace()) {
                try {
                    Runnable job = lanes.slow.poll();
                    if (job != null) {
                        begin(job);
                        return true;
                    }
                } finally {
                    slowRunning.decrementAndGet();
                }
            }
            return false;
        }

        private void begin(Runnable job) {
            leftUnlessWork(job);
            boolean wasLast = searching ? searchers.decrementAndGet() == 0 : fresh;
            searching = false;
            fresh = false;
            if (wasLast && hasWork()) {
                wakeAnother();
            }
            WorkerPool.run(job);
        }

        private void wakeAnother() {
            try {
                wakeOne();
            } catch (Throwable noThread) {
                // Out of threads or memory: then this one gets to that work too, after its own.
                report(noThread);
            }
        }

        private void park() {
            // Say so first, then look once more: a submit sees that nobody searches and wakes this
            // one, or its work is seen here.
            idle.getAndUpdate(mask -> mask | bit);
            if (searching) {
                searching = false;
                searchers.decrementAndGet();
            }
            while ((idle.get() & bit) != 0 && !closed && !hasWork()) {
                LockSupport.park(WorkerPool.this);
                Thread.interrupted();
            }
            long before = idle.getAndUpdate(mask -> mask & ~bit);
            // Whoever took the bit has counted this worker. If nobody has, it has seen work by
            // itself and must count: those who submitted while it searched have woken nobody, and
            // there may be more of them than the one piece it takes.
            if ((before & bit) != 0) {
                searchers.incrementAndGet();
            }
            searching = true;
        }
    }

    private static void run(Runnable job) {
        try {
            job.run();
        } catch (Throwable thrown) {
            // Work catches its own; this is a plain job of execute(), as in any executor.
            report(thrown);
        } finally {
            // An interrupt was meant for that job, not for the next.
            Thread.interrupted();
        }
    }

    private static void report(Throwable thrown) {
        var thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable handlerFailed) {
            // The last resort has failed. The JVM drops that as well, and the worker is still
            // needed.
            thrown.addSuppressed(handlerFailed);
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
        static final WorkerPool POOL = new WorkerPool(threadsAskedFor(), DEFAULT_QUEUE_LIMIT);

        // A value that makes no sense is said and not obeyed: an exception here would come as an
        // error of a class that could not be initialised, at whoever submits first.
        private static int threadsAskedFor() {
            String text = System.getProperty(THREADS_PROPERTY);
            if (text == null) {
                return DEFAULT_THREADS;
            }
            if (text.matches("[1-9]|[1-5][0-9]|6[0-4]")) {
                return Integer.parseInt(text);
            }
            System.getLogger(WorkerPool.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            THREADS_PROPERTY
                                    + " must be 1 to 64, but is \""
                                    + text
                                    + "\"; taking "
                                    + DEFAULT_THREADS);
            return DEFAULT_THREADS;
        }
    }
}
