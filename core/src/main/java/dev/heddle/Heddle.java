package dev.heddle;

import dev.heddle.loop.Loop;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Runs programs of coroutines, and is what they call: spawn, await, delay, and the rest.
///
/// Import its methods statically, except `run`, which reads better as `Heddle.run` and which a
/// class with a `run()` of its own would hide.
///
/// **Thread:** any for [#run], [#with], [#call], [#isOnLoop] and [#snapshots]; the loop for the
/// rest: what waits only in a coroutine, [#spawn] also in a callback.
public final class Heddle {
    // Over 500 lines because it is the one door: each operation stands here, in all its forms.

    private Heddle() {}

    // ---- running ----

    /// Runs `main` as the first coroutine of a loop, on the calling thread. Returns what it returns
    /// when no active coroutine is left, however they were spawned.
    ///
    /// Inside a coroutine it is [Scope#call]. On a virtual thread that is no coroutine, the loop
    /// gets a platform thread of its own.
    ///
    /// If the calling thread is interrupted meanwhile, the program is shut down gracefully, and
    /// ended at once by a second interrupt: `run` then comes back with the interrupt status set.
    /// One from before ends nothing, and is there afterwards.
    public static <T, X extends Exception> T run(Op<? extends T, X> main) throws X {
        return Running.call(HeddleOptions.DEFAULTS, main);
    }

    /// [#run(Op)] without a result.
    public static <X extends Exception> void run(VoidOp<X> main) throws X {
        Running.run(HeddleOptions.DEFAULTS, main);
    }

    /// {@return options to run with: `Heddle.with().debug().run(…)`}
    public static HeddleOptions with() {
        return HeddleOptions.DEFAULTS;
    }

    /// Ends the program gracefully: every coroutine is cancelled and may clean up. The second call
    /// ends it at once.
    public static void shutdown() {
        schedulerHere("shutdown").lifecycle.shutdown();
    }

    // ---- spawning ----

    /// Starts a coroutine in the current scope. It begins when the caller suspends, after those
    /// that are ready already.
    public static <T> Coroutine<T> spawn(Callable<? extends T> body) {
        return spawnHere(null, body);
    }

    /// [#spawn(Callable)] with a name.
    public static <T> Coroutine<T> spawn(String name, Callable<? extends T> body) {
        return spawnHere(Objects.requireNonNull(name, "name"), body);
    }

    /// [#spawn(Callable)] without a result.
    public static Coroutine<Void> spawn(Action body) {
        return spawnHere(null, callable(body));
    }

    /// [#spawn(Action)] with a name.
    public static Coroutine<Void> spawn(String name, Action body) {
        return spawnHere(Objects.requireNonNull(name, "name"), callable(body));
    }

    /// Starts a coroutine that owns `resource`: it is closed, once, whatever happens. Usually by
    /// the coroutine, when `body` has ended, in whatever way; a coroutine that is cancelled before
    /// it begins leaves out its body and closes only; and if the coroutine cannot be spawned, the
    /// caller closes, before that is thrown.
    ///
    /// So whatever is handed over belongs here: a plain `spawn(() -> serve(socket))` that is
    /// cancelled before it begins leaves the socket open.
    ///
    /// Closing may wait. A cancellation that comes meanwhile ends it only if it takes longer than
    /// the clean-up window. What it throws is the coroutine's failure, or is suppressed by the
    /// body's.
    public static <R extends AutoCloseable> Coroutine<Void> spawn(
            R resource, VoidFn<? super R, ?> body) {
        return Owned.run(null, null, resource, body);
    }

    /// [#spawn(AutoCloseable, VoidFn)] with a name.
    public static <R extends AutoCloseable> Coroutine<Void> spawn(
            String name, R resource, VoidFn<? super R, ?> body) {
        return Owned.run(null, Owned.named(name, resource), resource, body);
    }

    /// [#spawn(AutoCloseable, VoidFn)] with a result. A name of its own: of two methods that take a
    /// lambda with an argument, the compiler cannot tell which is meant by `s -> serve(s)`.
    public static <R extends AutoCloseable, T> Coroutine<T> spawnCall(
            R resource, Fn<? super R, ? extends T, ?> body) {
        return Owned.call(null, null, resource, body);
    }

