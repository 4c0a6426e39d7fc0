package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/// The shield: no cancellation enters it, none is lost.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ProtectTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @Test
    void theBlockRunsToItsEndAndWhatFollowsItIsNotReached() {
        var world = World.virtual();
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () -> {
                                        protect(
                                                () -> {
                                                    delay(SECOND);
                                                    trail.add("block done");
                                                });
                                        trail.add("never");
                                    });
                    suspend();
                    careful.cancel("stop");
                    suspend();
                    assertTrue(careful.isCancellationRequested());
                    assertFalse(careful.isCancelled());

                    assertEquals("stop", reason(careful.awaitOutcome()));
                    assertTrue(careful.isCancelled());
                });
        assertEquals(List.of("block done"), trail);
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aCatchAroundTheBlockGetsIt(TestWorld world) {
        var careful =
                spawn(
                        () -> {
                            try {
                                protect(() -> delay(SECOND));
                            } catch (Cancellation thrown) {
                                trail.add("caught " + thrown.reason());
                            }
                        });
        world.settle();
        careful.cancel("stop");
        careful.await();

        assertEquals(List.of("caught stop"), trail);
    }

    @HeddleTest(seeds = 20)
    void theFirstReasonIsKept() {
        var careful = spawn(() -> protect(() -> delay(SECOND)));
        suspend();
        careful.cancel("first");
        careful.cancel("second");

        assertEquals("first", reason(careful.awaitOutcome()));
    }

    @HeddleTest(seeds = 20)
    void leavingAnInnerBlockDoesNotEndTheOuterOne(TestWorld world) {
        var careful =
                spawn(
                        () ->
                                protect(
                                        () -> {
                                            protect(() -> delay(SECOND));
                                            trail.add("inner done");
                                            suspend();
                                            delay(SECOND);
                                            trail.add("outer done");
                                        }));
        world.settle();
        careful.cancel("stop");

        assertEquals("stop", reason(careful.awaitOutcome()));

        assertEquals(List.of("inner done", "outer done"), trail);
    }

    @HeddleTest(seeds = 20)
    void enteringAnOutermostBlockDeliversWhatIsPending() {
        var self =
                spawn(
                        () -> {
                            Heddle.current().cancel("stop");
                            protect(() -> trail.add("never"));
                        });

        assertEquals("stop", reason(self.awaitOutcome()));

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void aSecondBlockIsNeverEntered() {
        var careful =
                spawn(
                        () -> {
                            protect(() -> delay(SECOND));
                            protect(() -> trail.add("never"));
                        });
        suspend();
        careful.cancel("stop");
        careful.awaitOutcome();

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void enteringAnInnerBlockDeliversNothing() {
        var careful =
                spawn(
                        () ->
                                protect(
                                        () -> {
                                            Heddle.current().cancel("stop");
                                            protect(() -> trail.add("inner"));
                                        }));

        assertEquals("stop", reason(careful.awaitOutcome()));

        assertEquals(List.of("inner"), trail);
    }

    @HeddleTest
    void aResultIsReturnedAndACheckedExceptionPasses() {
        assertEquals(7, protect(() -> 7));
        var thrown =
                assertThrows(
                        IOException.class, () -> protect(() -> fail(new IOException("disk full"))));
        assertEquals("disk full", thrown.getMessage());
    }

    @HeddleTest(seeds = 20)
    void whenTheBlockThrowsTheCancellationWaitsForTheNextSuspension(TestWorld world) {
        var careful =
                spawn(
                        () -> {
                            try {
                                protect(
                                        () -> {
                                            delay(SECOND);
                                            fail(new IOException("disk full"));
                                        });
                            } catch (IOException thrown) {
                                trail.add(thrown.getMessage());
                            }
                            suspend();
                            trail.add("never");
                        });
        world.settle();

        assertEquals("stop", reason(careful.cancelAndAwait("stop")));

        assertEquals(List.of("disk full"), trail);
    }

    @HeddleTest(seeds = 20)
    void aCallOfTheJdkInsideIsNotInterrupted(TestWorld world) {
        var release = new CountDownLatch(1);
        var careful =
                spawn(
                        () -> {
                            protect(
                                    () -> {
                                        release.await();
                                        trail.add("released");
                                    });
                            trail.add("never");
                        });
        world.settle();
        careful.cancel("stop");
        delay(Duration.ofSeconds(10));
        release.countDown();

        assertEquals("stop", reason(careful.awaitOutcome()));

        assertEquals(List.of("released"), trail);
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void aForeignInterruptInsideWaitsToo(TestWorld world) {
        var thread = new Thread[1];
        var careful =
                spawn(
                        () -> {
                            thread[0] = Thread.currentThread();
                            protect(
                                    () -> {
                                        delay(SECOND);
                                        trail.add("block done");
                                    });
                            trail.add("never");
                        });
        world.settle();
        thread[0].interrupt();

        assertEquals("interrupted", reason(careful.awaitOutcome()));

        assertEquals(List.of("block done"), trail);
    }

    @HeddleTest(seeds = 20)
    void aLimitInsideWorks(TestWorld world) {
        var careful =
                spawn(
                        () ->
                                protect(
                                        () -> {
                                            assertThrows(
                                                    OperationCancelledException.class,
                                                    () -> within(SECOND, () -> delay(HOUR)));
                                            trail.add("limit at " + world.elapsed());
                                            delay(SECOND);
                                            trail.add("done at " + world.elapsed());
                                        }));
        world.settle();
        careful.cancel("stop");

        assertEquals("stop", reason(careful.awaitOutcome()));

        assertEquals(List.of("limit at PT1S", "done at PT2S"), trail);
    }

    @HeddleTest
    void aLimitAroundWaitsForTheBlock(TestWorld world) {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                within(
                                        SECOND,
                                        () -> {
                                            protect(() -> delay(SECOND.multipliedBy(5)));
                                            trail.add("never");
                                        }));
        assertTrue(thrown.timedOut());
        assertEquals(Duration.ofSeconds(5), world.elapsed());
        delay(SECOND);

        assertEquals(List.of(), trail);
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void cancellingTheScopeWaitsForTheBlockToo(TestWorld world) {
        var scope = new Scope().asNotSafely();
        var careful = scope.spawn(() -> protect(() -> delay(SECOND)));
        world.settle();

        scope.cancel("stop");

        scope.awaitCompletion();
        assertEquals(SECOND, world.elapsed());
        assertTrue(careful.isCancelled());
    }
}
