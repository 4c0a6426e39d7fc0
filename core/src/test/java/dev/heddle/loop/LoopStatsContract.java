package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The loop's numbers, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopStatsContract extends LoopTestCase {
    LoopStatsContract(Backend backend) {
        super(backend);
    }

    // L26
    @Test
    void idleTimeIsTheTimeSpentWaitingAndNotThatSpentInCallbacks() throws IOException {
        var loop = fixture.open();
        long begin = fixture.nanos();
        loop.after(Duration.ofMillis(100), () -> fixture.spend(Duration.ofMillis(60)));
        loop.run();
        long took = fixture.nanos() - begin;

        long idle = loop.stats().idle().toNanos();
        assertTrue(idle >= Duration.ofMillis(50).toNanos(), () -> idle + " ns");
        assertTrue(idle <= took - Duration.ofMillis(60).toNanos(), () -> idle + " of " + took);
    }

    // L26
    @Test
    void aTimerThatIsDueCostsOneTurnAndNoIdleTime() throws IOException {
        var loop = fixture.open();
        loop.after(Duration.ZERO, () -> {});

        loop.run();

        assertEquals(Duration.ZERO, loop.stats().idle());
        assertEquals(1, loop.stats().turns());
    }

    // L26
    @Test
    void anotherThreadMayReadTheNumbersWhileTheLoopWaits() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});
        loop.runNowait();
        var seen = new ArrayList<LoopStats>();

        whileAsleep(
                () -> {
                    seen.add(loop.stats());
                    loop.stop();
                },
                () -> assertTrue(loop.run()));

        assertEquals(1, seen.getFirst().timers());
        assertTrue(seen.getFirst().turns() >= 1);
        far.stop();
    }

    // L27
    @Test
    void turnsAndEventsAreCountedAsTheyCome() throws IOException {
        var loop = fixture.open();
        var stats = new ArrayList<LoopStats>();
        var watches = new ArrayList<Watch>();
        for (int i = 0; i < 3; i++) {
            watches.add(loop.watch(fixture.readable(), Interest.READ, (watch, _) -> watch.stop()));
        }
        while (loop.alive()) {
            loop.runOnce();
            stats.add(loop.stats());
        }

        for (int i = 0; i < stats.size(); i++) {
            assertEquals(i + 1, stats.get(i).turns());
            assertTrue(stats.get(i).eventsWaiting() <= stats.get(i).events());
            assertTrue(stats.get(i).polls() <= stats.get(i).turns());
        }
        assertEquals(3, stats.getLast().events());
        assertEquals(0, stats.getLast().watches());
        assertFalse(watches.getFirst().isActive());
    }

    @Test
    void tasksTimersAndErrorsAreCounted() throws IOException {
        var errors = new ArrayList<Throwable>();
        var loop = fixture.open(options -> options.onError((error, _) -> errors.add(error)));
        var far =
                List.of(
                        loop.after(Duration.ofDays(1), () -> {}),
                        loop.every(Duration.ofDays(1), () -> {}));
        loop.post(() -> loop.post(() -> {}));
        loop.post(
                () -> {
                    throw new IllegalStateException("made up");
                });
        loop.after(Duration.ZERO, () -> {});

        loop.runOnce();

        var stats = loop.stats();
        assertEquals(3, stats.tasks());
        assertEquals(1, stats.errors());
        assertEquals(1, stats.ready());
        assertEquals(2, stats.timers());
        far.forEach(Timer::stop);
        loop.run();
        assertEquals(4, loop.stats().tasks());
        assertEquals(0, loop.stats().ready());
        assertEquals(0, loop.stats().timers());
    }

    @Test
    void lagIsHowLongCallbacksKeepTheLoopFromLooking() throws IOException {
        var loop = fixture.open();
        loop.post(
                () -> {
                    fixture.spend(Duration.ofMillis(5));
                    loop.post(() -> {});
                });

        loop.run();

        assertTrue(loop.stats().lagMax().toMillis() >= 5, () -> loop.stats().toString());
        if (fixture.isSimulated()) {
            assertEquals(Duration.ofMillis(5), loop.stats().lagMax());
        }
    }

    @Test
    void timeBetweenRunsIsNoLag() throws IOException {
        var loop = fixture.open();
        fixture.spend(Duration.ofMillis(20));
        loop.runNowait();
        fixture.spend(Duration.ofMillis(20));
        loop.runNowait();

        assertEquals(Duration.ZERO, loop.stats().lagMax());
    }
}
