package dev.heddle;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/// Something whose end can be waited for, as often as one likes: it gives the same value, or throws
/// the same exception, each time.
///
/// A failure is thrown as it is; a checked one arrives as the cause of [CompletionException], or as
/// itself from [#await(Class)].
///
/// **Thread:** loop (a coroutine).
public sealed interface Awaitable<T> permits Coroutine, Deferred {
    /// Waits until it has ended.
    default T await() {
        return Waits.await(this);
    }

    /// [#await()], but not for longer than `timeout`: what is waited for goes on.
    ///
    /// @throws OperationCancelledException when the time is over
    default T await(Duration timeout) {
        return Waits.await(this, timeout);
    }

    /// [#await()], but only until the token fires: what is waited for goes on.
    ///
    /// @throws OperationCancelledException when the token fires
    default T await(Token token) {
        return Waits.await(this, token);
    }

    /// [#await()], where a failure of this checked type arrives as itself.
    default <X extends Exception> T await(Class<X> expected) throws X {
        return Waits.await(this, expected);
    }

    /// Waits until it has ended, and says how; never throws its failure.
    default Outcome<T> awaitOutcome() {
        return Waits.awaitOutcome(this);
    }

    /// {@return how it ended, if it has; does not wait}
    Optional<Outcome<T>> outcome();
}
