package dev.heddle.loop;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The last resort for what callbacks throw: the loop thread's uncaught exception handler, called
/// on another thread.
///
/// Not on the loop's own: the handler writes to `System.err` or a logger, whose lock a coroutine of
/// this very loop may hold, and the loop would wait for itself. The thread is no daemon and lives
/// only while there is something to report, so that a program's last error is still printed.
///
/// **Thread:** any.
final class ErrorReporter {
    private static final int PENDING_MAX = 1024;

    private static final ThreadPoolExecutor REPORTER = reporter();

    private ErrorReporter() {}

    static void report(Thread thread, Throwable error) {
        // Asked for here, while the thread lives: one that has ended has no handler any more, and
        // then the caller's will do.
        var living = thread.isAlive() ? thread : Thread.currentThread();
        var handler = living.getUncaughtExceptionHandler();
        try {
            REPORTER.execute(() -> handler.uncaughtException(thread, error));
        } catch (RejectedExecutionException _) {
            // A flood: more than a thousand wait to be printed. The loop counts every error in its
            // statistics, so the rest is known by number.
            assert REPORTER.getQueue().remainingCapacity() == 0 : "refused for another reason";
        }
    }

    private static ThreadPoolExecutor reporter() {
        var executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        10,
                        TimeUnit.MILLISECONDS,
                        new LinkedBlockingQueue<>(PENDING_MAX),
                        Thread.ofPlatform().name("heddle-errors").factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
