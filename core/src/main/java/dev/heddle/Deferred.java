package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.loop.Loop;
import dev.heddle.sys.AtomicField;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// The side of a [Promise] that is read: a result that will be there.
///
/// Most programs only await it. [#map], [#recover] and [#onFinally] are for code that has no
/// coroutine at hand. Their functions are callbacks: they run on the loop, soon after the result is
/// there, in the order they were given, and must not wait; await inside one throws. What they throw
/// becomes the failure of the deferred that they return.
///
/// **Thread:** loop (a coroutine or a callback).
public final class Deferred<T> extends OutcomeEvent<T> implements Awaitable<T> {
    /*
     * `outcome` says what it is:
     *
     *   null ──settle, any thread──▶ Outcome        final
     *
     * One compare-and-set, so exactly one result wins. The loop hears of it by a task, which closes
     * the event and tells the subscribers; awaiting it in between finds the outcome already.
     */
    private static final VarHandle OUTCOME =
            AtomicField.of(MethodHandles.lookup(), "outcome", Outcome.class);

    // Who waits for it waits for another thread, and is not deadlocked.
    private static final int EXTERNAL = FREE_BITS;

    // Somebody got the failure, or nobody will: it is ignored, or was given up.
    private static final int FAILURE_READ = FREE_BITS << 1;

    private final Scheduler scheduler;
    private volatile @Nullable Outcome<T> outcome;

    // The stage that ends with who waits for it.
    private @Nullable CompletionStage<?> owned;

    // There from the start in debug mode, where it knows the place; else made for a failure.
    private volatile @Nullable Neglect neglect;

    Deferred(Scheduler scheduler, boolean external) {
        this.scheduler = scheduler;
        if (external) {
            set(EXTERNAL);
        }
        if (scheduler.options.debug) {
            neglect = new Neglect(scheduler, "a promise", " made at " + Place.ofCaller());
        }
    }

    // ---- making one ----

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
    ///
    /// It fails with what the stage failed with, without the `CompletionException` around it; a
    /// stage that was cancelled is one that failed with `CancellationException`. The stage is never
    /// cancelled from here; see [#owning].
    public static <T> Deferred<T> from(CompletionStage<? extends T> stage) {
        Objects.requireNonNull(stage, "stage");
        var deferred = new Deferred<T>(Heddle.schedulerHere("Deferred.from"), true);
        Bridge.feed(deferred, stage);
        return deferred;
    }

    /// [#from], for a stage that nobody else needs: if a wait for this deferred is ended by a
    /// cancellation, by a limit or by a scope, and no other wait for it is left, the stage is
    /// cancelled, as `stage.toCompletableFuture().cancel(true)` does.
    ///
    /// A timeout or a token of the wait itself does not cancel it: these end a wait, not the work.
    /// A stage that cannot be turned into a future goes on.
    public static <T> Deferred<T> owning(CompletionStage<? extends T> stage) {
        var deferred = Deferred.<T>from(stage);
        deferred.owned = stage;
        return deferred;
    }

    // ---- chaining ----

    /// {@return what `function` makes of the value; a failure or a cancellation is passed on}
    public <R> Deferred<R> map(Fn<? super T, ? extends R, ?> function) {
        Objects.requireNonNull(function, "function");
        ensureHere("map");
        return Step.after(this, end -> Step.map(end, function));
    }

    /// {@return the value, or what `function` makes of the failure; a cancellation is passed on}
    ///
    /// If the function throws something else, the failure is suppressed onto that.
    public Deferred<T> recover(Fn<? super Throwable, ? extends T, ?> function) {
        Objects.requireNonNull(function, "function");
        ensureHere("recover");
        return Step.after(this, end -> Step.recover(end, function));
    }

    /// {@return the same result, after `body` has run}
    ///
    /// If the body throws, that is the failure; if there was one already, the body's is suppressed
    /// onto it.
    public Deferred<T> onFinally(Action body) {
        Objects.requireNonNull(body, "body");
        ensureHere("onFinally");
        return Step.after(this, end -> Step.onFinally(end, body));
    }

    /// Says that nobody needs to look at it: a failure is not reported.
    public Deferred<T> ignore() {
        ensureHere("ignore");
        set(FAILURE_READ);
        used();
        return this;
    }

