package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// A scope that is a block: it ends when everything in it has ended.
///
/// **Thread:** loop (a coroutine).
final class Structured {
    private Structured() {}

    static <T, X extends Exception> T call(Fn<? super Scope, ? extends T, X> body) throws X {
        Objects.requireNonNull(body, "body");
        Coroutine<?> host = Coroutine.current("Scope.run");
        ScopeNode outer = host.scopeNow;
        ScopeNode node = ScopeNode.structured(outer);
        Frame frame = new Frame(host, false);
        node.hostedBy(frame);
        host.scopeNow = node;
        T value = null;
        Throwable thrown = null;
        try {
            value = body.apply(node.handle());
        } catch (Throwable left) {
            thrown = left;
        }
        host.scopeNow = outer;
        frame.leave();
        if (thrown != null && !node.isCancelled()) {
            node.dispose("its scope was left by " + thrown);
        }
        thrown = join(host, node, thrown);
        node.closeQuietly();
        Throwable result = verdict(node, frame, thrown);
        if (result != null) {
            throw Structured.<X>asDeclared(result);
        }
        return Heddle.value(value);
    }

    // Children are waited for whatever happens. Once the host was cancelled itself, a shield keeps
    // further cancellations out: each would throw at once, and this would spin.
    private static @Nullable Throwable join(
            Coroutine<?> host, ScopeNode node, @Nullable Throwable before) {
        Throwable thrown = before;
        try {
            while (!node.isIdle()) {
                await(host, node);
            }
        } catch (Throwable interrupted) {
            thrown = merge(thrown, interrupted);
            node.dispose("the scope's owner was ended by " + interrupted);
            var shield = new Frame(host, true);
            while (!node.isIdle()) {
                awaitWhatever(host, node);
            }
            shield.leave();
        }
        return thrown;
    }

    private static void await(Coroutine<?> host, ScopeNode node) {
        host.fiber().begin().on(node, (waker, source, _, _) -> answerIfIdle(waker, source, node));
        host.suspend();
        host.throwIfInterrupted();
    }

    private static void answerIfIdle(Waker waker, Event<?> source, ScopeNode node) {
        if (node.isIdle()) {
            waker.answer(source, null, null);
        }
    }

    // Only a deadlock reaches through the shield; the children get it too.
    private static void awaitWhatever(Coroutine<?> host, ScopeNode node) {
        try {
            await(host, node);
        } catch (DeadlockError | Cancellation forced) {
            node.dispose("the scope's owner was ended by " + forced);
        }
    }

    private static Throwable merge(@Nullable Throwable first, Throwable next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }

    /// {@return what the call throws: the body's own error first, else the first failure of a
    /// child}
    private static @Nullable Throwable verdict(
            ScopeNode node, Frame frame, @Nullable Throwable thrown) {
        Throwable failure = node.failure();
        if (thrown == null) {
            return failure == null ? null : Waits.unchecked(failure);
        }
        if (frame.isMine(thrown)) {
            String reason = Objects.requireNonNull(frame.request()).reason;
            return failure == null
                    ? new OperationCancelledException(reason, thrown, false)
                    : Waits.unchecked(failure);
        }
        if (failure != null && failure != thrown) {
            thrown.addSuppressed(failure);
        }
        return thrown;
    }

    // What the body threw is an X or unchecked; what a child threw was made unchecked.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Exception> X asDeclared(Throwable result) {
        if (result instanceof Error error) {
            throw error;
        }
        return (X) result;
    }
}
