package dev.heddle;

import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/// A set of coroutines that belong together, and of child scopes.
///
/// The structured form, for almost everything: [#run] and [#call] wait for all children, cancel
/// them if one fails or the body leaves by an exception, and throw that failure.
///
/// The explicit form is for coroutines that outlive the block that spawned them. It is *safe* by
/// default: closing it does not cancel what has begun, which goes on as *zombies*, uncounted but
/// logged, until the program ends. See [#disposeAfterTimeout] for code that nobody trusts for ever.
///
/// **Thread:** loop; [#cancel], [#dispose] and its kin any.
public final class Scope implements ErrorSource, AutoCloseable {
    private final ScopeNode node;

    // Only held: who has a handle of a child has not lost the parent, whose loss would end both.
    @SuppressWarnings("UnusedVariable")
    private final @Nullable Scope parent;

    /// A safe scope of its own, below the program's: nobody else cancels it.
    public Scope() {
        this(newNode(), null);
        watch();
    }

    private static ScopeNode newNode() {
        return ScopeNode.explicit(Heddle.schedulerHere("new Scope()").root, true);
    }

    /// See [ScopeNode#handle].
    Scope(ScopeNode node, @Nullable Scope parent) {
        this.node = node;
        this.parent = parent;
    }

    private Scope watch() {
        node.handledBy(this);
        LostScopes.watch(this, node);
        return this;
    }

    /// {@return a scope below `parent`: it has the parent's flag, sees its context, and is
    /// cancelled with it}
    public static Scope inherit(Scope parent) {
        var above = Objects.requireNonNull(parent, "parent").here("Scope.inherit");
        return new Scope(ScopeNode.explicit(above, above.isSafe()), parent).watch();
    }

    /// {@return the scope that [Heddle#spawn] puts coroutines into here}
    public static Scope current() {
        return Coroutine.current("Scope.current()").scopeNow.handle();
    }

    /// Runs `body` and returns what it returns, when all coroutines that were spawned in the scope
    /// have ended. Inside it, [Heddle#spawn] means this scope.
    ///
    /// The first failure of a child, or leaving the body by an exception, cancels the rest; then
    /// that is thrown: a checked one of a child as the cause of a `CompletionException`, one of the
    /// body as itself. After [#cancel] the call returns normally if the body came to its end, and
    /// throws [OperationCancelledException] if it was cut short.
    public static <T, X extends Exception> T call(Fn<? super Scope, ? extends T, X> body) throws X {
        return Structured.call(body);
    }

    /// [#call] without a result.
    public static <X extends Exception> void run(VoidFn<? super Scope, X> body) throws X {
        Objects.requireNonNull(body, "body");
        Structured.<Boolean, X>call(
                scope -> {
                    body.accept(scope);
                    return true;
                });
    }

    /// [#run], but a child that fails cancels nobody: `handler` gets the failure, and the others go
    /// on. What the handler throws, and what the body throws, ends the block as in [#run].
    ///
    /// ```java
    /// Scope.supervise((error, who) -> log(who.name() + " failed", error), scope -> {
    ///     for (var connection : connections) {
    ///         scope.spawn(() -> serve(connection));
    ///     }
    /// });
    /// ```
    ///
    /// A child that somebody awaits tells its failure to that one alone, as everywhere.
    public static <X extends Exception> void supervise(
            ErrorHandler handler, VoidFn<? super Scope, X> body) throws X {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(body, "body");
        Structured.<Boolean, X>call(
                scope -> {
                    body.accept(scope);
                    return true;
                },
                handler);
    }

    /// Clears the safe flag: closing and cancelling really cancel.
    public Scope asNotSafely() {
        here("asNotSafely").safe(false);
        return this;
    }

    /// Sets the safe flag: closing and cancelling turn into zombies what has begun.
    public Scope asSafely() {
        here("asSafely").safe(true);
        return this;
    }

    /// Lets [#close] cancel what is left after `duration`, as [#disposeAfterTimeout] does.
    public Scope closeAfter(Duration duration) {
        here("closeAfter").closeAfter(Timer.nanosOf(duration));
        return this;
    }

    public Scope named(String name) {
        Objects.requireNonNull(name, "name");
        here("named").name(name);
        return this;
    }

    /// Starts a coroutine in this scope.
    ///
    /// @throws IllegalStateException if the scope is closed; unless it is being cancelled, and the
    ///   caller is one of its coroutines that cleans up
    public <T> Coroutine<T> spawn(Callable<? extends T> body) {
        return Heddle.spawnIn(node, null, body);
    }