    /// {@return a future that completes with it, on the loop}
    ///
    /// Completing or cancelling the future changes nothing here. If the deferred is cancelled, the
    /// future is too; if the loop ends while it is pending, the future fails.
    public CompletableFuture<T> toCompletableFuture() {
        ensureHere("toCompletableFuture");
        return Bridge.future(this);
    }

    private void ensureHere(String what) {
        Scheduler here = Heddle.schedulerHere(what);
        if (here != scheduler) {
            throw new WrongLoopException(info(), scheduler.loop, here.loop);
        }
    }

    /// {@return a pending one that will be made of this: waiting for it waits for the same thing}
    <R> Deferred<R> next() {
        return new Deferred<>(scheduler, is(EXTERNAL));
    }

    // ---- settling ----

    /// Any thread.
    ///
    /// @return false if it had ended already
    boolean settle(Outcome<T> end) {
        if (!win(end)) {
            return false;
        }
        scheduler.onLoop(this::tellAll);
        return true;
    }

    boolean win(Outcome<T> end) {
        return OUTCOME.compareAndSet(this, (Outcome<?>) null, end);
    }

    private void tellAll() {
        if (is(CLOSED)) {
            // Disposed of: nobody is left to be told.
            return;
        }
        Outcome<T> end = Objects.requireNonNull(outcome);
        finishWith(end);
        if (end instanceof Outcome.Failure<T>(var error)) {
            watchFailure(error);
        }
    }

    Cancellation newCancellation(String reason) {
        return new Cancellation(reason, null, scheduler.options.debug);
    }

    // ---- looking after it ----

    void watchIfDebugging() {
        if (neglect != null) {
            neglect.watch(this, null);
        }
    }

    private void watchFailure(Throwable error) {
        // Somebody else's cancellation is no news.
        if (is(FAILURE_READ) || error instanceof Cancellation) {
            return;
        }
        if (neglect == null) {
            neglect = new Neglect(scheduler, "a promise", "");
        }
        neglect.watch(this, error);
    }

    /// Somebody waits for it, chains something to it, or wants nothing of it.
    void used() {
        if (neglect != null) {
            neglect.unwatch();
        }
    }

    @Override
    public void markUsed() {
        super.markUsed();
        used();
    }

    @Override
    void failureRead() {
        set(FAILURE_READ);
        used();
    }

    // Whoever stopped waiting for it has decided to go on without it: nobody is left to look at a
    // failure that comes later.
    @Override
    void givenUp(Throwable cause) {
        if (is(CLOSED)) {
            return;
        }
        set(FAILURE_READ);
        CompletionStage<?> stage = owned;
        if (stage != null && cause instanceof Cancellation && !hasSubscribers()) {
            owned = null;
            Bridge.cancel(stage, cause);
        }
    }

    // ---- reading ----

    @Override
    public Optional<Outcome<T>> outcome() {
        return Optional.ofNullable(readOutcome());
    }

    @Override
    @Nullable Outcome<T> readOutcome() {
        Outcome<T> end = outcome;
        if (end instanceof Outcome.Failure) {
            scheduler.onLoop(this::failureRead);
        } else if (end != null) {
            used();
        }
        return end;
    }

    /// Any thread.
    @Override
    @Nullable Outcome<T> peek() {
        return outcome;
    }

    @Override
    public void subscribe(Callback<? super T> callback) {
        used();
        super.subscribe(callback);
    }

    // While somebody waits for what another thread will bring, the loop is alive.
    @Override
    protected void onStart() {
        if (is(EXTERNAL)) {
            scheduler.loop.hold();
        }
    }

    @Override
    protected void onStop() {
        if (is(EXTERNAL)) {
            scheduler.loop.release();
        }
    }

    Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public Loop loop() {
        return scheduler.loop;
    }

    @Override
    public String info() {
        String state =
                switch (outcome) {
                    case null -> is(EXTERNAL) ? "pending, external" : "pending";
                    case Outcome.Success<T> _ -> "completed";
                    case Outcome.Failure<T>(var error) -> "failed: " + Report.inWords(error);
                    case Outcome.Cancelled<T>(var why) -> "cancelled: " + why.reason();
                };
        Neglect made = neglect;
        return "Promise(" + state + ")" + (made == null ? "" : made.place());
    }
}
