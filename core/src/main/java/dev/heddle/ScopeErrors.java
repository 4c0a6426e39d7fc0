package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The errors of one scope: who gets them, and the first that nobody got.
///
/// **Thread:** loop.
final class ScopeErrors {
    private final ScopeNode scope;
    private @Nullable ErrorHandler onException;
    private @Nullable ErrorHandler onChildScopeException;

    // Of those who wait for everything to end, as long as they do.
    private final List<ZombieErrors> waitersForAll = new ArrayList<>(0);
    private @Nullable Throwable failure;

    ScopeErrors(ScopeNode scope) {
        this.scope = scope;
    }

    void onException(ErrorHandler handler) {
        onException = handler;
    }

    void onChildScopeException(ErrorHandler handler) {
        onChildScopeException = handler;
    }

    void addWaiterForAll(ZombieErrors waiter) {
        waitersForAll.add(waiter);
    }

    void removeWaiterForAll(ZombieErrors waiter) {
        waitersForAll.remove(waiter);
    }

    /// {@return what the scope was cancelled for, with later ones suppressed onto it}
    @Nullable Throwable failure() {
        return failure;
    }

    /// A coroutine of this scope has ended by `error`.
    ///
    /// @param wasObserved whether somebody has, had or will have a look at its failure
    void endedBy(Throwable error, Coroutine<?> coroutine, boolean wasObserved) {
        if (coroutine.isLeftBehind() && tellWaitersForAll(error, coroutine)) {
            coroutine.failureRead();
        } else if (wasObserved) {
            scope.scheduler.lifecycle.observedFailure(coroutine, error);
        } else {
            route(error, coroutine);
        }
    }

    /// {@return whether somebody waits for the end of everything in this scope or an outer one}
    private boolean tellWaitersForAll(Throwable error, ErrorSource source) {
        for (ScopeNode node = scope; node != null; node = node.parent) {
            if (node.errors.callWaitersForAll(error, source)) {
                return true;
            }
        }
        return false;
    }

    private boolean callWaitersForAll(Throwable error, ErrorSource source) {
        for (ZombieErrors waiter : List.copyOf(waitersForAll)) {
            waiter.add(error, source);
        }
        return !waitersForAll.isEmpty();
    }

    /// Finds who gets an error that nobody observes: a handler; else the scope is cancelled and its
    /// waiters get it; else the same with the parent, and at the top the program shuts down.
    void route(Throwable thrown, ErrorSource source) {
        Throwable error = thrown;
        ScopeNode home = scope.errorHome();
        for (ScopeNode node = home; node != null; node = node.parent) {
            ErrorHandler handler = node.errors.handlerFor(node == home);
            if (handler != null) {
                Throwable again = callOrThrown(handler, error, source);
                if (again == null) {
                    return;
                }
                error = again;
            }
            if (node.parent != null && node.errors.failWith(error, source)) {
                return;
            }
        }
        scope.scheduler.lifecycle.failed(error, source);
    }

    private @Nullable ErrorHandler handlerFor(boolean own) {
        return own || onChildScopeException == null ? onException : onChildScopeException;
    }

    /// {@return what the handler threw, with the error; null if it took it}
    static @Nullable Throwable callOrThrown(
            ErrorHandler handler, Throwable error, ErrorSource source) {
        try {
            handler.onError(error, source);
            return null;
        } catch (Throwable thrown) {
            Errors.suppress(thrown, error);
            return thrown;
        }
    }

    /// {@return whether somebody waits for this scope and gets the error}
    private boolean failWith(Throwable error, ErrorSource source) {
        failure = Errors.join(failure, error);
        scope.cancel("a coroutine failed: " + Report.inWords(error));
        if (scope.block != null) {
            // One that is over throws nothing any more: then it is the parent's.
            return scope.block.isUnderWay();
        }
        boolean told = scope.tellWaiters(error);
        return callWaitersForAll(error, source) || told;
    }
}
