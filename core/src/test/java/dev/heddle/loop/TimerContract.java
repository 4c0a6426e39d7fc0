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
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// Timers that fire once: when, in which order, and when not; on every backend.
///
/// **Thread:** owner (the test runner).
abstract class TimerContract {
    private static final Duration FAR = Duration.ofDays(1);

    @RegisterExtension final LoopFixture fixture;

    TimerContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    // L29
    @Test
    void staggeredTimersFireOnceEachInOrderAndAStoppedOneNever() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<Integer>();
        long before = fixture.nanos();
        for (int i = 9; i >= 0; i--) {
            int millis = 5 * i;
            loop.after(Duration.ofMillis(millis), () -> trail.add(millis));
        }
        var ticks = new AtomicInteger();
        var repeating = new Timer[1];
        repeating[0] =
                loop.every(
                        Duration.ofMillis(10),
                        () -> {
                            if (ticks.incrementAndGet() == 5) {
                                repeating[0].close();
                            }
                        });
        loop.after(Duration.ofMillis(1), () -> trail.add(-1)).stop();

        assertFalse(loop.run());

        assertEquals(List.of(0, 5, 10, 15, 20, 25, 30, 35, 40, 45), trail);
        assertEquals(5, ticks.get());
        assertTrue(fixture.nanos() - before >= Duration.ofMillis(50).toNanos());
    }

    @Test
    void aTimerThatIsRestartedWhileUrgentTasksKeepItWaitingFiresOnce() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.timer(calls::incrementAndGet).start(Duration.ZERO);
        loop.post(
                () -> {
                    // It is due and stands behind this task. With the urgent one the turn is full,
                    // so it is still there when the next turn finds it due again.
                    loop.enqueueFirst(Task.of(() -> {}));
                    timer.stop();
                    timer.start(Duration.ZERO);
                });

        assertFalse(loop.run());

        assertEquals(1, calls.get());
    }

    // L30
    @Test
    void aTimerThatRestartsItselfWithZeroWaitsForTheNextTurn() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = new Timer[1];
        timer[0] =
                loop.timer(
                        () -> {
                            calls.incrementAndGet();
                            timer[0].start(Duration.ZERO);
                            loop.stop();
                        });
        timer[0].start(Duration.ZERO);

        for (int run = 1; run <= 3; run++) {
            assertTrue(loop.run());
            assertEquals(run, calls.get());
        }
        timer[0].stop();
    }

    // L31
    @Test
    void equalDeadlinesFireInTheOrderTheyWereStarted() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var one = loop.timer(() -> trail.add("one"));
        var two = loop.timer(() -> trail.add("two"));
        long due = fixture.nanos() + Duration.ofMillis(2).toNanos();
        one.startAt(due);
        two.startAt(due);
        loop.run();

        due = fixture.nanos() + Duration.ofMillis(2).toNanos();
        two.startAt(due);
        one.startAt(due);
        loop.run();

        assertEquals(List.of("one", "two", "two", "one"), trail);
    }

    @Test
    void aRestartAtTheSameDeadlineIsANewStart() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        long due = fixture.nanos() + Duration.ofMillis(2).toNanos();
        var first = loop.at(due, () -> trail.add("first"));
        loop.at(due, () -> trail.add("second"));
        first.startAt(due);

        loop.run();

        assertEquals(List.of("second", "first"), trail);
    }

    // L32
    @Test
    void aRestartReplacesTheEarlierStart() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        long before = fixture.nanos();
        var timer = loop.timer(calls::incrementAndGet).start(FAR);
        timer.start(Duration.ofMillis(10));

        assertFalse(loop.run());

        assertEquals(1, calls.get());
        assertTrue(fixture.nanos() - before >= Duration.ofMillis(10).toNanos());
        assertTrue(fixture.nanos() - before < FAR.toNanos());
    }

    @Test
    void aRestartToALaterTimeMovesTheTimer() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var moved = loop.after(Duration.ofMillis(1), () -> trail.add("moved"));
        loop.after(Duration.ofMillis(5), () -> trail.add("other"));
        moved.start(Duration.ofMillis(10));

        loop.run();

        assertEquals(List.of("other", "moved"), trail);
    }

    @Test
    void aTimerStoppedByAnEarlierOneOfTheSameBatchDoesNotFire() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var victims = new ArrayList<Timer>();
        loop.at(
                0,
                () -> {
                    trail.add("first");
                    assertTrue(victims.get(0).stop());
                    victims.get(1).close();
                    victims.get(2).start(Duration.ofMillis(1));
                });
        victims.add(loop.at(0, () -> trail.add("stopped")));
        victims.add(loop.at(0, () -> trail.add("closed")));
        victims.add(loop.at(0, () -> trail.add("restarted")));
        loop.at(0, () -> trail.add("last"));

        loop.runOnce();
        assertEquals(List.of("first", "last"), trail);

        loop.run();
        assertEquals(List.of("first", "last", "restarted"), trail);
    }

    @Test
    void aTimerRestartedAtItsOldDeadlineByAnEarlierOneWaitsForTheNextTurn() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var restarted = new Timer[1];
        loop.at(0, () -> restarted[0].startAt(0));
        restarted[0] = loop.at(0, () -> trail.add("restarted"));
        loop.at(0, () -> trail.add("last"));

        loop.runOnce();
        assertEquals(List.of("last"), trail);

        loop.run();
        assertEquals(List.of("last", "restarted"), trail);
    }

    @Test
    void aTimerStoppedAndStartedAgainInTheSameBatchFiresOnce() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = new Timer[1];
        loop.at(
                0,
                () -> {
                    timer[0].stop();
                    timer[0].start(Duration.ZERO);
                    timer[0].stop();
                    timer[0].start(Duration.ZERO);
                });
        timer[0] = loop.at(0, calls::incrementAndGet);

        assertFalse(loop.run());
        assertEquals(1, calls.get());
    }

    @Test
    void stopSaysWhetherTheCallbackWasPrevented() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        assertFalse(timer.stop(), "never started");
        timer.start(FAR);
        assertTrue(timer.stop());
        assertFalse(timer.stop(), "stopped already");
        timer.start(Duration.ZERO);
        loop.run();
        assertFalse(timer.stop(), "fired already");
    }

    // L38
    @Test
    void aTimerNeverFiresEarly() throws IOException {
        fixture.limit(Duration.ofSeconds(30));
        long seed = LoopFixture.seed();
        var random = new Random(seed);
        var loop = fixture.open();
        var clock = new long[2];
        for (int phase = 0; phase < 1000; phase++) {
            long delay = random.nextLong(100_000, 1_000_000);
            fixture.spend(Duration.ofNanos(random.nextLong(1_000)));
            clock[0] = fixture.nanos();
            loop.timer(() -> clock[1] = fixture.nanos()).startNanos(delay, 0);
            loop.run();

            long took = clock[1] - clock[0];
            assertTrue(took >= delay, () -> took + " ns, not " + delay + "; seed " + seed);
        }
    }

    @Test
    void aDelayCountsFromTheStartAndNotFromTheLoopsCachedTime() throws IOException {
        var loop = fixture.open();
        var fired = new long[1];
        var started = new long[1];
        loop.post(
                () -> {
                    fixture.spend(Duration.ofMillis(5));
                    started[0] = fixture.nanos();
                    loop.after(Duration.ofMillis(5), () -> fired[0] = fixture.nanos());
                });

        loop.run();

        assertTrue(fired[0] - started[0] >= Duration.ofMillis(5).toNanos());
    }

    // L40
    @Test
    void aClosedTimerCannotBeStarted() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.timer(calls::incrementAndGet);
        timer.close();
        for (int look = 0; look < 2; look++) {
            assertThrows(IllegalStateException.class, () -> timer.start(Duration.ZERO));
            assertThrows(IllegalStateException.class, () -> timer.startAt(0));
            loop.run();
        }
        assertEquals(0, calls.get());
    }

    @Test
    void aTimerClosedInItsCallbackIsClosedOnce() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var timer = new Timer[1];
        timer[0] =
                loop.every(
                        Duration.ofMillis(1),
                        () -> {
                            trail.add("tick");
                            timer[0].close(() -> trail.add("closed"));
                        });

        assertFalse(loop.run());

        assertEquals(List.of("tick", "closed"), trail);
    }

    @Test
    void aTimerInThePastFiresInTheNextTurn() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        loop.at(0, calls::incrementAndGet);

        assertEquals(1, loop.runNowait());
        assertEquals(1, calls.get());
    }

    @Test
    void hugeDelaysDoNotOverflow() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timers =
                List.of(
                        loop.after(Duration.ofSeconds(Long.MAX_VALUE), calls::incrementAndGet),
                        loop.at(Long.MAX_VALUE, calls::incrementAndGet),
                        loop.timer(calls::incrementAndGet).startNanos(Long.MAX_VALUE, 0),
                        loop.timer(calls::incrementAndGet).startNanos(Long.MAX_VALUE - 1, 0));
        loop.after(Duration.ofMillis(1), loop::stop);

        assertTrue(loop.run());

        assertEquals(0, calls.get());
        for (var timer : timers) {
            assertTrue(timer.isActive());
            assertTrue(timer.dueInNanos() > FAR.toNanos());
            assertTrue(timer.stop());
        }
    }

    @Test
    void aTimerSaysHowLongUntilItFires() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        assertEquals(Long.MAX_VALUE, timer.dueInNanos());
        assertEquals("Timer(stopped)", timer.toString());

        timer.start(FAR);
        assertTrue(timer.dueInNanos() <= FAR.toNanos());
        assertTrue(timer.dueInNanos() > FAR.toNanos() / 2);
        assertTrue(timer.toString().endsWith(", once)"), timer::toString);

        timer.startAt(0);
        assertEquals(0, timer.dueInNanos());
        timer.stop();
    }
}
