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
import java.util.concurrent.atomic.AtomicInteger;

/// Timers that fire again and again, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class TimerRepeatContract {
    private static final Duration TICK = Duration.ofMillis(5);

    @RegisterExtension final LoopFixture fixture;

    TimerRepeatContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    // L34
    @Test
    void aRepeatingTimerThatStopsItselfInItsSecondCallIsCalledTwice() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = new Timer[1];
        timer[0] =
                loop.every(
                        TICK,
                        () -> {
                            if (calls.incrementAndGet() == 2) {
                                assertTrue(timer[0].stop());
                            }
                        });

        assertFalse(loop.run());
        assertEquals(2, calls.get());
    }

    // L35
    @Test
    void againNeedsATimerThatWasStarted() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        assertThrows(IllegalStateException.class, timer::again);
        assertFalse(loop.alive());
    }

    // L35
    @Test
    void againPutsARepeatingTimerOff() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        // Its next tick is never before that of the other, which comes first also when both are
        // late.
        var putOff = new Timer[1];
        putOff[0] =
                loop.timer(
                        () -> {
                            trail.add("put off");
                            if (putOff[0].repeat().isZero()) {
                                putOff[0].close();
                            } else {
                                // Counts from the tick after the one that is armed already.
                                putOff[0].repeat(Duration.ZERO);
                            }
                        });
        var pacer = new Timer[1];
        pacer[0] =
                loop.every(
                        TICK,
                        () -> {
                            trail.add("pacer");
                            putOff[0].again();
                            if (trail.size() == 10) {
                                pacer[0].close();
                            }
                        });
        // Last, so that its first tick too is due after the other's, whenever this thread gets to
        // run.
        putOff[0].start(TICK.multipliedBy(2), TICK.multipliedBy(2));

        assertFalse(loop.run());

        assertEquals(10, trail.indexOf("put off"));
        assertEquals(List.of("put off", "put off"), trail.subList(10, trail.size()));
    }

    @Test
    void againStopsATimerWithoutARepeat() throws IOException {
        var loop = fixture.open();
        var timer = loop.after(Duration.ofDays(1), () -> {});
        timer.again();
        assertFalse(timer.isActive());
        assertFalse(loop.alive());
    }

    // L37
    @Test
    void aHugeRepeatNeverComes() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var timers = new ArrayList<Timer>();
        timers.add(loop.timer(() -> note(trail, "tiny", timers)));
        timers.add(loop.timer(() -> note(trail, "huge", timers)));
        timers.get(0).start(Duration.ofMillis(2), Duration.ofMillis(2));
        timers.get(1).startNanos(1_000_000, Long.MAX_VALUE);

        assertFalse(loop.run());

        assertEquals(1, trail.stream().filter("huge"::equals).count());
        assertEquals(9, trail.stream().filter("tiny"::equals).count());
    }

    // L39
    @Test
    void ticksThatWereMissedAreNotMadeUpFor() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.every(TICK, calls::incrementAndGet);
        fixture.spend(TICK.multipliedBy(3));
        loop.runOnce();
        assertEquals(1, calls.get());

        fixture.spend(TICK.multipliedBy(3));
        loop.runNowait();
        assertEquals(2, calls.get());
        timer.stop();
    }

    @Test
    void aRepeatingTimerKeepsItsRhythm() throws IOException {
        var loop = fixture.open();
        var due = new ArrayList<Long>();
        long begin = fixture.nanos();
        var timer = new Timer[1];
        timer[0] =
                loop.timer(
                        () -> {
                            // The next tick is armed already.
                            due.add(fixture.nanos() + timer[0].dueInNanos());
                            fixture.spend(Duration.ofMillis(1));
                            if (due.size() == 4) {
                                timer[0].stop();
                            }
                        });
        timer[0].start(Duration.ZERO, TICK);

        loop.run();

        if (fixture.isSimulated()) {
            long tick = TICK.toNanos();
            assertEquals(
                    List.of(begin + tick, begin + 2 * tick, begin + 3 * tick, begin + 4 * tick),
                    due);
        }
        assertEquals(4, due.size());
        assertTrue(fixture.nanos() - begin >= 3 * TICK.toNanos());
    }

    @Test
    void aTickThatComesLateDoesNotPutOffTheNext() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        long begin = fixture.nanos();
        var timer = loop.every(TICK, calls::incrementAndGet);
        fixture.spend(TICK.plusNanos(TICK.toNanos() / 2));

        loop.runOnce();

        assertEquals(1, calls.get());
        if (fixture.isSimulated()) {
            assertEquals(begin + 2 * TICK.toNanos(), fixture.nanos() + timer.dueInNanos());
        }
        timer.stop();
    }

    @Test
    void aRepeatMayBeginLaterThanItsPeriod() throws IOException {
        var loop = fixture.open();
        var at = new ArrayList<Long>();
        long begin = fixture.nanos();
        var timer = new Timer[1];
        timer[0] =
                loop.timer(
                        () -> {
                            at.add(fixture.nanos() - begin);
                            if (at.size() == 2) {
                                timer[0].stop();
                            }
                        });
        timer[0].start(TICK.multipliedBy(2), Duration.ofMillis(1));
        assertEquals(Duration.ofMillis(1), timer[0].repeat());

        loop.run();

        assertTrue(at.get(0) >= 2 * TICK.toNanos());
        assertTrue(at.get(1) >= 2 * TICK.toNanos() + 1_000_000);
    }

    @Test
    void aOneShotTimerMayBecomeARepeatingOne() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = new Timer[1];
        timer[0] =
                loop.timer(
                        () -> {
                            if (calls.incrementAndGet() == 3) {
                                timer[0].repeat(Duration.ZERO);
                            }
                        });
        timer[0].start(Duration.ofMillis(1));
        timer[0].repeat(Duration.ofMillis(1));

        assertFalse(loop.run());

        assertEquals(4, calls.get(), "the tick that was armed already still came");
    }

    @Test
    void aPeriodOfOneNanosecondLeavesRoomForOthers() throws IOException {
        var loop = fixture.open();
        var ticks = new AtomicInteger();
        var timer = loop.every(Duration.ofNanos(1), ticks::incrementAndGet);
        var turns = loop.stats().turns();
        loop.after(Duration.ofNanos(fixture.isSimulated() ? 100 : 1_000_000), timer::stop);

        assertFalse(loop.run());

        assertTrue(ticks.get() > 1);
        assertTrue(ticks.get() <= loop.stats().turns() - turns, "at most once a turn");
    }

    private static void note(List<String> trail, String name, List<Timer> timers) {
        trail.add(name);
        if (trail.size() == 10) {
            timers.forEach(Timer::close);
        }
    }
}
