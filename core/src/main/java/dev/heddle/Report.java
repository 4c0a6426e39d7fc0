package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Something that a person should know about the coroutines of a loop: it is logged, unless
/// [HeddleOptions#onReport] says otherwise.
///
/// **Thread:** immutable.
///
/// @param text what happened, to whom, in a line or a few
/// @param stack where the coroutine in question was; empty if there is no single one
public record Report(Kind kind, String text, List<StackTraceElement> stack) {
    // Causes may form a circle.
    private static final int CAUSES_MAX = 10;
    private static final int SUPPRESSED_MAX = 10;

    /// What it is about.
    public enum Kind {
        /// An error that nobody else got.
        UNCAUGHT,
        /// A failure that was to be looked at later, and never was.
        UNREAD_FAILURE,
        /// A coroutine goes on although its clean-up window has ended.
        UNANSWERED,
        /// A coroutine became a zombie, or still is one.
        ZOMBIE,
        /// The program ended, and a coroutine did not.
        ABANDONED,
        /// Coroutines wait for what nothing can bring about.
        DEADLOCK,
        /// A coroutine keeps the loop from running.
        BLOCKED_LOOP,
        /// Coroutines that are ready wait long for their turn, since others compute.
        LAGGING_LOOP,
        /// A promise or a handle was lost without being used or closed.
        LOST_HANDLE
    }

    public Report {
        stack = List.copyOf(stack);
    }

    /// {@return what `error` says of itself; an exception of the user's may throw when it is asked}
    static String inWords(Throwable error) {
        try {
            return error.toString();
        } catch (Throwable thrown) {
            return error.getClass().getName();
        }
    }

    /// {@return [#inWords] of it, of its causes and of what is suppressed: a report has one stack,
    /// and would hide them}
    static String withCauses(Throwable error) {
        var text = new StringBuilder(inWords(error));
        addSuppressed(text, error);
        Throwable cause = causeOf(error);
        for (int i = 0; cause != null && i < CAUSES_MAX; i++) {
            text.append(", caused by ").append(inWords(cause));
            addSuppressed(text, cause);
            cause = causeOf(cause);
        }
        return text.toString();
    }

    private static void addSuppressed(StringBuilder text, Throwable error) {
        Throwable[] all = error.getSuppressed();
        for (int i = 0; i < all.length && i < SUPPRESSED_MAX; i++) {
            text.append(", and ").append(inWords(all[i]));
        }
        if (all.length > SUPPRESSED_MAX) {
            text.append(", and ").append(all.length - SUPPRESSED_MAX).append(" more");
        }
    }

    /// {@return its message; empty if it has none, or throws when it is asked}
    static String messageOf(Throwable error) {
        try {
            String message = error.getMessage();
            return message == null ? "" : message;
        } catch (Throwable thrown) {
            return "";
        }
    }

    /// {@return its cause; none if it throws when it is asked}
    static @Nullable Throwable causeOf(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable thrown) {
            return null;
        }
    }

    /// {@return where `error` was made; nothing if it does not tell}
    static List<StackTraceElement> stackOf(Throwable error) {
        try {
            return List.of(error.getStackTrace());
        } catch (Throwable thrown) {
            return List.of();
        }
    }

    /// {@return the text, and the stack below it}
    public String full() {
        var all = new StringBuilder(text);
        stack.forEach(frame -> all.append("\n\tat ").append(frame));
        return all.toString();
    }
}
