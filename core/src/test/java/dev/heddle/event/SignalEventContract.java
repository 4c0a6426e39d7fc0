package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.Embedder;
import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.reactor.Backend;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// What a [SignalEvent] promises, on every backend.
///
/// The JVM hands a signal on some time after it was sent, so every claim that nobody is told is
/// made beside an event that is.
///
/// **Thread:** owner (the test runner).
abstract class SignalEventContract extends EventTestCase {
    private static final int WINCH = 28; // the same number everywhere, and harmless

    SignalEventContract(Backend backend) {
        super(backend);
    }

    @Test
    void itFiresWithTheSignalsNameAgainAndAgain() throws IOException {
        var signal = new SignalEvent(loop, "WINCH");
        signal.subscribe(this.<String>noting("s"));
        signal.start();

        raiseAndAwait(1);
        raiseAndAwait(2);

        assertTrail("s:WINCH", "s:WINCH");
        signal.dispose();
    }

    @Test
    void everyStartedEventIsToldAndNoOther() throws IOException {
        var first = event("first");
        var second = event("second");
        var stopped = event("stopped");
        List.of(first, stopped, second).forEach(Event::start);
        stopped.stop();

        raiseAndAwait(2);

        assertTrail("first:WINCH", "second:WINCH");
        List.of(first, second, stopped).forEach(Event::dispose);
    }

    @Test
    void aWaitEndsWithTheSignal() {
        var signal = new SignalEvent(loop, "WINCH");
        var sleeper = new Sleeper(loop);
        if (isSimulated()) {
            sim.holdTimeWhile(() -> true);
        }
        loop.post(() -> Libc.signal(WINCH));

        sleeper.begin().on(signal).suspend();

        assertEquals(":WINCH", sleeper.answer());
        assertFalse(loop.alive(), "it is stopped");
        signal.dispose();
    }

    @Test
    void itKeepsTheLoopAliveWhileStartedUnlessHidden() {
        var signal = new SignalEvent(loop, "WINCH");
        assertFalse(loop.alive());
        signal.start();
        assertTrue(loop.alive());
        signal.stop();
        assertFalse(loop.alive());
        signal.dispose();

        var hidden = new SignalEvent(loop, "WINCH");
        hidden.hide();
        hidden.start();
        assertFalse(loop.alive());
        hidden.dispose();
    }

    @Test
    void aSignalThatCannotBeWatchedIsRefusedAtOnce() {
        assertThrows(IllegalArgumentException.class, () -> new SignalEvent(loop, "KILL"));
        assertThrows(IllegalArgumentException.class, () -> new SignalEvent(loop, "NOSUCH"));
    }

    // The table of signals has a lock that a coroutine must not wait for.
    @Test
    void aCoroutineLeavesTheTableOfSignalsToTheLoopsThread() throws Exception {
        var carried = new AtomicReference<Thread>();
        var own =
                Loop.open(LoopOptions.defaults().backend(Backend.SIM).embedder(carrying(carried)));
        var signal = new SignalEvent(own, "WINCH");

        inCoroutine(carried, signal::start);
        assertEquals(0, started(own), "not yet");
        own.runNowait();
        assertEquals(1, started(own));

        inCoroutine(carried, signal::stop);
        inCoroutine(carried, signal::start);
        inCoroutine(carried, signal::stop);
        assertEquals(1, started(own), "not yet");
        own.runNowait();
        assertEquals(0, started(own));
        signal.dispose();
        own.close();
    }

    @Test
    void itsNameIsInItsInfo() {
        var signal = new SignalEvent(loop, "INT");
        assertEquals("Signal(INT)", signal.info());
        assertEquals("INT", signal.signal());
        signal.dispose();
    }

    private SignalEvent event(String name) {
        var signal = new SignalEvent(loop, "WINCH");
        signal.subscribe(this.<String>noting(name));
        return signal;
    }

    private void raiseAndAwait(int notes) throws IOException {
        Libc.signal(WINCH);
        runUntil(() -> trail.size() >= notes);
    }

    // The loop of this thread stands still meanwhile, as a carrier's does.
    private static void inCoroutine(AtomicReference<Thread> carried, Runnable body)
            throws InterruptedException {
        var coroutine = Thread.ofVirtual().unstarted(body);
        carried.set(coroutine);
        coroutine.start();
        coroutine.join();
    }

    private static Embedder carrying(AtomicReference<Thread> carried) {
        return new Embedder() {
            @Override
            public boolean carries(Thread current) {
                return carried.get() == current;
            }
        };
    }

    private static int started(Loop own) {
        var count = new int[1];
        own.walk(_ -> count[0]++);
        return count[0];
    }
}
