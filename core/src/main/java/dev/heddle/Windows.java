package dev.heddle;

import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

/// The clean-up windows that are open: every cancelled coroutine has one from delivery on.
///
/// All are equally long, so the one opened first ends first, and one timer serves them all: opening
/// and closing a window is two links, which matters when a hundred thousand coroutines are
/// cancelled at once.
///
/// **Thread:** loop.
final class Windows {
    private final Scheduler scheduler;
    private final Timer timer;
    private @Nullable CancelRequest first;
    private @Nullable CancelRequest last;

    Windows(Scheduler scheduler) {
        this.scheduler = scheduler;
        timer = scheduler.loop.timer(this::endDue);
    }

    /// Opens the window of `request`, or opens it anew.
    void open(CancelRequest request) {
        close(request);
        // Not the loop's cached time, which is older: the window would end early.
        scheduler.loop.updateNow();
        request.windowEnd = Timer.later(scheduler.loop.now(), scheduler.options.cleanUpNanos);
        request.inWindow = true;
        request.previous = last;
        if (last == null) {
            first = request;
            timer.startAt(request.windowEnd);
        } else {
            last.next = request;
        }
        last = request;
    }

    /// The coroutine ended, or left the frame. Idempotent.
    void close(CancelRequest request) {
        if (!request.inWindow) {
            return;
        }
        CancelRequest before = request.previous;
        CancelRequest after = request.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        request.previous = null;
        request.next = null;
        request.inWindow = false;
        if (first == null) {
            timer.stop();
        }
    }

    // The timer may be early for the one that is first now: then it is set again.
    private void endDue() {
        long now = scheduler.loop.now();
        // Bounded: a window that is opened again ends later than now.
        for (CancelRequest request = first;
                request != null && request.windowEnd <= now;
                request = first) {
            close(request);
            request.target.windowEnded(request);
        }
        if (first != null) {
            timer.startAt(first.windowEnd);
        }
    }
}
