package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import org.jspecify.annotations.Nullable;

/// An event that happens once, and can be asked for its outcome ever after: what an [Awaitable] is
/// for those who wait.
///
/// **Thread:** loop.
abstract sealed class OutcomeEvent<T> extends Event<T> permits Coroutine, Deferred {
    OutcomeEvent() {}

    /// {@return the outcome, if there is one, for ourselves: nobody has looked at a failure}
    abstract @Nullable Outcome<T> peek();

    /// {@return the outcome, if there is one, for the program: it has seen a failure}
    abstract @Nullable Outcome<T> readOutcome();

    /// Somebody was handed its failure, or will be for certain.
    abstract void failureRead();

    /// A wait for it was ended by `cause` before there was an outcome.
    void givenUp(Throwable cause) {}

    /// A callback of the program, or of a chain, gets the failure when it is told. One who waits
    /// has it when the wait returns: until then a limit or a token may end the wait.
    @Override
    public void subscribe(Callback<? super T> callback) {
        if (!Waker.isWait(callback)) {
            failureRead();
        }
        super.subscribe(callback);
    }

    /// Closes the event and tells the subscribers.
    final void finishWith(Outcome<T> end) {
        finish(value(end), error(end));
    }

    @Override
    protected final boolean replay(Callback<? super T> callback) {
        Outcome<T> end = peek();
        if (end == null) {
            return false;
        }
        tell(callback, value(end), error(end));
        return true;
    }

    private static <T> @Nullable T value(Outcome<T> end) {
        return end instanceof Outcome.Success<T>(var value) ? value : null;
    }

    private static @Nullable Throwable error(Outcome<?> end) {
        return switch (end) {
            case Outcome.Success<?> _ -> null;
            case Outcome.Failure<?>(var error) -> error;
            case Outcome.Cancelled<?>(var cancellation) -> cancellation;
        };
    }
}
