package dev.heddle;

import org.jspecify.annotations.Nullable;

/// Puts errors together so that none is lost, and none is there twice.
///
/// **Thread:** any.
final class Errors {
    private Errors() {}

    /// Suppresses `other` onto `first`, unless it is that, or there already.
    static void suppress(Throwable first, @Nullable Throwable other) {
        if (other == null || other == first) {
            return;
        }
        for (Throwable known : first.getSuppressed()) {
            if (known == other) {
                return;
            }
        }
        first.addSuppressed(other);
        if (first instanceof Cancellation cancellation) {
            cancellation.knows(other);
        }
    }

    /// {@return the first of both, with the other suppressed; null if there is none}
    static @Nullable Throwable join(@Nullable Throwable first, @Nullable Throwable other) {
        if (first == null) {
            return other;
        }
        suppress(first, other);
        return first;
    }

    /// {@return which of two that go the same way is thrown, with the other suppressed: a failure
    /// is never hidden by a cancellation; else the first}
    static Throwable weigh(Throwable first, Throwable second) {
        boolean secondWins = first instanceof Cancellation && !(second instanceof Cancellation);
        Throwable winner = secondWins ? second : first;
        suppress(winner, secondWins ? first : second);
        return winner;
    }

    /// {@return the first real failure that a try-with-resources has suppressed onto a
    /// cancellation, with the others; null if there is none. What our own interrupt has caused is
    /// none}
    static @Nullable Throwable hiddenBy(Throwable cancelled) {
        Throwable first = null;
        for (Throwable each : cancelled.getSuppressed()) {
            boolean isNews = !(each instanceof Cancellation) && !JdkInterrupts.isBehind(each);
            if (isNews && !(cancelled instanceof Cancellation own && own.isKnown(each))) {
                first = join(first, each);
            }
        }
        return first;
    }
}