    /// [#spawnCall(AutoCloseable, Fn)] with a name.
    public static <R extends AutoCloseable, T> Coroutine<T> spawnCall(
            String name, R resource, Fn<? super R, ? extends T, ?> body) {
        return Owned.call(null, Owned.named(name, resource), resource, body);
    }

    /// [#spawn(Callable)], with hooks around it.
    public static <T> Coroutine<T> spawnWith(SpawnStrategy strategy, Callable<? extends T> body) {
        Objects.requireNonNull(strategy, "strategy");
        Objects.requireNonNull(body, "body");
        Scope scope = strategy.scope().orElseGet(Heddle::scopeHere);
        strategy.before(scope);
        Coroutine<T> coroutine = spawnIn(scope.node(), null, body);
        strategy.after(coroutine, scope);
        return coroutine;
    }

    // ---- awaiting ----

    /// Waits until `one` has ended and returns its value; throws its failure, a checked one as the
    /// cause of a `CompletionException`.
    public static <T> T await(Awaitable<? extends T> one) {
        return Waits.await(one);
    }

    /// [#await(Awaitable)], but not for longer than `timeout`: what is awaited goes on.
    ///
    /// @throws OperationCancelledException when the time is over
    public static <T> T await(Awaitable<? extends T> one, Duration timeout) {
        return Waits.await(one, timeout);
    }

    /// [#await(Awaitable)], but only until the token fires: what is awaited goes on.
    ///
    /// @throws OperationCancelledException when the token fires
    public static <T> T await(Awaitable<? extends T> one, Token token) {
        return Waits.await(one, token);
    }

    /// [#await(Awaitable)], where a failure of this checked type arrives as itself.
    public static <T, X extends Exception> T await(Awaitable<? extends T> one, Class<X> expected)
            throws X {
        return Waits.await(one, expected);
    }

    /// Waits for a stage of some other library, which nobody else waits for: a cancellation of the
    /// wait, also by a limit, cancels the stage. Of a stage that others need too, await
    /// [Deferred#from].
    public static <T> T await(CompletionStage<? extends T> stage) {
        return Waits.await(Deferred.<T>owning(stage));
    }

    /// [#await(CompletionStage)], but not for longer than `timeout`: the stage goes on.
    ///
    /// @throws OperationCancelledException when the time is over
    public static <T> T await(CompletionStage<? extends T> stage, Duration timeout) {
        return Waits.await(Deferred.<T>owning(stage), timeout);
    }

    /// [#await(CompletionStage)], but only until the token fires: the stage goes on.
    ///
    /// @throws OperationCancelledException when the token fires
    public static <T> T await(CompletionStage<? extends T> stage, Token token) {
        return Waits.await(Deferred.<T>owning(stage), token);
    }

    /// Waits for all and returns their values in order. The first failure is thrown at once; the
    /// others go on.
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T> List<T> awaitAll(Awaitable<? extends T>... all) {
        return Gather.all(Arrays.asList(all), Optional.empty());
    }

    public static <T> List<T> awaitAll(Collection<? extends Awaitable<? extends T>> all) {
        return Gather.all(all, Optional.empty());
    }

    public static <T> List<T> awaitAll(
            Collection<? extends Awaitable<? extends T>> all, Token token) {
        return Gather.all(all, Optional.of(Objects.requireNonNull(token, "token")));
    }

    /// Waits until all have ended, and never throws their failures.
    public static <T> Results<T> awaitSettled(Collection<? extends Awaitable<? extends T>> all) {
        return Gather.settled(all, Optional.empty());
    }

    /// [#awaitSettled(Collection)], but only until the token fires: what there is by then is
    /// returned.
    public static <T> Results<T> awaitSettled(
            Collection<? extends Awaitable<? extends T>> all, Token token) {
        return Gather.settled(all, Optional.of(Objects.requireNonNull(token, "token")));
    }

