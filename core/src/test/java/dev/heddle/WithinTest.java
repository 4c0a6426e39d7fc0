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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// Limits: they end the body, and only the body.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class WithinTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    @Test
    void aBodyThatIsInTimeIsNotDisturbed() {
        world.run(
                () -> {
                    assertEquals(
                            7,
                            within(
                                    SECOND,
                                    () -> {
                                        delay(Duration.ofMillis(999));
                                        return 7;
                                    }));
                    delay(HOUR);
                });
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aBodyThatIsLateIsCancelledAndTheCallerGoesOn() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> within(SECOND, () -> delay(HOUR)));

                    assertTrue(thrown.timedOut());
                    assertInstanceOf(Cancellation.class, thrown.getCause());
                    assertFalse(Heddle.current().isCancellationRequested());
                    delay(SECOND);
                    assertEquals(Duration.ofSeconds(2), world.elapsed());
                });
    }

    @Test
    void aLimitOfZeroEndsTheBodyAtItsFirstSuspension() {
        world.run(
                () -> {
                    assertThrows(
                            OperationCancelledException.class,
                            () ->
                                    within(
                                            Duration.ZERO,
                                            () -> {
                                                world.say("begun");
                                                suspend();
                                                world.say("never");
                                            }));
                    assertEquals(7, within(Duration.ZERO, () -> 7));
                });
        assertEquals(List.of("begun"), world.trail);
    }

    @Test
    void theBodyMayCleanUp() {
        world.run(
                () ->
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
                                                        world.say("bye at " + world.elapsed());
                                                    }
                                                })));
        assertEquals(List.of("bye at PT1.5S"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aBodyThatIgnoresItIsReportedAndCancelledAgainAndNeverAZombie() {
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

    @Test
    void returningAValueAfterTheLimitIsSuccess() {
        world.run(
                () -> {
                    int value =
                            within(
                                    SECOND,
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } catch (Cancellation swallowed) {
                                            world.say(swallowed.reason());
                                        }
                                        return 7;
                                    });
                    assertEquals(7, value);
                    delay(HOUR);
                });
        assertEquals(List.of("not done within PT1S"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void theBodysOwnExceptionPassesAlsoAfterTheLimit() {
        world.run(
                () -> {
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
                });
    }

    @Test
    void ofNestedLimitsTheEarliestEndsItsOwnBody() {
        world.run(
                () -> {
                    within(
                            Duration.ofSeconds(3),
                            () -> {
                                assertThrows(
                                        OperationCancelledException.class,
                                        () -> within(SECOND, () -> delay(HOUR)));
                                world.say("inner at " + world.elapsed());
                            });
                    var outer =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () ->
                                            within(
                                                    SECOND,
                                                    () ->
                                                            within(
                                                                    Duration.ofSeconds(3),
                                                                    () -> delay(HOUR))));
                    world.say("outer at " + world.elapsed());
                    assertTrue(outer.getMessage().contains("PT1S"), outer.getMessage());
                    delay(HOUR);
                });
        assertEquals(List.of("inner at PT1S", "outer at PT2S"), world.trail);
    }

    @Test
    void equalNestedLimitsEndBoth() {
        world.run(
                () -> {
                    assertThrows(
                            OperationCancelledException.class,
                            () ->
                                    within(
                                            SECOND,
                                            () -> {
                                                within(SECOND, () -> delay(HOUR));
                                                world.say("never");
                                            }));
                    delay(HOUR);
                });
        assertEquals(List.of(), world.trail);
    }

    @Test
    void ownCancellationGoesBeforeALimit() {
        world.run(
                () -> {
                    var both =
                            spawn(
                                    () -> {
                                        try {
                                            within(Duration.ZERO, this::cancelItself);
                                        } catch (OperationCancelledException limit) {
                                            world.say("never");
                                        }
                                    });

                    assertEquals("stop", reason(both.awaitOutcome()));
                });
        assertEquals(List.of(), world.trail);
    }

    private void cancelItself() {
        Heddle.current().cancel("stop");
        suspend();
    }

    @Test
    void ownCancellationInsideALimitIsNoTimeout() {
        world.run(
                () -> {
                    var inside = spawn(() -> within(HOUR, () -> delay(HOUR)));
                    suspend();

                    assertEquals("stop", reason(inside.cancelAndAwait("stop")));
                });
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void aLimitThatPassesDuringCleanUpEndsOnlyItsBody() {
        world.run(
                () -> {
                    var tidy =
                            spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } finally {
                                            assertThrows(
                                                    OperationCancelledException.class,
                                                    () ->
                                                            within(
                                                                    Duration.ofMillis(100),
                                                                    () -> delay(HOUR)));
                                            delay(Duration.ofMillis(100));
                                            world.say("bye at " + world.elapsed());
                                        }
                                    });
                    suspend();

                    assertEquals("stop", reason(tidy.cancelAndAwait("stop")));
                });
        assertEquals(List.of("bye at PT0.2S"), world.trail);
    }

    @Test
    void aLimitEndsACallOfTheJdkByAnInterrupt() {
        world.run(
                () -> {
                    assertThrows(
                            OperationCancelledException.class,
                            () -> within(SECOND, () -> new CountDownLatch(1).await()));
                    assertEquals(SECOND, world.elapsed());
                    assertFalse(Thread.currentThread().isInterrupted());
                    delay(SECOND);
                });
    }

    @Test
    void anInterruptThatCameTooLateIsNotTakenForAForeignOne() {
        world.run(
                () -> {
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
                });
    }

    @Test
    void anInterruptForALimitAndTheCoroutineIsTheCoroutines() {
        world.run(
                () -> {
                    var inside =
                            spawn(
                                    () -> {
                                        try {
                                            within(SECOND, this::awaitNothingTwice);
                                        } catch (OperationCancelledException limit) {
                                            world.say("never");
                                        }
                                    });
                    delay(SECOND.multipliedBy(2));

                    assertEquals("stop", reason(inside.cancelAndAwait("stop")));
                });
        assertEquals(List.of("limit"), world.trail);
    }

    private void awaitNothingTwice() throws InterruptedException {
        var never = new CountDownLatch(1);
        try {
            never.await();
        } catch (InterruptedException swallowed) {
            world.say("limit");
        }
        never.await();
    }

    @Test
    void aLimitInAScopeEndsTheScopeWithItsChildren() {
        world.run(
                () -> {
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
                });
        assertEquals(List.of("cancelled", "cancelled"), world.trail);
    }

    private void sayWhenCancelled() {
        try {
            delay(HOUR);
        } finally {
            world.say("cancelled");
        }
    }

    @Test
    void badLimitsAreRefused() {
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
