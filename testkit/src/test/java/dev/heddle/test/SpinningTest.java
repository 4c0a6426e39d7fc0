package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Cancellation;
import dev.heddle.Coroutine;
import dev.heddle.OperationCancelledException;
import dev.heddle.Probe;
import dev.heddle.Report;
import dev.heddle.loop.Loop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A coroutine that swallows every cancellation and is always ready becomes a zombie in virtual
/// time as it does in real time.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpinningTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private volatile boolean told;

    private void swallows(Runnable waits) {
        while (!told) {
            try {
                waits.run();
            } catch (Cancellation swallowed) {
                assertThat(swallowed).hasMessage("please");
            }
        }
    }

    @HeddleTest(seeds = 20)
    void oneThatOnlyLetsOthersRunBecomesAZombie(TestWorld world) {
        var stubborn = spawn("stubborn", () -> swallows(() -> suspend()));
        suspendUntilBegun(stubborn);
        becomesAZombie(stubborn, world);
    }

    @HeddleTest(seeds = 20, schedule = Schedule.PCT)
    void oneThatWaitsAgainBecomesAZombie(TestWorld world) {
        var stubborn = spawn("stubborn", () -> swallows(() -> delay(HOUR)));
        suspendUntilBegun(stubborn);
        becomesAZombie(stubborn, world);
    }

    @HeddleTest
    void inTheOrderOfProgramsToo(TestWorld world) {
        var stubborn = spawn("stubborn", () -> swallows(() -> suspend()));
        suspendUntilBegun(stubborn);
        becomesAZombie(stubborn, world);
    }

    private static void suspendUntilBegun(Coroutine<?> coroutine) {
        while (!coroutine.hasStarted()) {
            suspend();
        }
    }

    // Delivered at once, then after one, two, three and four windows: exact, as if it had waited.
    private void becomesAZombie(Coroutine<?> stubborn, TestWorld world) {
        stubborn.cancel("please");
        delay(SECOND.multipliedBy(4).minusMillis(1));
        assertFalse(stubborn.isZombie());
        delay(Duration.ofMillis(2));
        assertTrue(stubborn.isZombie());
        assertEquals(4, countOf(Report.Kind.UNANSWERED, world));
        assertEquals(1, countOf(Report.Kind.ZOMBIE, world));
        assertEquals(SECOND.multipliedBy(4).plusMillis(1), world.elapsed());
        told = true;
        await(stubborn);
    }

    private static long countOf(Report.Kind kind, TestWorld world) {
        return world.reports().stream().filter(each -> each.kind() == kind).count();
    }

    @HeddleTest(seeds = 20)
    void severalAtOnceDoToo(TestWorld world) {
        var all = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < 5; i++) {
            all.add(spawn(() -> swallows(() -> suspend())));
        }
        all.forEach(SpinningTest::suspendUntilBegun);
        all.forEach(each -> each.cancel("please"));
        delay(SECOND.multipliedBy(5));
        assertTrue(all.stream().allMatch(Coroutine::isZombie));
        assertEquals(SECOND.multipliedBy(5), world.elapsed());
        told = true;
        all.forEach(each -> await(each));
    }

    @HeddleTest(seeds = 20)
    void besideATimerThatRepeats(TestWorld world) {
        var ticks = new ArrayList<Duration>();
        var timer = world.loop().every(Duration.ofMillis(100), () -> ticks.add(world.elapsed()));
        var stubborn = spawn("stubborn", () -> swallows(() -> suspend()));
        suspendUntilBegun(stubborn);
        stubborn.cancel("please");
        delay(SECOND.multipliedBy(5));
        timer.stop();
        assertTrue(stubborn.isZombie());
        assertEquals(Duration.ofMillis(100), ticks.getFirst());
        assertThat(ticks.size()).isBetween(49, 50);
        told = true;
        await(stubborn);
    }

    @HeddleTest(seeds = 20)
    void aLimitIsDeliveredAgainToo(TestWorld world) {
        var delivered = new ArrayList<Duration>();
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                Duration.ofMillis(5),
                                () -> {
                                    try {
                                        delay(HOUR);
                                    } catch (Cancellation swallowed) {
                                        delivered.add(world.elapsed());
                                        spinUntilCancelled();
                                    }
                                }));
        delivered.add(world.elapsed());
        assertEquals(List.of(Duration.ofMillis(5), Duration.ofMillis(1005)), delivered);
    }

    private static void spinUntilCancelled() {
        while (true) {
            suspend();
        }
    }

    @HeddleTest(seeds = 20)
    void aCleanUpOfManyStepsTakesNoTime(TestWorld world) {
        var busy = spawn(() -> cleansUpFor(5_000));
        suspendUntilBegun(busy);
        busy.cancel("please");
        busy.awaitOutcome();
        assertTrue(busy.isCancelled());
        assertEquals(Duration.ZERO, world.elapsed());
    }

    private static void cleansUpFor(int steps) {
        try {
            delay(HOUR);
        } finally {
            for (int i = 0; i < steps; i++) {
                suspend();
            }
        }
    }

    @HeddleTest
    void oneThatWasNotCancelledStopsTime(TestWorld world) {
        var polls = spawn(() -> cleansUpAsUsual(50_000));
        await(polls);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    private static void cleansUpAsUsual(int steps) {
        for (int i = 0; i < steps; i++) {
            suspend();
        }
    }

    @HeddleTest
    void heldTimeStaysWhereItIs(TestWorld world) {
        world.holdTime();
        var stubborn = spawn("stubborn", () -> swallows(() -> suspend()));
        suspendUntilBegun(stubborn);
        stubborn.cancel("please");
        var counted = new int[1];
        spawn(
                () -> {
                    for (; counted[0] < 20_000; counted[0]++) {
                        suspend();
                    }
                    told = true;
                });
        await(stubborn);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @AfterEach
    void ends() {
        told = true;
    }

    @Test
    void oneThatNeverEndsIsALeakAndNoHangingTest() {
        for (var schedule : Schedule.values()) {
            told = false;
            var error =
                    assertThrows(
                            AssertionError.class,
                            () ->
                                    Simulation.create()
                                            .schedule(schedule)
                                            .limit(Duration.ofSeconds(20))
                                            .run(_ -> leavesOneThatSpins()));
            assertThat(error)
                    .hasMessageContaining("left something behind")
                    .hasMessageContaining("stubborn");
        }
    }

    @Test
    void aProgramAbandonsItAfterItsGrace() {
        var ended = new ArrayList<Duration>();
        Simulation.create()
                .limit(Duration.ofSeconds(20))
                .withoutChecks()
                .run(_ -> leavesOneThatSpins(), new AtTheEnd(ended));
        // Four windows until nobody waits for it, and two seconds of grace.
        assertEquals(List.of(Duration.ofSeconds(6)), ended);
    }

    private record AtTheEnd(List<Duration> ended) implements Probe {
        @Override
        public void ends(Loop loop) {
            ended.add(Duration.ofNanos(loop.now()));
        }
    }

    private void leavesOneThatSpins() {
        var stubborn = spawn("stubborn", () -> swallows(() -> suspend()));
        suspendUntilBegun(stubborn);
        stubborn.cancel("please");
    }
}
