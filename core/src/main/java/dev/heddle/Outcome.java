package dev.heddle;

import java.util.Objects;
import java.util.concurrent.CompletionException;

/// How something ended.
///
/// **Thread:** immutable.
public sealed interface Outcome<T> {
    /// It returned `value`, which is null only if it is one of `Void`.
    record Success<T>(T value) implements Outcome<T> {}

    record Failure<T>(Throwable error) implements Outcome<T> {
        public Failure {
            Objects.requireNonNull(error, "error");
        }
    }

    /// Its own cancellation was requested, and it ended by that.
    record Cancelled<T>(Cancellation cancellation) implements Outcome<T> {
        public Cancelled {
            Objects.requireNonNull(cancellation, "cancellation");
        }
    }

    /// {@return the value}
    ///
    /// A failure is thrown as it is, a checked one as the cause of [CompletionException]; the same
    /// object each time.
    default T orThrow() {
        return switch (this) {
            case Success<T>(var value) -> value;
            case Failure<T>(RuntimeException error) -> throw error;
            case Failure<T>(Error error) -> throw error;
            case Failure<T>(var error) ->
                    throw new CompletionException(Report.inWords(error), error);
            case Cancelled<T>(var cancellation) -> throw cancellation;
        };
    }

    /// [#orThrow()], where a failure of this checked type arrives as itself.
    default <X extends Exception> T orThrow(Class<X> expected) throws X {
        Objects.requireNonNull(expected, "expected");
        if (this instanceof Failure<T>(var error) && expected.isInstance(error)) {
            throw expected.cast(error);
        }
        return orThrow();
    }
}