    /// Waits for the first that ends, and returns its value or throws its failure. The others go
    /// on.
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T> T awaitAny(Awaitable<? extends T>... any) {
        return Gather.any(Arrays.asList(any), Optional.empty());
    }

    public static <T> T awaitAny(Collection<? extends Awaitable<? extends T>> any) {
        return Gather.any(any, Optional.empty());
    }

    /// [#awaitAny(Collection)], but only until the token fires.
    ///
    /// @throws OperationCancelledException when the token fires
    public static <T> T awaitAny(Collection<? extends Awaitable<? extends T>> any, Token token) {
        return Gather.any(any, Optional.of(Objects.requireNonNull(token, "token")));
    }

    /// Waits for the first that succeeds.
    ///
    /// @throws CompositeException if none does, with all failures; a single one as itself
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T> T awaitFirstSuccess(Awaitable<? extends T>... any) {
        return Gather.firstSuccess(Arrays.asList(any), Optional.empty());
    }

    public static <T> T awaitFirstSuccess(Collection<? extends Awaitable<? extends T>> any) {
        return Gather.firstSuccess(any, Optional.empty());
    }

    /// [#awaitFirstSuccess(Collection)], but only until the token fires.
    ///
    /// @throws OperationCancelledException when the token fires
    public static <T> T awaitFirstSuccess(
            Collection<? extends Awaitable<? extends T>> any, Token token) {
        return Gather.firstSuccess(any, Optional.of(Objects.requireNonNull(token, "token")));
    }

    /// Waits until `count` have succeeded, or all have ended.
    ///
    /// The results hold the first `count` successes and the failures that came before; the others
    /// count as pending, whether or not they have ended since, and go on.
    public static <T> Results<T> awaitAnyOf(
            int count, Collection<? extends Awaitable<? extends T>> any) {
        return Gather.anyOf(count, any, Optional.empty());
    }

    /// [#awaitAnyOf(int, Collection)], but only until the token fires: what there is by then is
    /// returned.
    public static <T> Results<T> awaitAnyOf(
            int count, Collection<? extends Awaitable<? extends T>> any, Token token) {
        return Gather.anyOf(count, any, Optional.of(Objects.requireNonNull(token, "token")));
    }

    /// Runs all bodies at once, each in a coroutine of its own, until the first has ended: its
    /// value is returned or its failure thrown, after the others were cancelled and have ended.
    ///
    /// What a loser throws while it cleans up is not lost: it is suppressed onto the failure that
    /// is thrown, or thrown itself if the winner had a value.
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T, X extends Exception> T race(Op<? extends T, X>... bodies) throws X {
        return Race.<T, X>run(Race.Goal.END, Arrays.asList(bodies), _ -> {});
    }

    /// [#race(Op...)] of as many as there are.
    public static <T, X extends Exception> T race(Collection<? extends Op<? extends T, X>> bodies)
            throws X {
        return Race.<T, X>run(Race.Goal.END, bodies, _ -> {});
    }

    /// [#race(Collection)] for values that have to be closed: each value that nobody receives, of a
    /// loser that was done in spite of its cancellation, or of the winner if the race throws, goes
    /// to `discard`.
    public static <T, X extends Exception> T race(
            Collection<? extends Op<? extends T, X>> bodies, Consumer<? super T> discard) throws X {
        return Race.<T, X>run(Race.Goal.END, bodies, discard);
    }

    /// [#race(Op...)], where the first success decides: failures before it are passed over.
    ///
    /// @throws CompositeException if none succeeds, with all failures; a single one as itself
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T, X extends Exception> T raceFirstSuccess(Op<? extends T, X>... bodies)
            throws X {
        return Race.<T, X>run(Race.Goal.SUCCESS, Arrays.asList(bodies), _ -> {});
    }

    /// [#raceFirstSuccess(Op...)] of as many as there are.
    public static <T, X extends Exception> T raceFirstSuccess(
            Collection<? extends Op<? extends T, X>> bodies) throws X {
        return Race.<T, X>run(Race.Goal.SUCCESS, bodies, _ -> {});
    }