    /// [#spawn(Callable)] with a name.
    public <T> Coroutine<T> spawn(String name, Callable<? extends T> body) {
        return Heddle.spawnIn(node, Objects.requireNonNull(name, "name"), body);
    }

    /// [#spawn(Callable)] without a result.
    public Coroutine<Void> spawn(Action body) {
        return Heddle.spawnIn(node, null, Heddle.callable(body));
    }

    /// [#spawn(Action)] with a name.
    public Coroutine<Void> spawn(String name, Action body) {
        return Heddle.spawnIn(node, Objects.requireNonNull(name, "name"), Heddle.callable(body));
    }

    /// Starts a coroutine in this scope that owns `resource`, as [Heddle#spawn(AutoCloseable,
    /// VoidFn)] does: it is closed, once, whatever happens, also if this scope is closed and takes
    /// no coroutine.
    public <R extends AutoCloseable> Coroutine<Void> spawn(R resource, VoidFn<? super R, ?> body) {
        return Owned.run(node, null, resource, body);
    }

    /// [#spawn(AutoCloseable, VoidFn)] with a name.
    public <R extends AutoCloseable> Coroutine<Void> spawn(
            String name, R resource, VoidFn<? super R, ?> body) {
        return Owned.run(node, Owned.named(name, resource), resource, body);
    }

    /// [#spawn(AutoCloseable, VoidFn)] with a result.
    public <R extends AutoCloseable, T> Coroutine<T> spawnCall(
            R resource, Fn<? super R, ? extends T, ?> body) {
        return Owned.call(node, null, resource, body);
    }

    /// [#spawnCall(AutoCloseable, Fn)] with a name.
    public <R extends AutoCloseable, T> Coroutine<T> spawnCall(
            String name, R resource, Fn<? super R, ? extends T, ?> body) {
        return Owned.call(node, Owned.named(name, resource), resource, body);
    }

    /// Starts a coroutine that serves the others in this block, a ticker or a progress bar say:
    /// when all others have ended it is cancelled, and the block waits for that. What it spawns
    /// itself are daemons too. Its failure is one like any other.
    ///
    /// @throws IllegalStateException if this is not the scope of [#run], [#call] or [#supervise],
    ///   or is closed
    public Coroutine<Void> spawnDaemon(Action body) {
        return Heddle.spawnIn(daemons(), null, Heddle.callable(body));
    }

    /// [#spawnDaemon(Action)] with a name.
    public Coroutine<Void> spawnDaemon(String name, Action body) {
        Objects.requireNonNull(name, "name");
        return Heddle.spawnIn(daemons(), name, Heddle.callable(body));
    }

    private ScopeNode daemons() {
        here("spawnDaemon");
        Block block = node.block;
        if (block == null) {
            throw new IllegalStateException(
                    "daemons belong to a block, which knows when the others have ended: use"
                            + " Scope.run, not "
                            + info());
        }
        // One that is closed says so, or takes it from clean-up, as for any coroutine.
        return node.isClosed() ? node : block.daemons(node);
    }

    // ---- ending; all of these close the scope for new coroutines, and none of them waits ----

    /// [#disposeSafely] if the scope is safe, [#dispose] if it is not.
    public void cancel(String reason) {
        Objects.requireNonNull(reason, "reason");
        node.scheduler.onLoop(() -> node.cancel(reason));
    }

    public void cancel() {
        cancel("scope cancelled");
    }

    /// Cancels everything in it, zombies too. A structured scope's body is part of it.
    public void dispose() {
        node.scheduler.onLoop(() -> node.dispose("scope disposed of"));
    }

    /// Turns what has begun into zombies; what has not begun never runs. A zombie that is in a
    /// block, `Scope.run` or `mapEach` say, goes on with all of it, also with what has not begun
    /// there. A structured scope has no zombies and still waits for what has begun.
    public void disposeSafely() {
        node.scheduler.onLoop(() -> node.disposeSafely("scope disposed of safely"));
    }

    /// Cancels, after `duration`, what is left then, zombies too. Until then its coroutines go on:
    /// as zombies if the scope is safe. Of several calls the earliest time counts.
    public void disposeAfterTimeout(Duration duration) {
        long nanos = Timer.nanosOf(duration);
        node.scheduler.onLoop(
                () -> node.disposeAfter(nanos, "scope disposed of after " + duration));
    }

