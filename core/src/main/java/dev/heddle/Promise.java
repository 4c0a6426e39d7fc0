package dev.heddle;

import java.util.Objects;

/// A result that somebody will write, once. The other side, [#deferred], reads it.
///
/// **Thread:** any for [#complete] and [#fail]; made on a loop.
public final class Promise<T> {
    private final Deferred<T> deferred;

    /// A promise that coroutines of this loop keep. Another thread may complete it too, but waiting
    /// for it does not count as something that can still happen: see [#external].
    public Promise() {
        this(false);
    }

    private Promise(boolean external) {
        deferred = new Deferred<>(Heddle.schedulerHere("a Promise"), external);
    }

    /// {@return a promise that another thread keeps: who waits for it is not deadlocked}
    public static <T> Promise<T> external() {
        return new Promise<>(true);
    }

    /// @return false if it was completed or failed before
    public boolean complete(T value) {
        return deferred.settle(new Outcome.Success<>(value));
    }

    /// @return false if it was completed or failed before
    public boolean fail(Throwable error) {
        return deferred.settle(new Outcome.Failure<>(Objects.requireNonNull(error, "error")));
    }

    public Deferred<T> deferred() {
        return deferred;
    }

    public boolean isCompleted() {
        return deferred.readOutcome() != null;
    }

    @Override
    public String toString() {
        return deferred.info();
    }
}