    /// [#raceFirstSuccess(Collection)] for values that have to be closed, as [#race(Collection,
    /// Consumer)].
    public static <T, X extends Exception> T raceFirstSuccess(
            Collection<? extends Op<? extends T, X>> bodies, Consumer<? super T> discard) throws X {
        return Race.<T, X>run(Race.Goal.SUCCESS, bodies, discard);
    }

    /// Calls `body` for every item, at most `concurrency` at a time, each in a coroutine of its
    /// own. The first failure cancels the rest and is thrown. Items are asked for when there is
    /// room: they may be endless, and asking for one may wait.
    ///
    /// @throws OperationCancelledException if the coroutine of an item was cancelled by somebody
    public static <A, X extends Exception> void iterate(
            Iterable<? extends A> items, int concurrency, VoidFn<? super A, X> body) throws X {
        Each.iterate(items, concurrency, body);
    }

    /// [#iterate], and returns the results in the order of the items.
    public static <A, R, X extends Exception> List<R> mapEach(
            Iterable<? extends A> items, int concurrency, Fn<? super A, ? extends R, X> body)
            throws X {
        return Each.map(items, concurrency, body);
    }

    // ---- suspending ----

    /// Lets every coroutine that is ready run first.
    public static void suspend() {
        Waits.suspend();
    }

    /// Waits for `duration`; zero is [#suspend].
    public static void delay(Duration duration) {
        Waits.delay(duration);
    }

    /// For loops that compute: throws if a cancellation is due or a limit has passed, and lets the
    /// others run if this coroutine has had the loop for long, as [#suspend] does.
    ///
    /// Costs about as much as reading the clock; call it every some microseconds.
    public static void checkpoint() {
        Waits.checkpoint();
    }

    /// Runs `body` and cancels it when the time is over, but not what it spawned: coroutines
    /// outlive the limit, unless a scope inside holds them.
    ///
    /// ```java
    /// within(ofSeconds(1), () -> Scope.run(scope -> {
    ///     scope.spawn(() -> …); // ends with the limit
    /// }));
    /// ```
    ///
    /// Limits nest: the earliest ends its own body. The first suspension point after the limit has
    /// passed throws, also if the body computed all the time.
    ///
    /// @throws OperationCancelledException if it was cancelled by this limit
    public static <T, X extends Exception> T within(Duration limit, Op<? extends T, X> body)
            throws X {
        return Limits.within(limit, body);
    }

    /// [#within(Duration, Op)] without a result.
    public static <X extends Exception> void within(Duration limit, VoidOp<X> body) throws X {
        Objects.requireNonNull(body, "body");
        Limits.<Boolean, X>within(
                limit,
                () -> {
                    body.run();
                    return true;
                });
    }

    /// [#within(Duration, Op)], which returns what `fallback` returns if this limit ended the body.
    /// Another limit or a cancellation is thrown as usual.
    public static <T, X extends Exception> T withinOrElse(
            Duration limit, Op<? extends T, X> body, Op<? extends T, X> fallback) throws X {
        return Limits.<T, X>withinOrElse(limit, body, fallback);
    }

    /// [#withinOrElse(Duration, Op, Op)] without a result.
    public static <X extends Exception> void withinOrElse(
            Duration limit, VoidOp<X> body, VoidOp<X> fallback) throws X {
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(fallback, "fallback");
        Limits.<Boolean, X>withinOrElse(
                limit,
                () -> {
                    body.run();
                    return true;
                },
                () -> {
                    fallback.run();
                    return true;
                });
    }

    /// {@return the earliest limit around the caller, up to a shield: its own, and those around the
    /// blocks that it was spawned in}
    public static Optional<Deadline> deadline() {
        return Limits.deadline();
    }

    /// Runs `body` and lets no cancellation in: one that comes meanwhile is thrown at the end of
    /// the outermost `protect`. One that was asked for before and not seen yet is thrown on
    /// entering: so what must happen together belongs inside, not before a `protect` in `finally`.
    ///
    /// Coroutines of a [Scope#run] or [#mapEach] inside are protected too; what is spawned directly
    /// in it belongs to the scope outside, and is not.
    public static <T, X extends Exception> T protect(Op<? extends T, X> body) throws X {
        return Limits.protect(body, null);
    }