    /// Ends the scope as its flag says, or as [#closeAfter] said. Idempotent, and never waits.
    @Override
    public void close() {
        node.scheduler.onLoop(() -> node.close("scope closed"));
    }

    // ---- waiting ----

    /// Waits until nothing active is left in it; zombies are not waited for.
    ///
    /// @throws IllegalStateException if the caller itself is in the scope, and would wait for
    ///   itself
    public void awaitCompletion() {
        ScopeWaits.completion(node, Optional.empty());
    }

    /// [#awaitCompletion()], but only until the token fires.
    ///
    /// @throws OperationCancelledException when the token fires; the scope goes on
    public void awaitCompletion(Token token) {
        ScopeWaits.completion(node, given(token));
    }

    /// Waits until everything in it has ended, zombies too, and then throws what failed meanwhile;
    /// several failures as one [CompositeException].
    ///
    /// @throws IllegalStateException if the scope was not cancelled or disposed of, or the caller
    ///   is in it
    public void awaitAfterCancellation() {
        ScopeWaits.afterCancellation(node, Optional.empty(), Optional.empty());
    }

    /// [#awaitAfterCancellation()], but only until the token fires.
    ///
    /// @throws OperationCancelledException when the token fires; the scope goes on
    public void awaitAfterCancellation(Token token) {
        ScopeWaits.afterCancellation(node, Optional.empty(), given(token));
    }

    /// Waits until everything in it has ended, zombies too.
    ///
    /// @param handler gets the errors of zombies; what it throws is thrown when the wait ends
    /// @throws IllegalStateException if the scope was not cancelled or disposed of, or the caller
    ///   is in it
    public void awaitAfterCancellation(ErrorHandler handler) {
        ScopeWaits.afterCancellation(node, given(handler), Optional.empty());
    }

    /// [#awaitAfterCancellation(ErrorHandler)], but only until the token fires.
    ///
    /// @throws OperationCancelledException when the token fires; the scope goes on
    public void awaitAfterCancellation(Token token, ErrorHandler handler) {
        ScopeWaits.afterCancellation(node, given(handler), given(token));
    }

    private static Optional<Token> given(Token token) {
        return Optional.of(Objects.requireNonNull(token, "token"));
    }

    private static Optional<ErrorHandler> given(ErrorHandler handler) {
        return Optional.of(Objects.requireNonNull(handler, "handler"));
    }

    // ---- errors ----

    /// Takes the failures of its coroutines that nobody observes; then they cancel nothing.
    public Scope onException(ErrorHandler handler) {
        Objects.requireNonNull(handler, "handler");
        here("onException").errors.onException(handler);
        return this;
    }

    /// Takes the failures that child scopes pass up.
    public Scope onChildScopeException(ErrorHandler handler) {
        Objects.requireNonNull(handler, "handler");
        here("onChildScopeException").errors.onChildScopeException(handler);
        return this;
    }

    /// Calls `handler` when the scope is closed and everything in it has ended; soon, if that is so
    /// already. Several are called in order, and all of them.
    public Scope onFinally(Consumer<? super Scope> handler) {
        Objects.requireNonNull(handler, "handler");
        here("onFinally").onFinally(handler);
        return this;
    }

    // ---- context ----

    /// Binds `key` for all coroutines in this scope and below.
    ///
    /// @throws IllegalStateException if it is bound here already
    public <T> Scope set(ContextKey<T> key, T value) {
        here("set").contextForWriting().set(key, value);
        return this;
    }

    /// Binds `key` anew.
    public <T> Scope replace(ContextKey<T> key, T value) {
        here("replace").contextForWriting().replace(key, value);
        return this;
    }

    // ---- asking ----

    /// {@return how many coroutines in it and below are neither zombies nor ended}
    public int active() {
        return node.active();
    }

    public int zombies() {
        return node.zombies();
    }

    public boolean isSafe() {
        return node.isSafe();
    }

    public boolean isClosed() {
        return node.isClosed();
    }

    /// {@return whether it is closed and everything in it has ended}
    public boolean isFinished() {
        return node.isFinished();
    }

    public boolean isCancelled() {
        return node.isCancelled();
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public Scope scope() {
        return this;
    }

    @Override
    public String info() {
        return node.info();
    }

    // What changes a scope belongs to its loop, except what ends it.
    private ScopeNode here(String what) {
        node.scheduler.ensureHere(what);
        return node;
    }

    ScopeNode node() {
        return node;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Scope scope && scope.node == node;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(node.id);
    }

    @Override
    public String toString() {
        return info();
    }
}
