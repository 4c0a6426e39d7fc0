package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The loop's numbers to the nanosecond, in virtual time.
///
/// **Thread:** owner (the test runner).
final class LoopStatsTest {
    @RegisterExtension final LoopFixture fixture = new LoopFixture(Backend.SIM);

    @Test
    void aNewLoopHasDoneNothing() throws IOException {
        var loop = fixture.open();
        fixture.spend(Duration.ofSeconds(1));

        assertEquals(stats(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO), loop.stats());
    }

    // L26
    @Test
    void idleTimeIsExactlyWhatWasWaited() throws IOException {
        var loop = fixture.open();
        loop.after(Duration.ofMillis(1000), () -> fixture.spend(Duration.ofMillis(600)));

        loop.run();

        var none = Duration.ZERO;
        assertEquals(stats(1, 1, 1, Duration.ofMillis(1000), none, none), loop.stats());
    }

    @Test
    void lagIsThatOfTheLastTurnAndLagMaxThatOfTheLongest() throws IOException {
        var loop = fixture.open();
        var seen = new ArrayList<Long>();
        for (long millis : new long[] {10, 30, 20}) {
            loop.after(Duration.ZERO, () -> fixture.spend(Duration.ofMillis(millis)));
            loop.after(Duration.ofMillis(1), () -> {});
            loop.run();
            seen.add(loop.stats().lag().toMillis());
            seen.add(loop.stats().lagMax().toMillis());
        }

        assertEquals(List.of(10L, 10L, 30L, 30L, 20L, 30L), seen);
    }

    @Test
    void aWaitCutShortByAWakeCountsAsLongAsItWas() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});
        fixture.sim().at(5_000_000, loop::wake);

        loop.runOnce();

        assertEquals(Duration.ofMillis(5), loop.stats().idle());
        far.stop();
    }

    @Test
    void tasksThatTakeLongDoNotKeepTheLoopFromTheKernelForMoreThanAHundredMicroseconds()
            throws IOException {
        var loop = fixture.open();
        var left = new int[] {100};
        loop.post(
                new Task() {
                    @Override
                    protected void run() {
                        fixture.spend(Duration.ofNanos(50_000));
                        left[0]--;
                        if (left[0] > 0) {
                            loop.post(this);
                        }
                    }
                });

        loop.run();

        assertEquals(100, loop.stats().turns());
        // 5 ms of tasks; a look may be late by the task that is running.
        assertTrue(loop.stats().polls() >= 33, () -> loop.stats().toString());
    }

    private static LoopStats stats(
            long turns, long polls, long tasks, Duration idle, Duration lag, Duration lagMax) {
        var none = Duration.ZERO;
        return new LoopStats(
                turns, polls, 0, 0, tasks, 0, idle, lag, lagMax, none, none, 0, 0, 0, 0);
    }
}
