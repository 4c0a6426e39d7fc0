package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// How a loop runs and when it ends, on every backend.
///
/// Times are a tenth of those in the behaviours that the numbers name. Where time has to pass it
/// does so by the loop's own clock, which on the simulated backend costs nothing.
///
/// **Thread:** owner (the test runner).
abstract class LoopContract {
    private static final Duration TICK = Duration.ofMillis(10);
    private static final int TICKS = 10;

    @RegisterExtension final LoopFixture fixture;

    LoopContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    // L1
    @Test
    void aLoopIsAliveWhileATimerIsStarted() throws IOException {
        var loop = fixture.open();
        assertFalse(loop.alive(), "a new loop");

        loop.after(TICK, () -> {});
        assertTrue(loop.alive(), "a started timer");

        assertFalse(loop.run());
        assertFalse(loop.alive(), "the timer has fired");
    }

    // L1
    @Test
    void aLoopIsAliveWhileWorkIsUnderWay() throws IOException {
        var loop = fixture.open(options -> options.workers(fixture.workers(1, 1)));
        fixture.sim().holdTimeWhile(() -> loop.stats().work() > 0);
        var mayEnd = new CountDownLatch(1);
        var results = new ArrayList<Integer>();

        loop.submit(
                () -> {
                    mayEnd.await();
                    return 42;
                },
                (result, _) -> results.add(result));
        assertTrue(loop.alive(), "nothing but a piece of work");
        mayEnd.countDown();

        assertFalse(loop.run());
        assertFalse(loop.alive(), "its completion has run");
        assertEquals(List.of(42), results);
    }

    // L3
    @Test
    void stopInACallbackEndsTheRunAndTheNextRunGoesOn() throws IOException {
        var loop = fixture.open();
        var prepared = new AtomicInteger();
        var ticked = new AtomicInteger();
        var prepare = new Hook[1];
        prepare[0] =
                loop.onPrepare(
                        () -> {
                            if (prepared.incrementAndGet() == TICKS) {
                                prepare[0].stop();
                            }
                        });
        var timer = new Timer[1];
        timer[0] =
                loop.every(
                        TICK,
                        () -> {
                            if (ticked.incrementAndGet() == 1) {
                                loop.stop();
                            } else if (ticked.get() == TICKS) {
                                timer[0].stop();
                            }
                        });

        assertTrue(loop.run(), "stopped, so there is more to do");
        assertEquals(1, ticked.get());

        loop.runNowait();
        assertTrue(loop.alive());
        assertTrue(prepared.get() > 1, "the stop was consumed by the run that saw it");

        assertFalse(loop.run());
        assertEquals(TICKS, ticked.get());
        assertEquals(TICKS, prepared.get());
    }

    @Test
    void stopBeforeARunEndsTheNextRunOnly() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(() -> trail.add("task"));

        loop.stop();
        assertTrue(loop.run());
        assertEquals(List.of(), trail);

