package dev.heddle;

import java.util.Objects;

/// A result that somebody will write, once. The other side, [#deferred], reads it.
///
/// | it is | `complete`, `fail`, `cancel` | who awaits it |
/// |---|---|---|
/// | pending | settle it and return true | waits |
/// | completed | change nothing and return false | gets the value |
/// | failed | change nothing and return false | gets the failure thrown |
/// | cancelled | change nothing and return false | gets a [Cancellation] thrown |
///
/// Of several that settle it at the same time, exactly one gets true, and its result is the one
/// that everybody sees.
///
/// A failure that nobody ever looks at is reported as [Report.Kind#UNREAD_FAILURE], when the
/// promise is garbage or the program ends. In debug mode also a promise that nobody ever used is,
/// as [Report.Kind#LOST_HANDLE], both with the place where it was made; [Deferred#ignore] says that
/// this is intended. A cancelled promise is never reported.
///
/// **Thread:** made on a loop; any for the rest.
public final class Promise<T> {
    private final Deferred<T> deferred;

    /// A promise that coroutines of this loop keep. Another thread may complete it too, but waiting
    /// for it does not count as something that can still happen: see [#external].
    public Promise() {
        this(false);
    }

    private Promise(boolean external) {
        deferred = new Deferred<>(Heddle.schedulerHere("a Promise"), external);
        deferred.watchIfDebugging();
    }

    /// {@return a promise that another thread keeps: who waits for it is not deadlocked}
    public static <T> Promise<T> external() {
        return new Promise<>(true);
    }

    /// Settles it with a value, which is null only for a promise of `Void`.
    ///
    /// @return false if it was settled before
    public boolean complete(T value) {
        return deferred.settle(new Outcome.Success<>(value));
    }

    /// Settles it with a failure.
    ///
    /// @return false if it was settled before
    public boolean fail(Throwable error) {
        return deferred.settle(new Outcome.Failure<>(Objects.requireNonNull(error, "error")));
    }

    /// Settles it as given up: who awaits it gets a [Cancellation] with this reason, as from a
    /// coroutine that was cancelled. Whoever works for it is not told.
    ///
    /// @return false if it was settled before
    public boolean cancel(String reason) {
        Objects.requireNonNull(reason, "reason");
        return deferred.settle(new Outcome.Cancelled<>(deferred.newCancellation(reason)));
    }

    /// {@return the side that is read; always the same}
    public Deferred<T> deferred() {
        return deferred;
    }

    /// {@return whether it was completed, failed or cancelled}
    public boolean isSettled() {
        return deferred.peek() != null;
    }

    @Override
    public String toString() {
        return deferred.info();
    }
}
