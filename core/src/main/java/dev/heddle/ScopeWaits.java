package dev.heddle;

import java.util.Optional;

/// Waiting for scopes.
///
/// **Thread:** loop (a coroutine).
final class ScopeWaits {
    private ScopeWaits() {}

    static void completion(ScopeNode node, Optional<Token> token) {
        Coroutine<?> self = outside(node, "awaitCompletion");
        token.ifPresent(each -> each.on(self.scheduler()));
        self.beforeSuspension();
        if (node.isIdle()) {
            token.ifPresent(Token::markUsed);
            self.scheduler().spend(self);
            return;
        }
        var waker = self.fiber().begin().on(node);
        token.ifPresent(each -> each.gather(waker));
        self.suspend();
        self.throwIfInterrupted();
    }

    static void afterCancellation(
            ScopeNode node, Optional<ErrorHandler> handler, Optional<Token> token) {
        Coroutine<?> self = outside(node, "awaitAfterCancellation");
        if (!node.isCancelled()) {
            throw new IllegalStateException(
                    "awaitAfterCancellation of a scope that was neither cancelled nor disposed of: "
                            + node.info());
        }
        token.ifPresent(each -> each.on(self.scheduler()));
        self.beforeSuspension();
        if (node.isGone()) {
            self.scheduler().spend(self);
            return;
        }
        var errors = new ZombieErrors(handler.orElse(null));
        node.errors.addWaiterForAll(errors);
        Throwable ended = null;
        try {
            var waker = self.fiber().begin().on(node.gone);
            token.ifPresent(each -> each.gather(waker));
            self.suspend();
            self.throwIfInterrupted();
        } catch (Throwable thrown) {
            ended = thrown;
        } finally {
            node.errors.removeWaiterForAll(errors);
        }
        errors.throwWith(ended, node);
    }

    private static Coroutine<?> outside(ScopeNode node, String what) {
        Coroutine<?> self = Coroutine.current(what);
        if (self.scheduler() != node.scheduler) {
            throw new WrongLoopException(node.info(), node.loop(), self.loop());
        }
        if (self.home().isInside(node)) {
            throw new IllegalStateException(
                    what + " from inside: " + self.name() + " is in " + node.info());
        }
        return self;
    }
}
