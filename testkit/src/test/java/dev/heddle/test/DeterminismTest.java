package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Promise;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;

/// The same seed gives the same run, ten thousand times.
@Tag("SIM-01")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeterminismTest {
    private static final int SEEDS = 10_000;
    private static final int SLICE = 500;
    private static final int RATE = 2_000;

    /// Ten coroutines that wait for time, for each other and for a promise, and a cancellation.
    private static void tenCoroutines(TestWorld world) {
        var gate = new Promise<Integer>();
        var all = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < 8; i++) {
            Duration pause = Duration.ofMillis(world.random().nextInt(4));
            all.add(
                    spawn(
                            () -> {
                                suspend();
                                delay(pause);
                                return await(gate.deferred());
                            }));
        }
        var slow = spawn(() -> delay(Duration.ofHours(1)));
        delay(Duration.ofMillis(world.random().nextInt(4)));
        try {
            within(Duration.ofMillis(1), () -> await(slow));
        } catch (OperationCancelledException late) {
            slow.cancel("too slow");
        }
        gate.complete(1);
        Heddle.awaitAll(all);
    }

    @Test
    void tenThousandSeedsTwiceGiveTheSameTraces() {
        var hashes = new HashSet<Long>();
        double best = 0;
        for (int first = 0; first < SEEDS; first += SLICE) {
            long before = cpuNanos();
            for (int seed = first; seed < first + SLICE; seed++) {
                var simulation = Simulation.create().seed(seed);
                long hash = simulation.run(DeterminismTest::tenCoroutines);
                long again = simulation.run(DeterminismTest::tenCoroutines);
                assertEquals(hash, again, "seed " + seed);
                hashes.add(hash);
            }
            best = Math.max(best, 2e9 * SLICE / (cpuNanos() - before));
        }
        System.out.printf(
                "SIM-01: %d seeds twice, %d different traces, %.0f runs/s of CPU at best%n",
                SEEDS, hashes.size(), best);
        assertThat(hashes).hasSizeGreaterThan(SEEDS * 9 / 10);
        assertThat(best).isGreaterThan(RATE);
    }

    // The loop runs on the calling thread, whose own time a busy machine does not stretch.
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
