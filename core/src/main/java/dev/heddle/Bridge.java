package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.event.Event;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/// Between a [Deferred] and the futures of the JDK.
///
/// **Thread:** loop, except what a stage calls.
final class Bridge<T> extends Callback<T> {
    private final Deferred<T> from;
    private final CompletableFuture<T> future = new CompletableFuture<>();

    private Bridge(Deferred<T> from) {
        this.from = from;
    }

    static <T> CompletableFuture<T> future(Deferred<T> from) {
        var bridge = new Bridge<>(from);
        from.subscribe(bridge);
        if (bridge.isSubscribed()) {
            from.scheduler().bridges.add(bridge);
        }
        return bridge.future;
    }

    @Override
    protected void onEvent(
            Event<? extends T> source, @Nullable T value, @Nullable Throwable error) {
        Outcome<T> end = Objects.requireNonNull(from.peek());
        if (from.scheduler().bridges.remove(this)) {
            // What depends on the future runs inside the call that completes it: not in the
            // coroutine that happens to complete the promise.
            from.scheduler().soon(() -> complete(end));
        } else {
            complete(end);
        }
    }

    private void complete(Outcome<T> end) {
        switch (end) {
            case Outcome.Success<T>(var value) -> future.complete(value);
            case Outcome.Failure<T>(var error) -> future.completeExceptionally(error);
            case Outcome.Cancelled<T>(var why) -> future.completeExceptionally(cancelled(why));
        }
    }

    @Override
    protected void onDispose(Event<?> source) {
        from.scheduler().bridges.remove(this);
        end("disposed of while awaited: " + source.info());
    }

    private void end(String why) {
        future.completeExceptionally(new IllegalStateException(why));
    }

    private static CancellationException cancelled(Cancellation why) {
        var exception = new CancellationException(why.reason());
        exception.initCause(why);
        return exception;
    }

    /// Lets `to` end as `stage` does, on whatever thread that happens.
    static <T> void feed(Deferred<T> to, CompletionStage<? extends T> stage) {
        stage.whenComplete(
                (value, error) ->
                        to.settle(
                                error == null
                                        ? new Outcome.Success<>(value)
                                        : new Outcome.Failure<>(unwrapped(error))));
    }

    /// Cancels `stage`, which nobody waits for any more.
    ///
    /// @param why ended the wait; what goes wrong here is suppressed onto it
    static void cancel(CompletionStage<?> stage, Throwable why) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException notAFuture) {
            // A stage need not be one. Then it goes on, and nobody looks at its end.
            return;
        } catch (Throwable thrown) {
            Errors.suppress(why, thrown);
        }
    }

    // A stage that depends on a failed one wraps the failure.
    private static Throwable unwrapped(Throwable error) {
        Throwable cause = error.getCause();
        return error instanceof CompletionException && cause != null ? cause : error;
    }

    /// The futures of one loop that wait for it. Other threads may sleep until they complete, so
    /// the end of the loop completes them all.
    ///
    /// **Thread:** loop.
    static final class All {
        // As many as there are futures that users have asked for and whose promise is pending.
        private final Set<Bridge<?>> waiting = new LinkedHashSet<>();

        private void add(Bridge<?> bridge) {
            waiting.add(bridge);
        }

        private boolean remove(Bridge<?> bridge) {
            return waiting.remove(bridge);
        }

        void endAll() {
            for (Bridge<?> each : Set.copyOf(waiting)) {
                waiting.remove(each);
                each.end("its loop has ended: " + each.from.info());
            }
        }
    }
}
