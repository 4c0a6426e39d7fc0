package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.event.Event;
import dev.heddle.loop.Loop;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/// The side of a [Promise] that is read: a result that will be there.
///
/// **Thread:** loop (a coroutine).
public final class Deferred<T> extends Event<T> implements Awaitable<T> {
    private static final VarHandle OUTCOME;

    static {
        try {
            OUTCOME =
                    MethodHandles.lookup().findVarHandle(Deferred.class, "outcome", Outcome.class);
        } catch (ReflectiveOperationException cause) {
            throw new ExceptionInInitializerError(cause);
        }
    }

    private final Scheduler scheduler;
    private final boolean external;

    // Set once, by any thread; the loop hears of it by a task and then tells the subscribers.
    private volatile @Nullable Outcome<T> outcome;

    Deferred(Scheduler scheduler, boolean external) {
        this.scheduler = scheduler;
        this.external = external;
    }

    /// {@return one that has succeeded}
    public static <T> Deferred<T> completed(T value) {
        return ended(new Outcome.Success<>(value));
    }

    /// {@return one that has failed}
    public static <T> Deferred<T> failed(Throwable error) {
        return ended(new Outcome.Failure<>(error));
    }

    private static <T> Deferred<T> ended(Outcome<T> outcome) {
        var deferred = new Deferred<T>(Heddle.schedulerHere("a Deferred"), false);
        deferred.settle(outcome);
        return deferred;
    }

    /// {@return the result of `stage`, which another thread may bring about}
    public static <T> Deferred<T> from(CompletionStage<? extends T> stage) {
        Objects.requireNonNull(stage, "stage");
        var deferred = new Deferred<T>(Heddle.schedulerHere("Deferred.from"), true);
        stage.whenComplete(
                (value, error) ->
                        deferred.settle(
                                error == null
                                        ? new Outcome.Success<>(value)
                                        : new Outcome.Failure<>(unwrapped(error))));
        return deferred;
    }

    /// {@return a future that completes with it}
    public CompletableFuture<T> toCompletableFuture() {
        var future = new CompletableFuture<T>();
        markUsed();
        subscribe(
                (value, error) -> {
                    if (error == null) {
                        future.complete(value);
                    } else {
                        future.completeExceptionally(error);
                    }
                });
        return future;
    }

    // A stage that depends on a failed one wraps the failure.
    private static Throwable unwrapped(Throwable error) {
        Throwable cause = error.getCause();
        return error instanceof CompletionException && cause != null ? cause : error;
    }

    /// Any thread.
    ///
    /// @return false if it had ended already
    boolean settle(Outcome<T> end) {
        if (!OUTCOME.compareAndSet(this, (Outcome<?>) null, end)) {
            return false;
        }
        scheduler.onLoop(this::tellAll);
        return true;
    }

    private void tellAll() {
        switch (Objects.requireNonNull(outcome)) {
            case Outcome.Success<T>(var value) -> finish(value, null);
            case Outcome.Failure<T>(var error) -> finish(null, error);
            case Outcome.Cancelled<T>(var cancellation) -> finish(null, cancellation);
        }
    }

    @Override
    public Optional<Outcome<T>> outcome() {
        return Optional.ofNullable(outcome);
    }

    @Nullable Outcome<T> readOutcome() {
        return outcome;
    }

    @Override
    protected boolean replay(Callback<? super T> callback) {
        switch (Objects.requireNonNull(outcome)) {
            case Outcome.Success<T>(var value) -> tell(callback, value, null);
            case Outcome.Failure<T>(var error) -> tell(callback, null, error);
            case Outcome.Cancelled<T>(var cancellation) -> tell(callback, null, cancellation);
        }
        return true;
    }

    // While somebody waits for what another thread will bring, the loop is alive.
    @Override
    protected void onStart() {
        if (external) {
            scheduler.loop.hold();
        }
    }

    @Override
    protected void onStop() {
        if (external) {
            scheduler.loop.release();
        }
    }

    @Override
    public Loop loop() {
        return scheduler.loop;
    }

    @Override
    public String info() {
        String state =
                switch (outcome) {
                    case null -> external ? "pending, external" : "pending";
                    case Outcome.Success<T> _ -> "completed";
                    case Outcome.Failure<T>(var error) -> "failed: " + error;
                    case Outcome.Cancelled<T> _ -> "cancelled";
                };
        return "Promise(" + state + ")";
    }
}