    /// [#protect(Op)] for a value that has to be closed: if the cancellation that was kept out is
    /// thrown at the end, the value goes to `discard`. What that throws is suppressed onto the
    /// cancellation.
    public static <T, X extends Exception> T protect(
            Op<? extends T, X> body, Consumer<? super T> discard) throws X {
        return Limits.protect(body, Objects.requireNonNull(discard, "discard"));
    }

    /// [#protect(Op)] without a result.
    public static <X extends Exception> void protect(VoidOp<X> body) throws X {
        Objects.requireNonNull(body, "body");
        Limits.<Boolean, X>protect(
                () -> {
                    body.run();
                    return true;
                },
                null);
    }

    /// Runs `body`, which may block or compute, on a worker thread, and waits for it.
    ///
    /// The body finds what the coroutine has around it: its scoped values, its context keys as they
    /// are now, and its context class loader.
    ///
    /// Cancelled before it began, it never runs. Afterwards the worker is interrupted, and the
    /// cancellation is thrown when the body has ended.
    public static <T, X extends Exception> T offload(Op<? extends T, X> body) throws X {
        return Limits.offload(null, body, null);
    }

    /// [#offload(Op)], where a cancellation does not wait for the body to end: its result goes to
    /// `discard`, on the loop.
    public static <T, X extends Exception> T offload(
            Op<? extends T, X> body, Consumer<? super T> discard) throws X {
        return Limits.offload(null, body, Objects.requireNonNull(discard, "discard"));
    }

    /// [#offload(Op)] without a result.
    public static <X extends Exception> void offload(VoidOp<X> body) throws X {
        Objects.requireNonNull(body, "body");
        Limits.<Boolean, X>offload(
                null,
                () -> {
                    body.run();
                    return true;
                },
                null);
    }

    /// [#offload(Op)] on threads of `pool` instead of the loop's workers.
    ///
    /// @throws java.util.concurrent.RejectedExecutionException if the pool refuses it
    public static <T, X extends Exception> T offload(Executor pool, Op<? extends T, X> body)
            throws X {
        return Limits.offload(Objects.requireNonNull(pool, "pool"), body, null);
    }

    /// [#offload(Executor, Op)] without a result.
    public static <X extends Exception> void offload(Executor pool, VoidOp<X> body) throws X {
        Objects.requireNonNull(body, "body");
        Limits.<Boolean, X>offload(
                Objects.requireNonNull(pool, "pool"),
                () -> {
                    body.run();
                    return true;
                },
                null);
    }

    // ---- from other threads ----

    /// Runs `body` as a coroutine of `loop`, in the program's own scope, and waits for it: for
    /// threads that are not on that loop. `coroutine.loop()` is the loop of a program that runs.
    ///
    /// If the waiting thread is interrupted, the coroutine is cancelled, and the interrupt is
    /// thrown when it has ended; a second interrupt is thrown at once. A body that returns or fails
    /// in spite of that is the answer, and the thread's flag stays set.
    ///
    /// @throws OperationCancelledException if the coroutine was cancelled by somebody else, the end
    ///   of the program for example
    /// @throws IllegalStateException on that loop itself, or if no program runs on it
    public static <T, X extends Exception> T call(Loop loop, Op<? extends T, X> body)
            throws X, InterruptedException {
        return Call.<T, X>run(loop, null, body);
    }

    /// [#call(Loop, Op)] without a result.
    public static <X extends Exception> void call(Loop loop, VoidOp<X> body)
            throws X, InterruptedException {
        Call.<Void, X>run(loop, null, Call.withoutResult(body));
    }

    /// [#call(Loop, Op)], where the coroutine is cancelled when the time is over: one that has not
    /// begun never does, another is waited for.
    ///
    /// @throws OperationCancelledException if it was cancelled by this limit
    public static <T, X extends Exception> T call(
            Loop loop, Duration timeout, Op<? extends T, X> body) throws X, InterruptedException {
        return Call.<T, X>run(loop, Objects.requireNonNull(timeout, "timeout"), body);
    }

