package dev.heddle;

import dev.heddle.loop.Aside;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/// Writes reports to the logger `dev.heddle`, on a thread of its own.
///
/// Not on the loop's: a logger takes locks, and a coroutine that waits for one would wait for a
/// loop that waits for it.
///
/// **Thread:** any.
final class Log {
    private static final int PENDING_MAX = 1024;
    private static final Duration FLUSH_MAX = Duration.ofSeconds(10);
    private static final Aside WRITER = new Aside("heddle-log", PENDING_MAX);

    private Log() {}

    static void write(Report report) {
        // If it is refused there is a flood: who reads a thousand reports misses nothing in the
        // next.
        WRITER.offer(() -> log(report));
    }

    /// Writes what only who looks for a fault wants to know.
    static void debug(Supplier<String> text) {
        WRITER.offer(() -> Target.LOGGER.log(Level.DEBUG, text));
    }

    // Loggers show the name of this method as the place that the message comes from.
    private static void log(Report report) {
        Target.LOGGER.log(level(report.kind()), report.full());
    }

    /// Waits a little until everything is written: who calls `System.exit` after a program would
    /// miss why it failed. Not for long, since whoever holds a lock of the logger may never return
    /// it. On no loop.
    static void flush() {
        try {
            WRITER.drain(FLUSH_MAX);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // Made by the writer: the first logger of a JVM reads its configuration, for a tenth of a
    // second.
    private static final class Target {
        private static final System.Logger LOGGER = System.getLogger("dev.heddle");
    }

    private static Level level(Report.Kind kind) {
        return switch (kind) {
            case UNCAUGHT, DEADLOCK, ABANDONED -> Level.ERROR;
            case UNREAD_FAILURE, UNANSWERED, ZOMBIE, BLOCKED_LOOP, LAGGING_LOOP, LOST_HANDLE ->
                    Level.WARNING;
        };
    }
}
