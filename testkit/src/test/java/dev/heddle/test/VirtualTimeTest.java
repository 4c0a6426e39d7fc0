package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Outcome;
import dev.heddle.Promise;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Waiting moves the clock, exactly as far as it must.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualTimeTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MANY = 100_000;

    // About 300 when the JVM is warm, 1500 when it has just started.
    private static final long CPU_MILLIS_MAX = 10_000;

    private final List<String> trail = new ArrayList<>();

    @Test
    void aHundredThousandHoursOneAfterTheOtherTakeNoTime() {
        took(
                "in sequence",
                world -> {
                    for (int i = 0; i < MANY; i++) {
                        delay(HOUR);
                    }
                    assertEquals(HOUR.multipliedBy(MANY), world.elapsed());
                });
    }

    @Test
    void aHundredThousandHoursAtTheSameTimeTakeNoTime() {
        took(
                "in parallel",
                world -> {
                    var all = new ArrayList<Coroutine<?>>();
                    for (int i = 0; i < MANY; i++) {
                        all.add(spawn(() -> delay(HOUR)));
                    }
                    Heddle.awaitAll(all);
                    assertEquals(HOUR, world.elapsed());
                });
    }

    // The loop runs on this thread, whose own time a busy machine does not stretch.
    private static void took(String how, Scenario scenario) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        Simulation.create().run(scenario);
        long millis = (threads.getCurrentThreadCpuTime() - before) / 1_000_000;
        System.out.println(MANY + " delays of an hour " + how + ": " + millis + " ms of CPU");
        assertThat(millis).isLessThan(CPU_MILLIS_MAX);
    }

    @HeddleTest
    void limitsAndTimeoutsAreVirtualToo(TestWorld world) {
        assertThrows(
                OperationCancelledException.class,
                () -> within(HOUR, () -> delay(HOUR.plusNanos(1))));
        assertEquals(HOUR, world.elapsed());
        var never = new Promise<Void>();
        assertThrows(OperationCancelledException.class, () -> await(never.deferred(), SECOND));
        assertEquals(HOUR.plus(SECOND), world.elapsed());
        assertEquals("in time", within(HOUR, () -> "in time"));
        assertEquals(HOUR.plus(SECOND), world.elapsed());
    }

    @HeddleTest
    void computingTakesNoTime(TestWorld world) {
        delay(Duration.ofNanos(1));
        long sum = 0;
        for (int i = 0; i < 1_000_000; i++) {
            sum += i;
            if (i % 1000 == 0) {
                Heddle.suspend();
            }
        }
        assertThat(sum).isPositive();
        assertEquals(Duration.ofNanos(1), world.elapsed());
    }

    @HeddleTest
    void timersOfTheSameMomentFireInTheOrderTheyWereSet() {
        var loop = Heddle.current().loop();
        for (int i = 0; i < 5; i++) {
            int number = i;
            loop.after(HOUR, () -> trail.add("timer " + number));
        }
        delay(HOUR);
        Heddle.suspend();
        assertEquals(List.of("timer 0", "timer 1", "timer 2", "timer 3", "timer 4"), trail);
    }

    @HeddleTest
    void scriptsRunAtTheirTime(TestWorld world) {
        world.at(SECOND.multipliedBy(2), () -> trail.add("second@" + world.elapsed()));
        world.at(SECOND, () -> trail.add("first@" + world.elapsed()));
        delay(SECOND.multipliedBy(5));
        world.at(SECOND, () -> trail.add("past@" + world.elapsed()));
        delay(SECOND);
        assertEquals(List.of("first@PT1S", "second@PT2S", "past@PT5S"), trail);
    }

    @HeddleTest
    void aScriptMayEndTheOnlyWait(TestWorld world) {
        var promise = new Promise<String>();
        world.at(HOUR, () -> promise.complete("from outside"));
        assertEquals("from outside", await(promise.deferred()));
        assertEquals(HOUR, world.elapsed());
    }

    @HeddleTest
    void aScriptMayCancel(TestWorld world) {
        var sleeper = spawn(() -> delay(HOUR));
        world.at(SECOND, () -> sleeper.cancel("from outside"));
        assertInstanceOf(Outcome.Cancelled.class, sleeper.awaitOutcome());
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest
    void heldTimeMovesByHandOnly(TestWorld world) {
        world.holdTime();
        var ticker = spawn(() -> ticks(world));
        world.settle();
        assertEquals(List.of(), trail);
        world.advance(Duration.ofMillis(2500));
        assertEquals(List.of("PT1S", "PT2S"), trail);
        assertEquals(Duration.ofMillis(2500), world.elapsed());
        world.advance(Duration.ofMillis(499));
        assertEquals(2, trail.size());
        world.advance(Duration.ofMillis(1));
        assertEquals(List.of("PT1S", "PT2S", "PT3S"), trail);
        ticker.cancel();
    }

    private void ticks(TestWorld world) {
        while (true) {
            delay(SECOND);
            trail.add(world.elapsed().toString());
        }
    }

    @HeddleTest
    void heldTimeMovesToTheEndOfAllTime(TestWorld world) {
        delay(SECOND);
        world.holdTime();
        var sleeper = spawn(() -> delay(Duration.ofDays(100 * 365)));
        world.advance(Duration.ofNanos(Long.MAX_VALUE));
        assertTrue(sleeper.isFinished());
    }

    @HeddleTest
    void advanceByNothingOnlySettles(TestWorld world) {
        world.holdTime();
        spawn(() -> trail.add("ran"));
        world.advance(Duration.ZERO);
        assertEquals(List.of("ran"), trail);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest
    void advanceWithoutHoldingIsADelayThatSettles(TestWorld world) {
        spawn(
                () -> {
                    delay(HOUR);
                    Heddle.suspend();
                    trail.add("after an hour");
                });
        world.advance(HOUR);
        assertEquals(List.of("after an hour"), trail);
        assertEquals(HOUR, world.elapsed());
    }

    @HeddleTest(seeds = 200)
    void settlingRunsAllThatCanRunInAnyOrder(TestWorld world) {
        for (int i = 0; i < 10; i++) {
            spawn(
                    () -> {
                        Heddle.suspend();
                        spawn(() -> trail.add("ran"));
                    });
        }
        world.settle();
        assertEquals(10, trail.size());
    }

    @Test
    void waitingBeyondHeldTimeFailsInsteadOfHanging() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Simulation.create()
                                        .run(
                                                world -> {
                                                    delay(SECOND);
                                                    world.holdTime();
                                                    delay(HOUR);
                                                }));
        assertThat(thrown)
                .hasMessageContaining("time is held at PT1S")
                .hasMessageContaining("PT1H1S");
        assertThat(thrown.getSuppressed()[0])
                .hasMessageContaining("main")
                .hasMessageContaining("VirtualTimeTest.lambda$waitingBeyondHeldTime");
    }

    @Test
    void timeCannotGoBack() {
        Simulation.create()
                .run(
                        world ->
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> world.advance(SECOND.negated())));
    }

    @Test
    void aVeryLongTimePassesToo() {
        Simulation.create()
                .run(
                        world -> {
                            delay(Duration.ofDays(365L * 100));
                            assertEquals(Duration.ofDays(365L * 100), world.elapsed());
                        });
    }
}
