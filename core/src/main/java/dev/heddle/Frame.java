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
    private final boolean isShield;
    private final Coroutine<?> host;
    private @Nullable CancelRequest request;
    private @Nullable Deadline deadline;

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

    /// {@return whether `thrown` is what this frame's cancellation looks like when it leaves the
    /// body}
    boolean isMine(Throwable thrown) {
        if (request == null) {
            return false;
        }
        if (thrown instanceof Cancellation cancellation) {
            return cancellation.isOf(request);
        }
        if (host.isInterruptedBy(request)) {
            return true;
        }
        // The interrupt may as well have been meant for a wider cancellation, which goes first.
        CancelRequest due = due(host);
        return (JdkInterrupts.isOne(thrown) || request.isBehind(thrown))
                && (due == null || due == request);
    }

    /// `failure`, which is none of its own, leaves the body: if that was cancelled, it failed while
    /// it cleaned up, and says so.
    void suppressOnto(Throwable failure) {
        if (request != null && request.wasDelivered() && !(failure instanceof Cancellation)) {
            Errors.suppress(failure, request.last());
        }
    }

    /// Gives it a deadline, so that no wait in it lasts for ever.
    Frame until(Deadline newDeadline) {
        deadline = newDeadline;
        return this;
    }

    void leave() {
        host.leave(this);
        if (isShield) {
            goOnUpToTheNextShield();
        }
        if (request != null) {
            host.scheduler().windows.close(request);
            host.forgetHint(request);
        }
    }

    /// It was left, by its own cancellation: a wider one that was just on its way through it is due
    /// again.
    void leftByItsOwn() {
        Frame each = outer;
        for (; each != null && !each.isShield; each = each.outer) {
            if (each.request != null) {
                each.request.replacedIn(this);
            }
        }
        CancelRequest whole = host.request();
        if (each == null && whole != null) {
            whole.replacedIn(this);
        }
    }

    /// {@return whether `other` is this frame or lies inside it}
    boolean isOrHolds(@Nullable Frame other) {
        Frame each = other;
        while (each != null && each != this) {
            each = each.outer;
        }
        return each == this;
    }

    /// {@return whether a shield lies between `host` as it is now and the frame `end`, which is
    /// left out; null for all frames}
    static boolean isShieldBefore(Coroutine<?> host, @Nullable Frame end) {
        for (Frame each = host.frame(); each != end && each != null; each = each.outer) {
            if (each.isShield) {
                return true;
            }
        }
        return false;
    }

    /// {@return whether the coroutine has been told that it, or what it does now, is cancelled:
    /// then it cleans up}
    static boolean isCleaningUp(Coroutine<?> host) {
        for (Frame each = host.frame(); each != null; each = each.outer) {
            if (each.request != null && hasReached(host, each.request)) {
                return true;
            }
        }
        CancelRequest whole = host.request();
        return whole != null && hasReached(host, whole);
    }

    // An interrupt that has ended a call of the JDK is the delivery, also before the coroutine gets
    // to a suspension point.
    private static boolean hasReached(Coroutine<?> host, CancelRequest which) {
        return which.wasDelivered() || host.isInterruptedBy(which);
    }

    // Windows that ended behind this shield, which was just left, begin anew.
    private void goOnUpToTheNextShield() {
        Frame each = outer;
        for (; each != null && !each.isShield; each = each.outer) {
            if (each.request != null) {
                each.request.goOn();
            }
        }
        CancelRequest whole = host.request();
        if (each == null && whole != null) {
            whole.goOn();
        }
    }

    // ---- all frames of a coroutine, from the innermost outwards ----

    /// {@return the request that the next suspension point must throw: the outermost that is due,
    /// of those that no shield keeps out}
    static @Nullable CancelRequest due(Coroutine<?> host) {
        CancelRequest found = null;
        for (Frame each = host.frame(); each != null; each = each.outer) {
            if (each.isShield) {
                return found;
            }
            if (each.request != null && each.request.isDue()) {
                found = each.request;
            }
        }
        CancelRequest whole = host.request();
        return whole != null && whole.isDue() ? whole : found;
    }

    /// {@return whether a cancellation that no shield keeps out was thrown, and it is still there}
    static boolean lingers(Coroutine<?> host) {
        for (Frame each = host.frame(); each != null; each = each.outer) {
            if (each.isShield) {
                return false;
            }
            if (each.request != null && each.request.wasDelivered()) {
                return true;
            }
        }
        CancelRequest whole = host.request();
        return whole != null && whole.wasDelivered();
    }

    /// {@return the innermost request whose interrupt is behind `thrown`; null if none is}
    static @Nullable CancelRequest behind(Coroutine<?> host, Throwable thrown) {
        for (Frame each = host.frame(); each != null; each = each.outer) {
            if (each.request != null && each.request.isBehind(thrown)) {
                return each.request;
            }
        }
        CancelRequest whole = host.request();
        return whole != null && whole.isBehind(thrown) ? whole : null;
    }

    /// {@return whether a shield keeps out `which`, a request of the coroutine or of a frame}
    static boolean isShielded(Coroutine<?> host, CancelRequest which) {
        for (Frame each = host.frame(); each != null; each = each.outer) {
            if (each.request == which) {
                return false;
            }
            if (each.isShield) {
                return true;
            }
        }
        return false;
    }

    /// Lets limits pass whose time is over, though the loop has not got to their timers yet. Reads
    /// the clock, but only inside a limit.
    static void passLimits(Coroutine<?> host) {
        for (Frame each = host.frame(); each != null && !each.isShield; each = each.outer) {
            if (each.deadline != null) {
                each.deadline.passIfDue();
            }
        }
    }

    /// {@return the earliest deadline around what the coroutine does, up to a shield: its own, and
    /// those around the blocks it was spawned in, whose limits end it too}
    static @Nullable Deadline earliest(Coroutine<?> host) {
        Deadline found = null;
        Coroutine<?> in = host;
        for (Frame each = host.frame(); ; each = each.outer) {
            while (each == null) {
                Block block = in.home().blockAround();
                if (block == null) {
                    return found;
                }
                in = block.host;
                each = block.around;
            }
            if (each.isShield) {
                return found;
            }
            if (each.deadline != null && each.deadline.isBefore(found)) {
                found = each.deadline;
            }
        }
    }

    /// {@return whether a limit around what the coroutine does will end its wait}
    static boolean isLimited(Coroutine<?> host) {
        for (Frame each = host.frame(); each != null && !each.isShield; each = each.outer) {
            if (each.deadline != null) {
                return true;
            }
        }
        return false;
    }

    /// `thrown` ended a wait: tells the request that it is of, unless it is somebody else's.
    static void delivered(Coroutine<?> host, Cancellation thrown) {
        CancelRequest which = host.request();
        for (Frame each = host.frame(); each != null && !thrown.isOf(which); each = each.outer) {
            which = each.request;
        }
        if (which != null && thrown.isOf(which)) {
            which.deliver(thrown);
        }
    }
}
