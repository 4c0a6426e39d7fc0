package dev.heddle;

import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// When a limit of [Heddle#within] ends its body. Found by [Heddle#deadline].
///
/// **Thread:** loop.
public final class Deadline {
    final Coroutine<?> host;
    private final long limitNanos;
    private final Timer timer;
    private String reason;

    // While the body runs.
    private @Nullable Frame frame;

    // What the limit throws, made when it is thrown.
    private @Nullable OperationCancelledException thrown;

    /// Of the calling coroutine.
    ///
    /// @param what was called, for messages
    Deadline(String what, Duration limit) {
        limitNanos = Timer.nanosOf(limit);
        host = Coroutine.current(what);
        reason = "not done within " + limit;
        timer = host.loop().timer(this::pass);
    }

    /// {@return the time that is left; zero if the limit has passed, or its body has ended}
    public Duration remaining() {
        host.scheduler().ensureHere("remaining");
        return isPending() ? Duration.ofNanos(timer.dueInNanos()) : Duration.ZERO;
    }

    /// Moves it, earlier or later: the limit will pass `fromNow` from now. Limits around it stay
    /// where they are.
    ///
    /// @return false if it cannot be moved any more: it has passed, or the body has ended
    public boolean moveTo(Duration fromNow) {
        long nanos = Timer.nanosOf(fromNow);
        host.scheduler().ensureHere("moveTo");
        passIfDue();
        if (!isPending()) {
            return false;
        }
        reason = "not done within " + fromNow + ", to which its deadline was moved";
        start(nanos);
        return true;
    }

    private boolean isPending() {
        return frame != null && timer.isActive();
    }

    /// The body begins, in this frame.
    void begin(Frame body) {
        frame = body;
        start(limitNanos);
    }

    private void start(long nanos) {
        if (nanos == 0) {
            pass();
        } else {
            timer.startNanos(nanos, 0);
        }
    }

    private void pass() {
        timer.stop();
        if (frame != null) {
            frame.cancel(reason);
        }
    }

    /// The loop may not have got to the timer yet, because the coroutine computed.
    void passIfDue() {
        if (isPending() && timer.dueInNanos() == 0) {
            pass();
        }
    }

    /// The body has ended.
    void end() {
        frame = null;
        timer.stop();
    }

    /// {@return whether it comes before `other`}
    boolean isBefore(@Nullable Deadline other) {
        return other == null || timer.dueInNanos() < other.timer.dueInNanos();
    }

    OperationCancelledException exception(Throwable cancellation) {
        var made = new OperationCancelledException(reason, cancellation, true);
        thrown = made;
        return made;
    }

    boolean hasThrown(OperationCancelledException which) {
        return thrown == which;
    }

    @Override
    public String toString() {
        return "Deadline(" + (isPending() ? timer : frame == null ? "over" : "passed") + ")";
    }
}