        assertFalse(loop.run());
        assertEquals(List.of("task"), trail);
    }

    @Test
    void stopLetsTheTurnEndFirst() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(
                () -> {
                    loop.stop();
                    loop.post(() -> trail.add("next turn"));
                });
        loop.post(() -> trail.add("same turn"));

        assertTrue(loop.run());
        assertEquals(List.of("same turn"), trail);
        loop.run();
    }

    @Test
    void stopFromAnotherThreadEndsARunThatWaits() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});
        fixture.outside(loop::stop);

        assertTrue(loop.run());
        far.stop();
    }

    // L5
    @Test
    void runOnceRunsExactlyOneTurn() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var idle = new Hook[1];
        idle[0] =
                loop.onIdle(
                        () -> {
                            if (calls.incrementAndGet() == 64) {
                                idle[0].stop();
                            }
                        });
        int turns = 0;
        while (loop.alive()) {
            loop.runOnce();
            turns++;
        }

        assertEquals(64, calls.get());
        assertEquals(64, turns);
    }

    // L6
    @Test
    void runNowaitDoesNotWaitForATimer() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.every(Duration.ofMinutes(1), calls::incrementAndGet);
        long before = fixture.nanos();

        assertEquals(0, loop.runNowait());

        assertTrue(fixture.nanos() - before < Duration.ofSeconds(30).toNanos());
        assertTrue(loop.alive());
        assertEquals(0, calls.get());
        timer.stop();
    }

    // L7
    @Test
    void runOnceWaitsUntilATimerFires() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.timer(calls::incrementAndGet).start(Duration.ZERO);

        assertEquals(1, loop.runOnce());
        assertEquals(1, calls.get());
        assertFalse(loop.alive());

        timer.start(Duration.ofMillis(1));
        assertEquals(1, loop.runOnce());
        assertEquals(2, calls.get());
        assertFalse(loop.alive());
    }

    @Test
    void runOnceWaitsNoLongerThanItsLimit() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});
        long before = fixture.nanos();

        assertEquals(0, loop.runOnce(TICK));

        long waited = fixture.nanos() - before;
        assertTrue(waited >= TICK.toNanos(), () -> "waited only " + waited + " ns");
        far.stop();
    }

    @Test
    void runOnceDoesNotWaitWhenNothingIsAlive() throws IOException {
        var loop = fixture.open();
        var hidden = loop.after(Duration.ofDays(1), () -> {});
        hidden.unref();

        assertEquals(0, loop.runOnce());
        assertEquals(0, loop.stats().idle().toNanos());
    }

    // L8
    @Test
    void runInsideRunIsRefusedAndDoesNoHarm() throws IOException {
        var loop = fixture.open();
        var refusals = new ArrayList<String>();
        var trail = new ArrayList<String>();
        loop.post(
                () -> {
                    for (var run : List.<Running>of(Loop::run, Loop::runOnce, Loop::runNowait)) {
                        var refused = assertThrows(IllegalStateException.class, () -> run.on(loop));
                        refusals.add(refused.getMessage());
                    }
                    assertThrows(IllegalStateException.class, () -> loop.runFor(TICK));
                    trail.add("refused");
                    loop.post(() -> trail.add("posted"));
                });
        loop.after(TICK, () -> trail.add("timer"));

        assertFalse(loop.run());

        assertEquals(List.of("refused", "posted", "timer"), trail);
        assertTrue(refusals.getFirst().contains("run inside run"), refusals::getFirst);
    }

    // L9
    @Test
    void nowAdvancesAlsoWhenNothingIsAlive() throws IOException {
        var loop = fixture.open();
        loop.runNowait();
        long before = loop.now();
        fixture.spend(TICK);
        assertEquals(before, loop.now(), "cached");

        loop.runNowait();

        assertTrue(loop.now() >= before + TICK.toNanos());
    }

    @Test
    void updateNowReadsTheClock() throws IOException {
        var loop = fixture.open();
        long before = loop.now();
        fixture.spend(TICK);

        loop.updateNow();

        assertTrue(loop.now() >= before + TICK.toNanos());
    }

    @Test
    void runForEndsAfterItsTimeAlsoWithNothingToDo() throws IOException {
        var loop = fixture.open();
        long before = fixture.nanos();

        assertEquals(RunResult.TIMED_OUT, loop.runFor(TICK));

        assertTrue(fixture.nanos() - before >= TICK.toNanos());
    }

    @Test
    void runForEndsWhenItIsStopped() throws IOException {
        var loop = fixture.open();
        loop.after(Duration.ofMillis(1), loop::stop);

        assertEquals(RunResult.STOPPED, loop.runFor(Duration.ofDays(365_000)));
    }

    @Test
    void runForRunsTheTimerOfItsLastMoment() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        loop.after(TICK, calls::incrementAndGet);

        // Begins later than the timer did, so ends no earlier than it.
        assertEquals(RunResult.TIMED_OUT, loop.runFor(TICK));

        assertEquals(1, calls.get());
    }

    /// One of the ways to run a loop.
    private interface Running {
        void on(Loop loop) throws IOException;
    }
}
