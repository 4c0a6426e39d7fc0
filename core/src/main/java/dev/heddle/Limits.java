package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Bodies with a limit, with a shield, or elsewhere: all of them run inside the call.
///
/// **Thread:** loop (a coroutine).
final class Limits {
    private Limits() {}

    static <T, X extends Exception> T within(Duration limit, Op<? extends T, X> body) throws X {
        return within(new Deadline("within", limit), body);
    }

    static <T, X extends Exception> T withinOrElse(
            Duration limit, Op<? extends T, X> body, Op<? extends T, X> fallback) throws X {
        Objects.requireNonNull(fallback, "fallback");
        var deadline = new Deadline("withinOrElse", limit);
        try {
            return within(deadline, body);
        } catch (OperationCancelledException over) {
            Throwable cut = over.getCause();
            if (!deadline.hasThrown(over)) {
                throw over;
            }
            if (cut != null) {
                deadline.host.scheduler().reportHidden(deadline.host, cut);
            }
        }
        return fallback.call();
    }

    private static <T, X extends Exception> T within(Deadline deadline, Op<? extends T, X> body)
            throws X {
        Objects.requireNonNull(body, "body");
        Coroutine<?> self = deadline.host;
        var frame = new Frame(self, false).until(deadline);
        boolean mine = false;
        try {
            deadline.begin(frame);
            return body.call();
        } catch (Throwable thrown) {
            mine = frame.isMine(thrown);
            if (mine) {
                throw deadline.exception(self.asCancellation(thrown));
            }
            frame.suppressOnto(thrown);
            throw thrown;
        } finally {
            // First of all: whatever else fails for want of stack, it is left.
            frame.leave();
            deadline.end();
            if (mine) {
                frame.leftByItsOwn();
            }
        }
    }

    /// {@return the earliest limit that can end what the caller does}
    static Optional<Deadline> deadline() {
        return Optional.ofNullable(Frame.earliest(Coroutine.current("deadline()")));
    }

    /// @param discard gets the value if a cancellation that was kept out is thrown instead
    static <T, X extends Exception> T protect(
            Op<? extends T, X> body, @Nullable Consumer<? super T> discard) throws X {
        Objects.requireNonNull(body, "body");
        Coroutine<?> self = Coroutine.current("protect");
        self.beforeSuspension();
        var frame = new Frame(self, true);
        T value;
        try {
            value = body.call();
        } finally {
            frame.leave();
        }
        try {
            self.beforeSuspension();
        } catch (Throwable kept) {
            giveAway(value, discard, kept);
            throw kept;
        }
        return value;
    }

    private static <T> void giveAway(
            @Nullable T value, @Nullable Consumer<? super T> discard, Throwable kept) {
        if (value == null || discard == null) {
            return;
        }
        try {
            discard.accept(value);
        } catch (Throwable thrown) {
            Errors.suppress(kept, thrown);
        }
    }

    // The body declares X, so a checked exception of it is one.
    @SuppressWarnings("unchecked")
    static <T, X extends Exception> T offload(
            @Nullable Executor pool, Op<? extends T, X> body, @Nullable Consumer<? super T> discard)
            throws X {
        try {
            return Offload.<T>run(pool, body, discard);
        } catch (Exception thrown) {
            throw (X) thrown;
        }
    }
}
