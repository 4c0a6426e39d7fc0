package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import org.jspecify.annotations.Nullable;

import java.util.List;
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
        boolean mine = thrown != null && frame.isMine(thrown);
        boolean failedBefore = node.errors.failure() != null;
        host.scopeNow = outer;
        node.hostedBy(null);
        frame.leave();
        if (thrown != null) {
            node.dispose("its scope was left by " + Report.inWords(thrown));
        }
        thrown = join(host, node, thrown);
        node.endBlock();
        Throwable result =
                mine
                        ? cutOff(node, Objects.requireNonNull(thrown))
                        : verdict(node.errors.failure(), failedBefore, thrown);
        if (result != null) {
            throw Structured.<X>asDeclared(result);
        }
        return Heddle.value(value);
    }

    // Children are waited for whatever happens. Once they are cancelled, a shield keeps further
    // cancellations of the host out: they would change nothing here, and stay due.
    private static @Nullable Throwable join(
            Coroutine<?> host, ScopeNode node, @Nullable Throwable left) {
        Throwable thrown = left;
        if (thrown == null) {
            try {
                awaitAll(host, node);
                return null;
            } catch (Throwable interrupted) {
                thrown = interrupted;
                node.dispose("the scope's owner was ended by " + Report.inWords(interrupted));
            }
        }
        var shield = new Frame(host, true);
        while (!node.isIdle()) {
            awaitWhatever(host, node);
        }
        shield.leave();
        return thrown;
    }

    private static void awaitAll(Coroutine<?> host, ScopeNode node) {
        while (!node.isIdle()) {
            await(host, node);
        }
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

    /// {@return what the call throws after the body was cut off by this scope's own cancellation:
    /// the failure that was the reason, if there was one}
    private static Throwable cutOff(ScopeNode node, Throwable thrown) {
        Throwable failure = node.errors.failure();
        return failure == null
                ? new OperationCancelledException(node.cancelReason(), thrown, false)
                : Waits.unchecked(failure);
    }

    /// {@return what the call throws: the first failure, with the others suppressed. But a
    /// cancellation that is not this scope's goes on its way}
    private static @Nullable Throwable verdict(
            @Nullable Throwable failure, boolean failedBefore, @Nullable Throwable thrown) {
        if (thrown == null || failure == null) {
            return thrown != null || failure == null ? thrown : Waits.unchecked(failure);
        }
        boolean childFirst = failedBefore && !(thrown instanceof Cancellation);
        Throwable first = childFirst ? failure : thrown;
        Throwable second = childFirst ? thrown : failure;
        if (first != second && !List.of(first.getSuppressed()).contains(second)) {
            first.addSuppressed(second);
        }
        return childFirst ? Waits.unchecked(first) : first;
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
