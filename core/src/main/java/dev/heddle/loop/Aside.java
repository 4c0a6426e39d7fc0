package dev.heddle.loop;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Does small jobs one after another on a thread of its own: what takes locks, such as writing to a
/// logger, and therefore is nothing for the thread of a loop.
///
/// [#offer] takes no lock either, which an executor of the JDK does. A coroutine may queue for such
/// a lock: it is next, but needs its loop to run, and that waits behind it for the same lock.
///
/// The thread is no daemon and lives only while there is something to do, so that the last words of
/// a program are still heard.
///
/// **Thread:** any.
public final class Aside {
    private final String name;
    private final int pendingMax;
    private final ConcurrentLinkedQueue<Runnable> jobs = new ConcurrentLinkedQueue<>();

    // Jobs that were added and are not done. Counted after the adding, so that there are never
    // fewer in the queue; whoever makes it one starts the thread, which ends when it makes it zero.
    private final AtomicInteger pending = new AtomicInteger();

    /// @param name of the thread
    /// @param pendingMax how many jobs may wait, about: threads that add at the same moment may get
    ///   in
    public Aside(String name, int pendingMax) {
        this.name = Objects.requireNonNull(name, "name");
        if (pendingMax < 1) {
            throw new IllegalArgumentException("pendingMax must be positive, but is " + pendingMax);
        }
        this.pendingMax = pendingMax;
    }

    /// Does `job` after those that were added before.
    ///
    /// @return false if it will not be done: too many wait, or there is no memory for a thread
    public boolean offer(Runnable job) {
        Objects.requireNonNull(job, "job");
        if (pending.get() >= pendingMax) {
            return false;
        }
        jobs.add(job);
        return pending.getAndIncrement() > 0 || start();
    }

    /// Waits until what was added before is done, but not for longer than `limit`. Not for the
    /// thread of a loop that runs.
    ///
    /// @return whether it is done; false also if too many wait
    public boolean drain(Duration limit) throws InterruptedException {
        if (pending.get() == 0) {
            return true;
        }
        var done = new CountDownLatch(1);
        return offer(done::countDown) && done.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private boolean start() {
        try {
            var thread =
                    Thread.ofPlatform()
                            .name(name)
                            // Said, since it would be taken from the adding thread: a coroutine's
                            // is one.
                            .daemon(false)
                            .inheritInheritableThreadLocals(false)
                            .unstarted(this::work);
            // Not that of whoever happens to have something to say first.
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            thread.start();
            return true;
        } catch (OutOfMemoryError noThread) {
            do {
                jobs.remove();
            } while (pending.decrementAndGet() > 0);
            return false;
        }
    }

    private void work() {
        do {
            Runnable job = jobs.remove();
            try {
                job.run();
            } catch (Throwable thrown) {
                report(thrown);
            }
        } while (pending.decrementAndGet() > 0);
    }

    private static void report(Throwable thrown) {
        var thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable handlerFailed) {
            // The last resort has failed. The JVM drops that as well, and other jobs wait.
            thrown.addSuppressed(handlerFailed);
        }
    }
}
