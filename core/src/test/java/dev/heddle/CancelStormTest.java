package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.Bystander;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.ToLongFunction;

/// Very many cancellations, at once and from several threads.
///
/// Times have an allowance, since the machine that this runs on may be busy; they are printed.
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
final class CancelStormTest {
    private static final int ALLOWANCE = 4;
    private static final int CROWD = 100_000;
    private static final int ROUNDS = 20;
    // Until the compiler has seen it: one call cancels the whole crowd, and takes ten times as long
    // as long as it is interpreted.
    private static final int WARM_UP = 4;
    private static final int PAIRS = 100_000;
    private static final Duration TICK = Duration.ofMillis(10);
    private static final double LATENESS_MILLIS = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Test
    @Tag("CT-03")
    void aHundredThousandThatAreCancelledAtOnceEndSoonAndATickerGoesOn() {
        Depth.assumeDeep("100 000 coroutines cancelled at once, 20 times");
        var lateness = new ArrayList<Late>();
        long loopThread = Thread.currentThread().threadId();
        World.real()
                .run(
                        () -> {
                            var ticker = spawn(() -> tick(lateness, loopThread));
                            for (int round = 0; round < WARM_UP; round++) {
                                storm();
                            }
                            lateness.clear();
                            double worst = 0;
                            for (int round = 0; round < ROUNDS; round++) {
                                worst = Math.max(worst, storm());
                            }
                            ticker.cancelAndAwait("over");
                            System.out.printf("CT-03: the slowest round took %.3f s%n", worst);
                            assertTrue(worst <= 5 * ALLOWANCE, "a round took " + worst + " s");
                        });
        double p99 = p99(lateness, Late::byTheLoop);
        System.out.printf(
                "CT-03: %d ticks, p99 %.1f ms late by the loop, %.1f with all that the machine"
                        + " did%n",
                lateness.size(), p99, p99(lateness, Late::nanos));
        assertTrue(lateness.size() > ROUNDS, "the ticker hardly ran");
        assertTrue(p99 <= LATENESS_MILLIS, "p99 is " + p99 + " ms");
    }

    private static double p99(List<Late> all, ToLongFunction<Late> measure) {
        var sorted = all.stream().mapToLong(measure).sorted().toArray();
        return sorted[sorted.length * 99 / 100] / 1e6;
    }

    private static double storm() {
        var scope = new Scope().asNotSafely();
        for (int i = 0; i < CROWD; i++) {
            scope.spawn(() -> delay(Duration.ofHours(1)));
            if (i % 1_000 == 0) {
                // The ticker is late by the storm, not by whoever gathers it.
                suspend();
            }
        }
        suspend();
        assertEquals(CROWD, scope.active());
        long began = System.nanoTime();
        scope.cancel("all of you");
        scope.awaitCompletion();
        assertEquals(0, scope.active() + scope.zombies());
        return (System.nanoTime() - began) / 1e9;
    }

    private static void tick(List<Late> lateness, long loopThread) {
        while (!Heddle.current().isCancelled()) {
            long due = System.nanoTime() + TICK.toNanos();
            long before = THREADS.getThreadCpuTime(loopThread);
            delay(TICK);
            long computed = THREADS.getThreadCpuTime(loopThread) - before;
            lateness.add(new Late(System.nanoTime() - due, computed));
        }
    }

    /// @param computed what the loop's thread computed since the tick before
    private record Late(long nanos, long computed) {
        /// {@return what of it is the loop's own doing, since others may have had the processor. It
        /// never rests here: on a processor of its own it computes for the tick and the lateness}
        long byTheLoop() {
            return Math.min(nanos, Math.max(0, computed - TICK.toNanos()));
        }
    }

    @Test
    @Tag("CT-04")
    void ofACompletionAndACancellationByTwoThreadsExactlyOneWins() {
        int batches = Depth.of(1, 20);
        long seed = 1;
        World.real()
                .run(
                        () -> {
                            for (int batch = 0; batch < batches; batch++) {
                                race(new Random(seed + batch));
                            }
                        });
        System.out.println("CT-04: " + (long) batches * PAIRS + " pairs, one winner each");
    }

    private static void race(Random random) {
        var promises = new ArrayList<Promise<Integer>>();
        for (int i = 0; i < PAIRS; i++) {
            promises.add(Promise.external());
        }
        var wins = new AtomicIntegerArray(PAIRS);
        // In one order for both, so that they meet; who goes first is random.
        var swapped = new boolean[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            swapped[i] = random.nextBoolean();
        }
        var steps = new AtomicIntegerArray(2);
        try (var _ = Bystander.doing(() -> endAll(promises, wins, swapped, steps, 0));
                var _ = Bystander.doing(() -> endAll(promises, wins, swapped, steps, 1))) {
            // Closing them waits for both.
        }
        for (int i = 0; i < PAIRS; i++) {
            assertEquals(1, wins.get(i), "winners of pair " + i);
            var outcome = promises.get(i).deferred().awaitOutcome();
            assertTrue(!(outcome instanceof Outcome.Failure<?>), outcome::toString);
        }
    }

    private static void endAll(
            List<Promise<Integer>> promises,
            AtomicIntegerArray wins,
            boolean[] swapped,
            AtomicIntegerArray steps,
            int self) {
        for (int i = 0; i < PAIRS; i++) {
            boolean completes = swapped[i] == (self == 0);
            var promise = promises.get(i);
            // Side by side at every step: two that drift apart never race.
            steps.set(self, i);
            while (steps.get(1 - self) < i) {
                Thread.yield();
            }
            boolean won = completes ? promise.complete(i) : promise.cancel("enough");
            wins.addAndGet(i, won ? 1 : 0);
        }
        steps.set(self, PAIRS);
    }
}
