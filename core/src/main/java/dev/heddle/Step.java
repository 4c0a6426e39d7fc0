package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.event.Event;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// From one deferred to the next: what `map` and its kin hang on a result.
///
/// The function runs in a task of its own, never inside the call that completes the promise: there
/// it would run in the completing coroutine, could suspend that in the middle of telling others,
/// and a long chain would need a deep stack. Where it runs there is no coroutine, so whatever waits
/// is refused.
///
/// **Thread:** loop.
final class Step<A, R> extends Callback<A> {
    private final Deferred<A> from;
    private final Deferred<R> to;
    private final Fn<? super Outcome<A>, Outcome<R>, ?> function;

    private Step(Deferred<A> from, Deferred<R> to, Fn<? super Outcome<A>, Outcome<R>, ?> function) {
        this.from = from;
        this.to = to;
        this.function = function;
    }

    /// {@return what `function` makes of the outcome of `from`; what it throws is a failure}
    static <A, R> Deferred<R> after(
            Deferred<A> from, Fn<? super Outcome<A>, Outcome<R>, ?> function) {
        Deferred<R> to = from.next();
        from.subscribe(new Step<>(from, to, function));
        return to;
    }

    @Override
    protected void onEvent(
            Event<? extends A> source, @Nullable A value, @Nullable Throwable error) {
        Outcome<A> end = Objects.requireNonNull(from.peek());
        from.scheduler().soon(() -> take(end));
    }

    private void take(Outcome<A> end) {
        Outcome<R> result;
        try {
            result = function.apply(end);
        } catch (Throwable thrown) {
            result = new Outcome.Failure<>(thrown);
        }
        to.settle(result);
    }

    @Override
    protected void onDispose(Event<?> source) {
        to.settle(
                new Outcome.Failure<>(
                        new IllegalStateException("disposed of while awaited: " + source.info())));
    }

    // ---- the functions ----

    static <A, R> Outcome<R> map(
            Outcome<A> end, Fn<? super A, ? extends R, ? extends Exception> function)
            throws Exception {
        return switch (end) {
            case Outcome.Success<A>(var value) -> new Outcome.Success<>(function.apply(value));
            case Outcome.Failure<A>(var error) -> new Outcome.Failure<>(error);
            case Outcome.Cancelled<A>(var why) -> new Outcome.Cancelled<>(why);
        };
    }

    static <A> Outcome<A> recover(
            Outcome<A> end, Fn<? super Throwable, ? extends A, ? extends Exception> function) {
        if (!(end instanceof Outcome.Failure<A>(var error))) {
            return end;
        }
        try {
            return new Outcome.Success<>(function.apply(error));
        } catch (Throwable thrown) {
            // As in a catch block, what is thrown there is what counts; but the first is not lost.
            if (thrown != error && thrown.getCause() != error) {
                thrown.addSuppressed(error);
            }
            return new Outcome.Failure<>(thrown);
        }
    }

    static <A> Outcome<A> onFinally(Outcome<A> end, Action body) {
        try {
            body.run();
            return end;
        } catch (Throwable thrown) {
            return switch (end) {
                case Outcome.Success<A> _ -> new Outcome.Failure<>(thrown);
                case Outcome.Failure<A>(var first) -> {
                    Errors.suppress(first, thrown);
                    yield end;
                }
                // As in a coroutine that fails while it cleans up.
                case Outcome.Cancelled<A>(var why) -> {
                    Errors.suppress(thrown, why);
                    yield new Outcome.Failure<>(thrown);
                }
            };
        }
    }
}
