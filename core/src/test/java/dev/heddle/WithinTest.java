package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// Limits: they end the body, and only the body.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class WithinTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest
    void aBodyThatIsInTimeIsNotDisturbed(TestWorld world) {
        assertEquals(
                7,
                within(
                        SECOND,
                        () -> {
                            delay(Duration.ofMillis(999));
                            return 7;
                        }));
        delay(HOUR);

        assertEquals(List.of(), world.reports());
    }

    @HeddleTest
    void aBodyThatIsLateIsCancelledAndTheCallerGoesOn(TestWorld world) {
        var thrown =
                assertThrows(
                        OperationCancelledException.class, () -> within(SECOND, () -> delay(HOUR)));

        assertTrue(thrown.timedOut());
        assertInstanceOf(Cancellation.class, thrown.getCause());
        assertFalse(Heddle.current().isCancellationRequested());
        delay(SECOND);
        assertEquals(Duration.ofSeconds(2), world.elapsed());
    }

    @HeddleTest
    void aLimitOfZeroEndsTheBodyAtItsFirstSuspension() {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                Duration.ZERO,
                                () -> {
                                    trail.add("begun");
                                    suspend();
                                    trail.add("never");
                                }));
        assertEquals(7, within(Duration.ZERO, () -> 7));

        assertEquals(List.of("begun"), trail);
    }

    @HeddleTest
    void theBodyMayCleanUp(TestWorld world) {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                SECOND,
                                () -> {
                                    try {
                                        delay(HOUR);
                                    } finally {
                                        delay(Duration.ofMillis(500));
                                        trail.add("bye at " + world.elapsed());
                                    }
                                }));

        assertEquals(List.of("bye at PT1.5S"), trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aBodyThatIgnoresItIsReportedAndCancelledAgainAndNeverAZombie() {
        var world = World.virtual();
        world.run(
                () -> {
                    var times = new int[1];
                    within(
                            SECOND,
                            () -> {
                                while (times[0] < 6) {
                                    try {
                                        delay(HOUR);
                                    } catch (Cancellation swallowed) {
                                        times[0]++;
                                        world.say("at " + world.elapsed());
                                    }
                                }
                            });
                    assertFalse(Heddle.current().isZombie());
                    delay(HOUR);
                });
        assertEquals(
                List.of("at PT1S", "at PT2S", "at PT3S", "at PT4S", "at PT4S", "at PT4S"),
                world.trail);
        assertEquals(3, world.reports(Report.Kind.UNANSWERED).size());
    }

    @HeddleTest
    void returningAValueAfterTheLimitIsSuccess(TestWorld world) {
        int value =
                within(
                        SECOND,
                        () -> {
                            try {
                                delay(HOUR);
                            } catch (Cancellation swallowed) {
                                trail.add(swallowed.reason());
                            }
                            return 7;
                        });
        assertEquals(7, value);
        delay(HOUR);

        assertEquals(List.of("not done within PT1S"), trail);
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest
    void theBodysOwnExceptionPassesAlsoAfterTheLimit() {
        var failure = new IOException("disk full");
        var thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                within(
                                        SECOND,
                                        () -> {
                                            try {
                                                delay(HOUR);
                                            } finally {
                                                fail(failure);
                                            }
                                        }));
        assertEquals(failure, thrown);
    }

    @HeddleTest
    void ofNestedLimitsTheEarliestEndsItsOwnBody(TestWorld world) {
        within(
                Duration.ofSeconds(3),
                () -> {
                    assertThrows(
                            OperationCancelledException.class,
                            () -> within(SECOND, () -> delay(HOUR)));
                    trail.add("inner at " + world.elapsed());
                });
        var outer =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                within(
                                        SECOND,
                                        () -> within(Duration.ofSeconds(3), () -> delay(HOUR))));
        trail.add("outer at " + world.elapsed());
        assertTrue(outer.getMessage().contains("PT1S"), outer.getMessage());
        delay(HOUR);

        assertEquals(List.of("inner at PT1S", "outer at PT2S"), trail);
    }

    @HeddleTest
    void equalNestedLimitsEndBoth() {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                SECOND,
                                () -> {
                                    within(SECOND, () -> delay(HOUR));
                                    trail.add("never");
                                }));
        delay(HOUR);

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void ownCancellationGoesBeforeALimit() {
        var both =
                spawn(
                        () -> {
                            try {
                                within(Duration.ZERO, this::cancelItself);
                            } catch (OperationCancelledException limit) {
                                trail.add("never");
                            }
                        });

        assertEquals("stop", reason(both.awaitOutcome()));

        assertEquals(List.of(), trail);
    }

    private void cancelItself() {
        Heddle.current().cancel("stop");
        suspend();
    }

    @HeddleTest(seeds = 20)
    void ownCancellationInsideALimitIsNoTimeout(TestWorld world) {
        var inside = spawn(() -> within(HOUR, () -> delay(HOUR)));
        suspend();

        assertEquals("stop", reason(inside.cancelAndAwait("stop")));

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aLimitThatPassesDuringCleanUpEndsOnlyItsBody(TestWorld world) {
        var tidy =
                spawn(
                        () -> {
                            try {
                                delay(HOUR);
                            } finally {
                                assertThrows(
                                        OperationCancelledException.class,
                                        () -> within(Duration.ofMillis(100), () -> delay(HOUR)));
                                delay(Duration.ofMillis(100));
                                trail.add("bye at " + world.elapsed());
                            }
                        });
        world.settle();

        assertEquals("stop", reason(tidy.cancelAndAwait("stop")));

        assertEquals(List.of("bye at PT0.2S"), trail);
    }

    @HeddleTest
    void aLimitEndsACallOfTheJdkByAnInterrupt(TestWorld world) {
        assertThrows(
                OperationCancelledException.class,
                () -> within(SECOND, () -> new CountDownLatch(1).await()));
        assertEquals(SECOND, world.elapsed());
        assertFalse(Thread.currentThread().isInterrupted());
        delay(SECOND);
    }

    @HeddleTest(seeds = 20)
    void anInterruptThatCameTooLateIsNotTakenForAForeignOne() {
        var lock = new Semaphore(0);
        spawn(
                () -> {
                    delay(SECOND.multipliedBy(2));
                    lock.release();
                });
        int value =
                within(
                        SECOND,
                        () -> {
                            lock.acquireUninterruptibly();
                            return 7;
                        });
        assertEquals(7, value);
        assertFalse(Thread.currentThread().isInterrupted());
        delay(SECOND);
        assertFalse(Heddle.current().isCancellationRequested());
    }

    @HeddleTest(seeds = 20)
    void anInterruptForALimitAndTheCoroutineIsTheCoroutines() {
        var inside =
                spawn(
                        () -> {
                            try {
                                within(SECOND, this::awaitNothingTwice);
                            } catch (OperationCancelledException limit) {
                                trail.add("never");
                            }
                        });
        delay(SECOND.plusMillis(1));

        assertEquals("stop", reason(inside.cancelAndAwait("stop")));

        assertEquals(List.of("limit"), trail);
    }

    private void awaitNothingTwice() throws InterruptedException {
        var never = new CountDownLatch(1);
        try {
            never.await();
        } catch (InterruptedException swallowed) {
            trail.add("limit");
        }
        never.await();
    }

    @HeddleTest(seeds = 20)
    void aLimitInAScopeEndsTheScopeWithItsChildren(TestWorld world) {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                SECOND,
                                () ->
                                        Scope.run(
                                                scope -> {
                                                    scope.spawn(this::sayWhenCancelled);
                                                    scope.spawn(this::sayWhenCancelled);
                                                })));
        assertEquals(SECOND, world.elapsed());

        assertEquals(List.of("cancelled", "cancelled"), trail);
    }

    private void sayWhenCancelled() {
        try {
            delay(HOUR);
        } finally {
            trail.add("cancelled");
        }
    }

    @Test
    void badLimitsAreRefused() {
        var world = World.virtual();
        world.run(
                () -> {
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> within(Duration.ofSeconds(-1), () -> world.say("never")));
                    assertThrows(
                            NullPointerException.class,
                            () -> within(SECOND, (VoidOp<RuntimeException>) null));
                });
        assertThrows(IllegalStateException.class, () -> within(SECOND, () -> world.say("never")));
        assertEquals(List.of(), world.trail);
    }
}
