package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;
import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/// Waiting for one thing.
///
/// **Thread:** loop (a coroutine).
final class Waits {
    private Waits() {}

    static <T> T await(Awaitable<? extends T> one) {
        return AwaitTrace.marked(waitFor(one, null, 0, false)).orThrow();
    }

    static <T> T await(Awaitable<? extends T> one, Duration timeout) {
        return AwaitTrace.marked(waitFor(one, null, Timer.nanosOf(timeout), true)).orThrow();
    }

    static <T> T await(Awaitable<? extends T> one, Token token) {
        Objects.requireNonNull(token, "token");
        return AwaitTrace.marked(waitFor(one, token, 0, false)).orThrow();
    }

    static <T, X extends Exception> T await(Awaitable<? extends T> one, Class<X> expected)
            throws X {
        Objects.requireNonNull(expected, "expected");
        return AwaitTrace.marked(waitFor(one, null, 0, false)).orThrow(expected);
    }

    @SuppressWarnings("unchecked") // An outcome only hands out what it holds.
    static <T> Outcome<T> awaitOutcome(Awaitable<? extends T> one) {
        return (Outcome<T>) waitFor(one, null, 0, false);
    }

    private static <T> Outcome<T> waitFor(
            Awaitable<T> one, @Nullable Token token, long timeoutNanos, boolean timed) {
        OutcomeEvent<T> event = event(one);
        Coroutine<?> self = Coroutine.current("await");
        ensureSameLoop(event, self);
        ensureNotSelf(event, self);
        if (token != null) {
            token.on(self.scheduler());
        }
        try {
            return event.peek() == null
                    ? suspendFor(event, self, token, timeoutNanos, timed)
                    : known(event, self, token);
        } catch (Throwable ended) {
            event.givenUp(ended);
            throw ended;
        }
    }

    private static <T> Outcome<T> known(
            OutcomeEvent<T> event, Coroutine<?> self, @Nullable Token token) {
        self.beforeSuspension();
        event.markUsed();
        if (token != null) {
            token.markUsed();
        }
        self.scheduler().spend(self);
        return Objects.requireNonNull(event.readOutcome());
    }

    private static <T> Outcome<T> suspendFor(
            OutcomeEvent<T> event,
            Coroutine<?> self,
            @Nullable Token token,
            long timeoutNanos,
            boolean timed) {
        Fiber fiber = self.fiber();
        fiber.begin().on(event, Waits::answerWithoutValue);
        if (timed) {
            fiber.onTimeout(fiber.timer(timeoutNanos));
        }
        if (token != null) {
            token.gather(fiber);
        }
        self.suspend();
        Outcome<T> end = fiber.isAnsweredBy(event) ? event.readOutcome() : null;
        if (end == null) {
            // Something else ended the wait, or it was disposed of.
            self.throwIfInterrupted();
            end = event.readOutcome();
        }
        return Objects.requireNonNull(end);
    }

    // The outcome is read from what was awaited. Its error is kept in the waker only because a
    // cancellation that comes before the coroutine runs replaces a value, but not an error.
    private static void answerWithoutValue(
            Waker waker, Event<?> source, @Nullable Object value, @Nullable Throwable error) {
        if (error != null && source instanceof OutcomeEvent<?> ended) {
            ended.failureRead();
        }
        waker.answer(source, null, error);
    }

    static <T> OutcomeEvent<T> event(Awaitable<T> one) {
        return switch (Objects.requireNonNull(one, "what to await")) {
            case Coroutine<T> coroutine -> coroutine;
            case Deferred<T> deferred -> deferred;
        };
    }

    static void ensureSameLoop(Event<?> event, Coroutine<?> self) {
        if (event.loop() != self.loop()) {
            throw new WrongLoopException(event.info(), event.loop(), self.loop());
        }
    }

    static void ensureNotSelf(Event<?> event, Coroutine<?> self) {
        if (event == self) {
            throw self.scheduler().deadlocks.selfAwait(self);
        }
    }

    /// Waits for nothing but time.
    static void delay(Duration duration) {
        long nanos = Timer.nanosOf(duration);
        if (nanos == 0) {
            suspend();
            return;
        }
        Coroutine<?> self = Coroutine.current("delay");
        Fiber fiber = self.fiber();
        fiber.begin();
        fiber.on(fiber.timer(nanos));
        self.suspend();
        self.throwIfInterrupted();
    }

    static void suspend() {
        Coroutine<?> self = Coroutine.current("suspend");
        if (self.scheduler().isQuiet()) {
            self.beforeSuspension();
            // Not for ever: in virtual time no time passes, and the loop could not even end.
            self.scheduler().spend(self);
        } else {
            self.letOthersRun();
        }
    }

    static void checkpoint() {
        Coroutine<?> self = Coroutine.current("checkpoint");
        self.beforeSuspension();
        if (self.scheduler().hasComputedForLong()) {
            self.letOthersRun();
        } else {
            self.scheduler().spend(self);
        }
    }

    /// {@return `error` as something that need not be declared}
    static RuntimeException unchecked(Throwable error) {
        if (error instanceof OperationCancelledException ended) {
            ended.thrownHere();
        }
        return switch (error) {
            case RuntimeException exception -> exception;
            case Error fatal -> throw fatal;
            default -> new CompletionException(Report.inWords(error), error);
        };
    }
}
