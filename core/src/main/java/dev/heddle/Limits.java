package dev.heddle;

import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/// Bodies with a limit, with a shield, or elsewhere: all of them run inside the call.
///
/// **Thread:** loop (a coroutine).
final class Limits {
    private Limits() {}

    static <T, X extends Exception> T within(Duration limit, Op<? extends T, X> body) throws X {
        Objects.requireNonNull(body, "body");
        long nanos = Timer.nanosOf(limit);
        Coroutine<?> self = Coroutine.current("within");
        var frame = new Frame(self, false).timed();
        String reason = "not done within " + limit;
        Timer timer = self.loop().timer(() -> frame.cancel(reason));
        boolean mine = false;
        try {
            if (nanos == 0) {
                frame.cancel(reason);
            } else {
                timer.startNanos(nanos, 0);
            }
            return body.call();
        } catch (Throwable thrown) {
            mine = frame.isMine(thrown);
            if (mine) {
                throw new OperationCancelledException(reason, self.asCancellation(thrown), true);
            }
            frame.suppressOnto(thrown);
            throw thrown;
        } finally {
            timer.stop();
            frame.leave();
            if (mine) {
                frame.leftByItsOwn();
            }
        }
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
            Op<? extends T, X> body, @Nullable Consumer<? super T> discard) throws X {
        try {
            return Offload.<T>run(body, discard);
        } catch (Exception thrown) {
            throw (X) thrown;
        }
    }
}
