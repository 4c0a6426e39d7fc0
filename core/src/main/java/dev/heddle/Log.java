package dev.heddle;

import dev.heddle.loop.Aside;

import java.lang.System.Logger.Level;

/// Writes reports to the logger `dev.heddle`, on a thread of its own.
///
/// Not on the loop's: a logger takes locks, and a coroutine that waits for one would wait for a
/// loop that waits for it.
///
/// **Thread:** any.
final class Log {
    private static final int PENDING_MAX = 1024;
    private static final Aside WRITER = new Aside("heddle-log", PENDING_MAX);

    private Log() {}

    static void write(Report report) {
        // If it is refused there is a flood: who reads a thousand reports misses nothing in the
        // next.
        WRITER.offer(() -> Target.LOGGER.log(level(report.kind()), report.full()));
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
}
