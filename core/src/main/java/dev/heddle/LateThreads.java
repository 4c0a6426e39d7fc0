package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Where virtual threads go on whose loop has been closed: one that was abandoned in a call of the
/// JDK must still be able to return from it.
///
/// Unbounded in threads: a bound could strand one behind another that never returns, and the
/// abandoned are few and were reported.
///
/// **Thread:** any.
final class LateThreads {
    private static final Executor THREADS =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    1,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    LateThread::new);

    private LateThreads() {}

    /// Runs the rest of a virtual thread.
    ///
    /// @param abandoned its coroutine, which [#refuse] knows while this runs; null if it has none
    static void run(@Nullable Fiber abandoned, Runnable continuation) {
        THREADS.execute(
                () -> {
                    var here = (LateThread) Thread.currentThread();
                    here.carried = abandoned;
                    try {
                        continuation.run();
                    } finally {
                        here.carried = null;
                    }
                });
    }

    /// Keeps a coroutine whose program has ended from what it calls next; does nothing to others.
    static void refuse() {
        if (Thread.currentThread().isVirtual()
                && Carrier.current() instanceof LateThread late
                && late.carried != null
                && late.carried.thread() == Thread.currentThread()) {
            late.carried.refuse();
        }
    }

    /// Remembers which coroutine it carries.
    private static final class LateThread extends Thread {
        // Its own, and that of the virtual thread on top of it.
        private @Nullable Fiber carried;

        LateThread(Runnable body) {
            // Nothing of whoever happens to wake a late thread first: this one outlives them.
            super(null, body, "heddle-late", 0, false);
            setDaemon(true);
            setContextClassLoader(ClassLoader.getSystemClassLoader());
        }
    }
}
