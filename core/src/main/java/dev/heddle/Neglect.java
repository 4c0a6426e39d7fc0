package dev.heddle;

import dev.heddle.event.Loss;

import org.jspecify.annotations.Nullable;

/// What is left of a handle that nobody looked after: it is reported when the handle is garbage, or
/// at the end of the program, whichever comes first.
///
/// Two things are noticed so. A failure that nobody ever read, of a promise or of a coroutine:
/// watched from the moment it fails, and only if nobody is there to be told. A promise that nobody
/// ever used: watched from its making, and in debug mode only, because it costs more than the
/// promise. So what goes well pays nothing.
///
/// Must not know the handle, which would then never be garbage.
///
/// **Thread:** loop; [#unwatch] any.
final class Neglect {
    private final Scheduler scheduler;
    private final String what;
    private final String place;

    // Loop only.
    private @Nullable Throwable failure;
    private @Nullable Neglect previous;
    private @Nullable Neglect next;

    // Written by the loop.
    private volatile @Nullable Loss watch;

    /// @param what whose neglect it is, in words
    /// @param place where that was made, ` made at Shop.java:10`; empty if it was not recorded
    Neglect(Scheduler scheduler, String what, String place) {
        this.scheduler = scheduler;
        this.what = what;
        this.place = place;
    }

    /// Waits for `handle` to be lost.
    ///
    /// @param error the failure that nobody read; null for a promise that nobody used
    void watch(Object handle, @Nullable Throwable error) {
        unwatchNow();
        failure = error;
        scheduler.neglected.add(this);
        watch = Loss.watch(handle, () -> scheduler.onLoop(this::report));
    }

    /// Somebody has looked.
    void unwatch() {
        if (watch != null) {
            scheduler.onLoop(this::unwatchNow);
        }
    }

    private void unwatchNow() {
        Loss watched = watch;
        if (watched != null) {
            watched.forget();
            watch = null;
            scheduler.neglected.remove(this);
            failure = null;
        }
    }

    /// Says so, once.
    void report() {
        if (watch == null) {
            return;
        }
        Throwable error = failure;
        unwatchNow();
        if (error == null) {
            scheduler.options.report(
                    Report.Kind.LOST_HANDLE,
                    what
                            + place
                            + " was never used: await its deferred, chain something to it, or say"
                            + " ignore()");
        } else {
            scheduler.options.report(
                    Report.Kind.UNREAD_FAILURE,
                    "nobody ever looked at the failure of "
                            + what
                            + place
                            + ": "
                            + Report.withCauses(error),
                    Report.stackOf(error));
        }
    }

    String place() {
        return place;
    }

    /// All that are watched on one loop, oldest first.
    ///
    /// **Thread:** loop.
    static final class All {
        private @Nullable Neglect first;
        private @Nullable Neglect last;

        private void add(Neglect added) {
            added.previous = last;
            if (last == null) {
                first = added;
            } else {
                last.next = added;
            }
            last = added;
        }

        private void remove(Neglect removed) {
            Neglect before = removed.previous;
            Neglect after = removed.next;
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
            removed.previous = null;
            removed.next = null;
        }

        /// The program ends: nobody will look any more.
        void reportAll() {
            for (Neglect each = first; each != null; each = first) {
                each.report();
            }
        }
    }
}
