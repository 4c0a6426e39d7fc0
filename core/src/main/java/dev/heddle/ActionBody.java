package dev.heddle;

import java.util.concurrent.Callable;

/// An [Action] as the body of a coroutine. Not a lambda, so that messages can name the class that
/// the action was written in, and not ours.
///
/// **Thread:** immutable.
record ActionBody(Action action) implements Callable<Void> {
    @Override
    public Void call() throws Exception {
        action.run();
        return Heddle.value(null);
    }

    /// {@return the class to show for `body`}
    static Class<?> classOf(Callable<?> body) {
        return switch (body) {
            case ActionBody(var action) -> action.getClass();
            case Owned<?, ?> owned -> owned.shownClass();
            case Race<?>.Entrant entrant -> entrant.body.getClass();
            default -> body.getClass();
        };
    }
}
