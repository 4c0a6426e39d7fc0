package dev.heddle;

import org.jspecify.annotations.Nullable;

/// One request to cancel: of a coroutine, or only of what it does inside a [Frame]. Remembers
/// whether it was delivered, and how often that went unanswered.
///
/// **Thread:** loop.
final class CancelRequest {
    /*
     *   DUE ──thrown at a suspension point──▶ IN WINDOW ──window ends──▶ DUE, unanswered + 1
     *    │                                      ▲   │
     *    └──an interrupt ended a call of the JDK┘   └──a frame inside threw its own instead──▶ DUE
     *
     * In the window the coroutine suspends as usual, so that it can clean up. From the third unanswered
     * window on it is due for ever: every suspension point throws.
     */
    private static final int PATIENCE = 3;

    final Coroutine<?> target;
    final String reason;
    final long sinceNanos;

    private Cancellation cancellation;
    private @Nullable Cancellation delivered;
    // What the coroutine was in, at its innermost, when it was thrown last.
    private @Nullable Frame deliveredIn;
    private boolean due = true;
    private boolean givenUp;
    private boolean cameByInterrupt;
    // Whether its window ended while a shield kept the next delivery out.
    private boolean behindShield;
    private int unanswered;

    // The list of open windows, see Windows.
    @Nullable CancelRequest previous;
    @Nullable CancelRequest next;
    boolean inWindow;
    long windowEnd;

    CancelRequest(Coroutine<?> target, String reason) {
        this.target = target;
        this.reason = reason;
        sinceNanos = target.scheduler().loop.now();
        cancellation = newCancellation();
    }

    boolean isDue() {
        return due;
    }

    boolean wasDelivered() {
        return delivered != null;
    }

    /// {@return what was thrown last}
    Cancellation last() {
        return delivered == null ? cancellation : delivered;
    }

    int unanswered() {
        return unanswered;
    }

    /// {@return what is thrown next; if it is not due, what was thrown last}
    Cancellation cancellation() {
        return cancellation;
    }

    /// `thrown`, which is its own, is being thrown.
    void deliver(Cancellation thrown) {
        delivered = thrown;
        deliveredIn = target.frame();
        due = isForEver();
        // The whole window is for what comes after the delivery. Not so once every suspension point
        // delivers: the window would never end.
        if (!inWindow || !due) {
            openWindow();
        }
    }

    /// It has reached the coroutine without being thrown: by an interrupt that ended a call of the
    /// JDK, or because the coroutine was spawned into what is being cancelled.
    void arrive() {
        deliver(cancellation);
    }

    /// [#arrive], by an interrupt.
    void arriveByInterrupt() {
        cameByInterrupt = true;
        arrive();
    }

    /// It comes while what the coroutine owns is being closed: only its window opens.
    void deliverInClose() {
        deliver(cancellation);
        // It is on its way through no frame.
        deliveredIn = null;
    }

    /// {@return whether `thrown` is what a library has made of the interrupt that brought this to
    /// the coroutine: that it has waited since, to clean up, makes no failure of it}
    boolean isBehind(Throwable thrown) {
        return cameByInterrupt && JdkInterrupts.isBehind(thrown);
    }

    /// {@return what was thrown last, with `thrown` suppressed, which a library has made of it}
    Cancellation insteadOf(Throwable thrown) {
        Cancellation instead = last();
        Errors.suppress(instead, thrown);
        return instead;
    }

    /// The frame `inner` has thrown a cancellation of its own. If this one was on its way through
    /// that frame it is gone, and would be forgotten: the next suspension point throws it again.
    /// One that came before the frame was entered is left in peace: limits are usual in clean-up.
    void replacedIn(Frame inner) {
        if (!due && inner.isOrHolds(deliveredIn)) {
            due = true;
            cancellation = newCancellation();
        }
    }

    /// Opens its window, or opens it anew.
    void openWindow() {
        behindShield = false;
        if (!givenUp) {
            target.scheduler().windows.open(this);
        }
    }

    /// Its window has ended, and a shield keeps the next delivery out.
    void waitForShield() {
        behindShield = true;
    }

    /// That shield has gone.
    void goOn() {
        if (behindShield) {
            openWindow();
        }
    }

    /// Nobody waits for an answer any more; it stays due.
    void giveUp() {
        givenUp = true;
    }

    /// {@return whether every suspension point throws it from now on}
    boolean isForEver() {
        return unanswered >= PATIENCE;
    }

    /// Its window has ended, and the coroutine is still there.
    void renew() {
        unanswered++;
        due = true;
        // A new object each time: the old one may be on its way through a try-with-resources, which
        // could not add it to itself.
        cancellation = newCancellation();
    }

    /// {@return whether it was unanswered for so long that nobody waits for the coroutine any more}
    boolean isHopeless() {
        return unanswered > PATIENCE;
    }

    /// What is thrown once it is due for ever: again a new object.
    Cancellation fresh() {
        if (isForEver()) {
            cancellation = newCancellation();
        }
        return cancellation;
    }

    private Cancellation newCancellation() {
        return new Cancellation(reason, this, target.scheduler().options.debug);
    }
}
