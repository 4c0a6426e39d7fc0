package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.event.Event;
import dev.heddle.event.Waker;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Ends a wait before its time: the wait, not the work that is waited for. To end the work, see
/// [Heddle#within] or [Coroutine#cancel()].
///
/// Not an [Awaitable], so that it cannot be mistaken for one more thing to wait for.
///
/// **Thread:** loop (a coroutine).
public final class Token {
    private final List<Event<?>> events;

    private Token(List<Event<?>> events) {
        this.events = events;
    }

    /// {@return a token that fires `duration` from now}
    public static Token after(Duration duration) {
        long nanos = Timer.nanosOf(duration);
        var scheduler = Heddle.schedulerHere("Token.after");
        return new Token(List.of(new Deadline(scheduler.loop, nanos)));
    }

    /// {@return a token that fires when `done` has ended, however it did}
    public static Token when(Awaitable<?> done) {
        var event = Waits.event(done);
        if (event instanceof Deferred<?> deferred) {
            deferred.used();
        }
        return new Token(List.of(event));
    }

    /// {@return a token that fires when this or the other one does}
    public Token or(Token other) {
        var both = new ArrayList<>(events);
        both.addAll(Objects.requireNonNull(other, "token").events);
        return new Token(List.copyOf(both));
    }

    /// Adds it to the wait that is being gathered.
    void gather(Waker waker) {
        for (var event : events) {
            waker.onToken(event);
        }
    }

    /// Somebody had it for a wait that did not last: what it waits for had an awaiter.
    void markUsed() {
        events.forEach(Event::markUsed);
    }

    /// @throws WrongLoopException if it belongs to another loop
    Token on(Scheduler scheduler) {
        for (var event : events) {
            if (event.loop() != scheduler.loop) {
                throw new WrongLoopException(toString(), event.loop(), scheduler.loop);
            }
        }
        return this;
    }

    static OperationCancelledException verdict(Event<?> fired, @Nullable Throwable reason) {
        if (fired instanceof OutcomeEvent<?> done) {
            // The program sees its failure, as the cause.
            done.readOutcome();
        }
        boolean timedOut = fired instanceof Deadline;
        String what = timedOut ? "no result within " : "the wait was ended by ";
        return OperationCancelledException.onLoop(what + fired.info(), reason, timedOut);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("Token(");
        events.forEach(event -> text.append(text.length() == 6 ? "" : " or ").append(event.info()));
        return text.append(')').toString();
    }

    /// A moment in time. Its timer runs only while somebody waits, so a token that is dropped
    /// leaves nothing behind.
    private static final class Deadline extends Event<Void> {
        private final Loop loop;
        private final Timer timer;
        private final long nanos;
        private final long at;

        Deadline(Loop loop, long nanos) {
            this.loop = loop;
            this.nanos = nanos;
            loop.updateNow();
            at = Timer.later(loop.now(), nanos);
            timer = loop.timer(this::pass);
        }

        private void pass() {
            if (!is(CLOSED)) {
                finish(null, null);
            }
        }

        @Override
        public void subscribe(Callback<? super Void> callback) {
            // Its timer does not run while nobody waits: the moment may have passed.
            if (!is(CLOSED) && at <= loop.now()) {
                pass();
            }
            super.subscribe(callback);
        }

        @Override
        protected void onStart() {
            timer.startAt(at);
        }

        @Override
        protected void onStop() {
            timer.stop();
        }

        @Override
        protected boolean replay(Callback<? super Void> callback) {
            tell(callback, null, null);
            return true;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public String info() {
            return Duration.ofNanos(nanos).toString();
        }
    }
}
