package dev.heddle.loop;

/// The last resort for what callbacks throw: the loop thread's uncaught exception handler, called
/// on another thread.
///
/// Not on the loop's own: the handler writes to `System.err` or a logger, whose lock a coroutine of
/// this very loop may hold, and the loop would wait for itself.
///
/// **Thread:** any.
final class ErrorReporter {
    private static final int PENDING_MAX = 1024;

    private static final Aside REPORTER = new Aside("heddle-errors", PENDING_MAX);

    private ErrorReporter() {}

    static void report(Thread thread, Throwable error) {
        // Asked for here, while the thread lives: one that has ended has no handler any more, and
        // then the caller's will do.
        var living = thread.isAlive() ? thread : Thread.currentThread();
        var handler = living.getUncaughtExceptionHandler();
        // If it is refused, more than a thousand wait to be printed. The loop counts every error in
        // its statistics, so the rest is known by number.
        REPORTER.offer(() -> handler.uncaughtException(thread, error));
    }
}
