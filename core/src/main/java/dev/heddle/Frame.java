package dev.heddle;

import org.jspecify.annotations.Nullable;

/// A part of a coroutine's run that is cancelled by itself, or that no cancellation may enter: what
/// [Heddle#within], [Scope#run] and [Heddle#protect] put around their bodies.
///
/// Frames nest. A cancellation reaches from its frame inwards, up to the first shield.
///
/// **Thread:** loop.
final class Frame {
    final @Nullable Frame outer;
    final boolean isShield;
    private final Coroutine<?> host;
    private @Nullable CancelRequest request;
    private boolean timed;

    Frame(Coroutine<?> host, boolean isShield) {
        this.host = host;
        this.isShield = isShield;
        outer = host.frame();
        host.enter(this);
    }

    /// Cancels what the host does inside this frame. The first reason wins.
    void cancel(String reason) {
        if (request == null && !host.isFinished()) {
            request = new CancelRequest(host, reason);
            host.deliverOrHint(request);
        }
    }

    @Nullable CancelRequest request() {
        return request;
    }

    /// {@return whether `thrown` is what this frame's cancellation looks like when it leaves the
    /// body}
    boolean isMine(Throwable thrown) {
        if (request == null) {
            return false;
        }
        if (thrown instanceof Cancellation cancellation) {
            return cancellation.isOf(request);
        }
        // The interrupt may as well have been meant for a wider cancellation, which goes first.
        CancelRequest due = host.due();
        return JdkInterrupts.isOne(thrown) && (due == null || due == request);
    }

    /// Says that a timer will cancel it, so that no wait in it lasts for ever.
    Frame timed() {
        timed = true;
        return this;
    }

    boolean isTimed() {
        return timed;
    }

    void leave() {
        host.leave(this);
        if (isShield) {
            host.leftShield();
        }
        if (request != null) {
            host.scheduler().windows.close(request);
            host.forgetHint();
        }
    }
}
