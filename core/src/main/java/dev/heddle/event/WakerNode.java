package dev.heddle.event;

import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// A waker's place in the list of an event that it waits for.
///
/// **Thread:** loop.
final class WakerNode extends Callback<Object> {
    final Waker waker;
    @Nullable WakerNode sibling;
    @Nullable Event<?> target;
    Waker.@Nullable Reaction<?> reaction;
    Kind kind = Kind.RESOLVE;
    private boolean started;
    boolean owned;

    WakerNode(Waker waker) {
        this.waker = waker;
    }

    void begin() {
        Event<?> event = Objects.requireNonNull(target);
        event.markUsed();
        event.subscribe(this);
        if (isSubscribed()) {
            event.start();
            started = true;
        }
    }

    void end() {
        Event<?> event = target;
        if (event == null) {
            return;
        }
        if (isSubscribed()) {
            event.unsubscribe(this);
        }
        if (started) {
            started = false;
            event.stop();
        }
    }

    void forget() {
        if (owned && target != null) {
            target.release();
        }
        owned = false;
        target = null;
        reaction = null;
        sibling = null;
    }

    @Override
    protected void onEvent(Event<?> source, @Nullable Object value, @Nullable Throwable error) {
        switch (kind) {
            case RESOLVE -> waker.answer(source, value, error);
            case CUSTOM -> react(source, value, error);
            case TIMEOUT, TOKEN -> putOff(source, error);
        }
    }

    // Only `on` pairs an event with its reaction, and it checks their types.
    @SuppressWarnings("unchecked")
    private void react(Event<?> source, @Nullable Object value, @Nullable Throwable error) {
        ((Waker.Reaction<Object>) Objects.requireNonNull(reaction))
                .onEvent(waker, source, value, error);
    }

    private void putOff(Event<?> source, @Nullable Throwable reason) {
        var verdict = new Verdict(waker, kind, source, reason);
        if (isSubscribed() || started) {
            waker.loop().late(verdict);
        } else {
            // Replayed while the wait begins: nothing else has answered it.
            verdict.run();
        }
    }

    @Override
    protected void onDispose(Event<?> source) {
        started = false;
        waker.answer(
                source,
                null,
                new IllegalStateException("disposed of while awaited: " + source.info()));
    }

    /// How an event ends the wait.
    enum Kind {
        RESOLVE,
        CUSTOM,
        TIMEOUT,
        TOKEN;

        boolean isLate() {
            return this == TIMEOUT || this == TOKEN;
        }
    }

    /// A timeout or token that fired, applied when the turn's other callbacks have run. Only then
    /// is its exception made: the failure of a token that came too late was told to nobody.
    private static final class Verdict extends Task {
        private final Waker waker;
        private final Kind kind;
        private final int wait;
        private final Event<?> source;
        private final @Nullable Throwable reason;

        Verdict(Waker waker, Kind kind, Event<?> source, @Nullable Throwable reason) {
            this.waker = waker;
            this.kind = kind;
            this.wait = waker.waitNumber();
            this.source = source;
            this.reason = reason;
        }

        @Override
        protected void run() {
            if (waker.waitNumber() == wait && waker.state() == Waker.State.WAITING) {
                waker.answer(source, null, error());
            }
        }

        private Throwable error() {
            return kind == Kind.TIMEOUT
                    ? waker.timedOut(source)
                    : waker.cancelledBy(source, reason);
        }
    }
}