    /// [#call(Loop, Duration, Op)] without a result.
    public static <X extends Exception> void call(Loop loop, Duration timeout, VoidOp<X> body)
            throws X, InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        Call.<Void, X>run(loop, timeout, Call.withoutResult(body));
    }

    // ---- asking ----

    /// {@return whether the caller is on a loop that runs coroutines: in a coroutine, or in a
    /// callback. Any thread; never throws}
    public static boolean isOnLoop() {
        return Schedulers.isHere();
    }

    /// {@return the coroutine that calls}
    public static Coroutine<?> current() {
        return Coroutine.current("current()");
    }

    /// {@return all coroutines of this loop that have not ended, zombies included, oldest first}
    public static List<Coroutine<?>> coroutines() {
        var all = new ArrayList<Coroutine<?>>();
        try (var cursor = schedulerHere("coroutines()").registry.cursor()) {
            for (var each = cursor.next(); each != null; each = cursor.next()) {
                all.add(each);
            }
        }
        return all;
    }

    /// {@return what goes on in this loop. Taken in pages: the others run in between}
    public static Snapshot snapshot() {
        return Snapshots.here();
    }

    /// {@return what goes on in every loop that runs coroutines in this JVM, as soon as each gets
    /// to it. Any thread}
    public static List<CompletableFuture<Snapshot>> snapshots() {
        return Schedulers.running().stream().map(Snapshots::ofLoop).toList();
    }

    /// {@return the stack of the coroutine of this loop that has this id; empty if it has not begun
    /// or has ended, or there is none}
    public static List<StackTraceElement> stackOf(long id) {
        try (var cursor = schedulerHere("stackOf()").registry.cursor()) {
            for (var each = cursor.next(); each != null; each = cursor.next()) {
                if (each.id() == id) {
                    return each.stack();
                }
            }
        }
        return List.of();
    }

    // ---- shared by this package ----

    static Scheduler schedulerHere(String what) {
        Coroutine<?> current = Schedulers.currentOrNull();
        if (current != null) {
            return current.scheduler();
        }
        Carrier.ensureReady();
        Scheduler here = Schedulers.here();
        if (here == null) {
            throw new IllegalStateException(
                    what
                            + " outside a loop, on "
                            + Thread.currentThread()
                            + ": call it inside Heddle.run(() -> …)");
        }
        return here;
    }

    static <T> Coroutine<T> spawnIn(
            ScopeNode scope, @Nullable String name, Callable<? extends T> body) {
        Objects.requireNonNull(body, "body");
        Scheduler here = schedulerHere("spawn");
        if (here != scope.scheduler) {
            throw new WrongLoopException(scope.info(), scope.loop(), here.loop);
        }
        return here.spawn(scope, name, body);
    }

    static <T> Coroutine<T> spawnHere(@Nullable String name, Callable<? extends T> body) {
        Objects.requireNonNull(body, "body");
        Coroutine<?> current = Schedulers.currentOrNull();
        if (current == null) {
            // In a callback of the loop: nobody's child.
            var scheduler = schedulerHere("spawn");
            return scheduler.spawn(scheduler.root, name, body);
        }
        return current.scheduler().spawn(current.scopeNow, name, body);
    }

    private static Scope scopeHere() {
        Coroutine<?> current = Schedulers.currentOrNull();
        return current == null ? schedulerHere("spawn").root.handle() : current.scopeNow.handle();
    }

    static Callable<Void> callable(Action body) {
        return new ActionBody(Objects.requireNonNull(body, "body"));
    }

    // The one hole in "no null": the value of a Void, and what a user's body returned.
    @SuppressWarnings("NullAway")
    static <T> T value(@Nullable T value) {
        return value;
    }

    @SuppressWarnings("NullAway")
    static <T> List<T> values(List<@Nullable T> values) {
        return values;
    }
}
