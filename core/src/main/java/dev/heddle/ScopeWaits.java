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

    static void afterCancellation(ScopeNode node, ErrorHandler handler) {
        Coroutine<?> self = outside(node, "awaitAfterCancellation");
        if (!node.isCancelled()) {
            throw new IllegalStateException(
                    "awaitAfterCancellation of a scope that was neither cancelled nor disposed of: "
                            + node.info());
        }
        self.beforeSuspension();
        if (node.isGone()) {
            self.scheduler().spend(self);
            return;
        }
        node.errors.addWaiterForAll(handler);
        try {
            self.fiber().begin().on(node.gone);
            self.suspend();
        } finally {
            node.errors.removeWaiterForAll(handler);
        }
        self.throwIfInterrupted();
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
