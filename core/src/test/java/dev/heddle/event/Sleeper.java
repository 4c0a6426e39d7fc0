package dev.heddle.event;

import dev.heddle.loop.Loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A waker without a coroutine: to park is to run the loop until it comes to this again.
///
/// **Thread:** loop.
final class Sleeper extends Waker {
    private static final Duration GUARD = Duration.ofSeconds(30);

    /// What is done between the answer and the moment the loop gets to the sleeper.
    Runnable whileQueued = () -> {};

    int parks;
    final List<State> states = new ArrayList<>();
    private final Loop loop;
    private boolean ran;

    Sleeper(Loop loop) {
        this.loop = loop;
    }

    /// {@return value or error, in words}
    String answer() {
        return error() == null ? ":" + result() : "!" + error().getMessage();
    }

    @Override
    protected void enqueue() {
        states.add(state());
        loop.enqueue(this);
        whileQueued.run();
    }

    @Override
    protected void run() {
        states.add(state());
        ran = true;
    }

    @Override
    protected void park() {
        parks++;
        states.add(state());
        ran = false;
        var guard = loop.timer(loop::stop).start(GUARD);
        try {
            loop.runUntil(() -> ran);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            guard.stop();
        }
        if (!ran) {
            throw new AssertionError("nobody wakes it; it waits for " + awaitingInfo());
        }
    }

    @Override
    protected Loop loop() {
        return loop;
    }

    @Override
    protected Throwable timedOut(Event<?> timeout) {
        return new IllegalStateException("timed out by " + timeout.info());
    }

    @Override
    protected Throwable cancelledBy(Event<?> token, Throwable reason) {
        return new IllegalStateException("cancelled by " + token.info(), reason);
    }
}
