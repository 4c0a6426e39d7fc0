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

    boolean isCancelled() {
        return request != null;
    }

    /// {@return whether `thrown` is what this frame's cancellation looks like when it leaves the
    /// body}
    boolean isMine(Throwable thrown) {
        return request != null
                && (thrown instanceof InterruptedException
                        || (thrown instanceof Cancellation cancellation
                                && cancellation.isOf(request)));
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
        if (request != null) {
            host.scheduler().windows.close(request);
        }
    }
}
