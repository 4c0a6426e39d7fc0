package dev.heddle;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;
import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A body that another thread has a loop run as a coroutine, and waits for.
///
/// **Thread:** any but the loop's, except what is marked.
final class Call<T> {
    private final Scheduler scheduler;
    private final Op<? extends T, ?> body;

    // Who sets it decides whether the body runs: the loop, or a caller that gives up before.
    private final AtomicBoolean taken = new AtomicBoolean();

    // Completed by the loop when the coroutine has ended; fails if there will be none.
    private final CompletableFuture<Outcome<T>> ended = new CompletableFuture<>();

    // Written by the loop.
    private volatile @Nullable Coroutine<T> coroutine;

    private Call(Scheduler scheduler, Op<? extends T, ?> body) {
        this.scheduler = scheduler;
        this.body = body;
    }

    static <T, X extends Exception> T run(
            Loop loop, @Nullable Duration timeout, Op<? extends T, X> body)
            throws X, InterruptedException {
        Objects.requireNonNull(loop, "loop");
        Objects.requireNonNull(body, "body");
        long nanos = timeout == null ? Long.MAX_VALUE : Timer.nanosOf(timeout);
        var call = new Call<T>(schedulerOf(loop), body);
        call.post();
        try {
            return Call.<T, X>result(call.await(nanos));
        } catch (TimeoutException over) {
            throw new OperationCancelledException(
                    "not done within " + timeout, call.cancellation(), true);
        }
    }

    static <X extends Exception> Op<Void, X> withoutResult(VoidOp<X> body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return Heddle.value(null);
        };
    }

    private static Scheduler schedulerOf(Loop loop) {
        for (Scheduler each : Schedulers.running()) {
            if (each.loop == loop) {
                if (each.isHere()) {
                    throw new IllegalStateException(
                            "call on "
                                    + loop
                                    + " itself, which would wait for itself: call the method, or"
                                    + " spawn and await");
                }
                return each;
            }
        }
        throw new IllegalStateException("no program runs on " + loop + ", or it has ended");
    }

    // ---- the loop's part ----

    private void post() {
        var task =
                new Task() {
                    @Override
                    protected void run() {
                        begin();
                    }

                    @Override
                    protected void drop() {
                        refused(new IllegalStateException("its loop has ended: " + scheduler.loop));
                    }
                };
        if (!scheduler.loop.postIfOpen(task)) {
            task.drop();
        }
    }

    private void begin() {
        if (!taken.compareAndSet(false, true)) {
            return;
        }
        try {
            Coroutine<T> child = scheduler.spawn(scheduler.root, null, body);
            child.markUsed();
            coroutine = child;
            // By way of a deferred, because those are told of the end of the loop, too.
            var end = new Deferred<Outcome<T>>(scheduler, false);
            child.subscribe(
                    (_, _) ->
                            end.settle(
                                    new Outcome.Success<>(Objects.requireNonNull(child.peek()))));
            var _ = Bridge.future(end).whenComplete(this::tell);
        } catch (Throwable thrown) {
            refused(thrown);
        }
    }

    private void tell(@Nullable Outcome<T> outcome, @Nullable Throwable loopEnded) {
        if (outcome == null) {
            refused(Objects.requireNonNull(loopEnded));
        } else {
            ended.complete(outcome);
        }
    }

    private void refused(Throwable why) {
        ended.completeExceptionally(why);
    }

    // ---- the caller's part ----

    /// {@return how the coroutine ended}
    ///
    /// @throws TimeoutException if it was cancelled because the time is over
    /// @throws InterruptedException if it was cancelled because the thread was interrupted
    private Outcome<T> await(long nanos) throws InterruptedException, TimeoutException {
        try {
            return get(nanos);
        } catch (TimeoutException over) {
            Outcome<T> end = cancelAndGet("not done in time");
            if (end == null || end instanceof Outcome.Cancelled) {
                throw over;
            }
            return end;
        } catch (InterruptedException interrupted) {
            Outcome<T> end = cancelAndGet("its caller was interrupted");
            if (end == null || end instanceof Outcome.Cancelled) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            return end;
        }
    }

    private Outcome<T> get(long nanos) throws InterruptedException, TimeoutException {
        try {
            return nanos == Long.MAX_VALUE ? ended.get() : ended.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException refused) {
            throw Waits.unchecked(Objects.requireNonNull(refused.getCause()));
        }
    }

    /// {@return how it ended then; null if it had not begun, and never will}
    private @Nullable Outcome<T> cancelAndGet(String reason)
            throws InterruptedException, TimeoutException {
        if (taken.compareAndSet(false, true)) {
            return null;
        }
        // After what made the coroutine, which the loop has begun to run.
        scheduler.onLoop(() -> cancelNow(reason));
        return get(Long.MAX_VALUE);
    }

    /// On the loop.
    private void cancelNow(String reason) {
        Coroutine<T> child = coroutine;
        if (child != null) {
            child.requestCancel(reason);
        }
    }

    private @Nullable Cancellation cancellation() {
        Coroutine<T> child = coroutine;
        return child != null && child.peek() instanceof Outcome.Cancelled<T>(var cancellation)
                ? cancellation
                : null;
    }

    // The body declares X, so a checked exception of it is one.
    private static <T, X extends Exception> T result(Outcome<T> outcome) throws X {
        return switch (outcome) {
            case Outcome.Success<T>(var value) -> value;
            case Outcome.Failure<T>(var error) -> throw Structured.<X>asDeclared(error);
            case Outcome.Cancelled<T>(var why) ->
                    throw new OperationCancelledException(why.reason(), why, false);
        };
    }
}
