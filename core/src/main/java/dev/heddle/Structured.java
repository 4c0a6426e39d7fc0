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
        return call(body, null);
    }

    /// @param supervisor takes the failures of children, which then cancel nobody; null if a
    ///   failure fails the block
    static <T, X extends Exception> T call(
            Fn<? super Scope, ? extends T, X> body, @Nullable ErrorHandler supervisor) throws X {
        Objects.requireNonNull(body, "body");
        Coroutine<?> host = Coroutine.current("Scope.run");
        ScopeNode outer = host.scopeNow;
        ScopeNode node = ScopeNode.block(host);
        Block block = Objects.requireNonNull(node.block);
        if (supervisor != null) {
            node.errors.onException(supervisor);
        }
        T value = null;
        Throwable result;
        try {
            var frame = new Frame(host, false);
            block.begins(frame);
            host.scopeNow = node;
            Throwable thrown = null;
            try {
                value = body.apply(node.handle());
            } catch (Throwable left) {
                thrown = host.asCancellation(left);
            }
            boolean mine = thrown != null && frame.isMine(thrown);
            boolean failedBefore = node.errors.failure() != null;
            block.bodyEnded();
            frame.leave();
            if (mine) {
                frame.leftByItsOwn();
            }
            if (thrown != null) {
                node.dispose("its scope was left by " + Report.inWords(thrown));
            }
            thrown = join(host, node, block, thrown);
            result =
                    mine
                            ? cutOff(node, Objects.requireNonNull(thrown))
                            : verdict(node.errors.failure(), failedBefore, thrown);
        } finally {
            host.scopeNow = outer;
            node.endBlock(block);
        }
        if (result != null) {
            throw Structured.<X>asDeclared(result);
        }
        return Heddle.value(value);
    }

    // Children are waited for whatever happens. Once they are cancelled, a shield keeps further
    // cancellations of the host out: they would change nothing here, and stay due.
    private static @Nullable Throwable join(
            Coroutine<?> host, ScopeNode node, Block block, @Nullable Throwable left) {
        Throwable thrown = left;
        if (thrown == null) {
            try {
                while (!node.isIdle() && !node.isLeftToDaemons()) {
                    await(host, node);
                }
                block.endDaemons();
                while (!node.isIdle()) {
                    await(host, node);
                }
                return null;
            } catch (Throwable interrupted) {
                thrown = interrupted;
                node.dispose("the scope's owner was ended by " + Report.inWords(interrupted));
            }
        }
        var shield = new Frame(host, true);
        try {
            while (!node.isIdle()) {
                awaitWhatever(host, node);
            }
        } finally {
            shield.leave();
        }
        return thrown;
    }

    // It is told of errors, too, which end nothing here.
    private static void await(Coroutine<?> host, ScopeNode node) {
        host.fiber().begin().on(node, (waker, source, _, _) -> answerIfDone(waker, source, node));
        host.suspend();
        host.throwIfInterrupted();
    }

    private static void answerIfDone(Waker waker, Event<?> source, ScopeNode node) {
        if (node.isIdle() || node.isLeftToDaemons()) {
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
        if (failure == null) {
            return new OperationCancelledException(node.cancelReason(), thrown, false);
        }
        if (thrown.getSuppressed().length > 0) {
            // What closing went wrong on its way.
            Errors.suppress(failure, thrown);
        }
        return Waits.unchecked(failure);
    }

    /// {@return what the call throws: the first failure, with the others suppressed. A failure is
    /// never hidden by a cancellation, also if that came first and is not this scope's}
    private static @Nullable Throwable verdict(
            @Nullable Throwable failure, boolean failedBefore, @Nullable Throwable thrown) {
        if (thrown == null || failure == null) {
            return thrown != null || failure == null ? thrown : Waits.unchecked(failure);
        }
        Throwable winner =
                failedBefore ? Errors.weigh(failure, thrown) : Errors.weigh(thrown, failure);
        // What the body itself threw may be checked, and is declared.
        return winner == failure ? Waits.unchecked(failure) : winner;
    }

    // What the body threw is an X or unchecked; what a child threw was made unchecked.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <X extends Exception> X asDeclared(Throwable result) {
        if (result instanceof Error error) {
            throw error;
        }
        return (X) result;
    }
}
