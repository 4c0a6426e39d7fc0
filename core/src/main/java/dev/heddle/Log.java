package dev.heddle;

import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Writes reports to the logger `dev.heddle`, on a thread of its own.
///
/// Not on the loop's: a logger takes locks, and a coroutine that waits for one would wait for a
/// loop that waits for it. The thread is no daemon and lives only while there is something to
/// write, so that the last words of a program are still heard.
///
/// **Thread:** any.
final class Log {
    private static final int PENDING_MAX = 1024;
    private static final ThreadPoolExecutor WRITER = writer();

    private Log() {}

    static void write(Report report) {
        WRITER.execute(() -> Target.LOGGER.log(level(report.kind()), report.full()));
    }

    // Made by the writer: the first logger of a JVM reads its configuration, for a tenth of a
    // second.
    private static final class Target {
        private static final System.Logger LOGGER = System.getLogger("dev.heddle");
    }

    private static Level level(Report.Kind kind) {
        return switch (kind) {
            case UNCAUGHT, DEADLOCK, ABANDONED -> Level.ERROR;
            case UNREAD_FAILURE, UNANSWERED, ZOMBIE, BLOCKED_LOOP, LOST_HANDLE -> Level.WARNING;
        };
    }

    private static ThreadPoolExecutor writer() {
        var executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        10,
                        TimeUnit.MILLISECONDS,
                        new LinkedBlockingQueue<>(PENDING_MAX),
                        Thread.ofPlatform().name("heddle-log").factory(),
                        // A flood: who reads a thousand reports misses nothing in the next.
                        new ThreadPoolExecutor.DiscardPolicy());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
