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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// The shield: no cancellation enters it, none is lost.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ProtectTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    @Test
    void theBlockRunsToItsEndAndWhatFollowsItIsNotReached() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () -> {
                                        protect(
                                                () -> {
                                                    delay(SECOND);
                                                    world.say("block done");
                                                });
                                        world.say("never");
                                    });
                    suspend();
                    careful.cancel("stop");
                    suspend();
                    assertTrue(careful.isCancellationRequested());
                    assertFalse(careful.isCancelled());

                    assertEquals("stop", reason(careful.awaitOutcome()));
                    assertTrue(careful.isCancelled());
                });
        assertEquals(List.of("block done"), world.trail);
        assertEquals(SECOND, world.elapsed());
    }

    @Test
    void aCatchAroundTheBlockGetsIt() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () -> {
                                        try {
                                            protect(() -> delay(SECOND));
                                        } catch (Cancellation thrown) {
                                            world.say("caught " + thrown.reason());
                                        }
                                    });
                    suspend();
                    careful.cancel("stop");
                });
        assertEquals(List.of("caught stop"), world.trail);
    }

    @Test
    void theFirstReasonIsKept() {
        world.run(
                () -> {
                    var careful = spawn(() -> protect(() -> delay(SECOND)));
                    suspend();
                    careful.cancel("first");
                    careful.cancel("second");

                    assertEquals("first", reason(careful.awaitOutcome()));
                });
    }

    @Test
    void leavingAnInnerBlockDoesNotEndTheOuterOne() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () ->
                                            protect(
                                                    () -> {
                                                        protect(() -> delay(SECOND));
                                                        world.say("inner done");
                                                        suspend();
                                                        delay(SECOND);
                                                        world.say("outer done");
                                                    }));
                    suspend();
                    careful.cancel("stop");

                    assertEquals("stop", reason(careful.awaitOutcome()));
                });
        assertEquals(List.of("inner done", "outer done"), world.trail);
    }

    @Test
    void enteringAnOutermostBlockDeliversWhatIsPending() {
        world.run(
                () -> {
                    var self =
                            spawn(
                                    () -> {
                                        Heddle.current().cancel("stop");
                                        protect(() -> world.say("never"));
                                    });

                    assertEquals("stop", reason(self.awaitOutcome()));
                });
        assertEquals(List.of(), world.trail);
    }

    @Test
    void aSecondBlockIsNeverEntered() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () -> {
                                        protect(() -> delay(SECOND));
                                        protect(() -> world.say("never"));
                                    });
                    suspend();
                    careful.cancel("stop");
                    careful.awaitOutcome();
                });
        assertEquals(List.of(), world.trail);
    }

    @Test
    void enteringAnInnerBlockDeliversNothing() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () ->
                                            protect(
                                                    () -> {
                                                        Heddle.current().cancel("stop");
                                                        protect(() -> world.say("inner"));
                                                    }));

                    assertEquals("stop", reason(careful.awaitOutcome()));
                });
        assertEquals(List.of("inner"), world.trail);
    }

    @Test
    void aResultIsReturnedAndACheckedExceptionPasses() {
        world.run(
                () -> {
                    assertEquals(7, protect(() -> 7));
                    var thrown =
                            assertThrows(
                                    IOException.class,
                                    () -> protect(() -> fail(new IOException("disk full"))));
                    assertEquals("disk full", thrown.getMessage());
                });
    }

    @Test
    void whenTheBlockThrowsTheCancellationWaitsForTheNextSuspension() {
        world.run(
                () -> {
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
                                            world.say(thrown.getMessage());
                                        }
                                        suspend();
                                        world.say("never");
                                    });
                    suspend();

                    assertEquals("stop", reason(careful.cancelAndAwait("stop")));
                });
        assertEquals(List.of("disk full"), world.trail);
    }

    @Test
    void aCallOfTheJdkInsideIsNotInterrupted() {
        world.run(
                () -> {
                    var release = new CountDownLatch(1);
                    var careful =
                            spawn(
                                    () -> {
                                        protect(
                                                () -> {
                                                    release.await();
                                                    world.say("released");
                                                });
                                        world.say("never");
                                    });
                    suspend();
                    careful.cancel("stop");
                    delay(Duration.ofSeconds(10));
                    release.countDown();

                    assertEquals("stop", reason(careful.awaitOutcome()));
                });
        assertEquals(List.of("released"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aForeignInterruptInsideWaitsToo() {
        world.run(
                () -> {
                    var thread = new Thread[1];
                    var careful =
                            spawn(
                                    () -> {
                                        thread[0] = Thread.currentThread();
                                        protect(
                                                () -> {
                                                    delay(SECOND);
                                                    world.say("block done");
                                                });
                                        world.say("never");
                                    });
                    suspend();
                    thread[0].interrupt();

                    assertEquals("interrupted", reason(careful.awaitOutcome()));
                });
        assertEquals(List.of("block done"), world.trail);
    }

    @Test
    void aLimitInsideWorks() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () ->
                                            protect(
                                                    () -> {
                                                        assertThrows(
                                                                OperationCancelledException.class,
                                                                () ->
                                                                        within(
                                                                                SECOND,
                                                                                () -> delay(HOUR)));
                                                        world.say("limit at " + world.elapsed());
                                                        delay(SECOND);
                                                        world.say("done at " + world.elapsed());
                                                    }));
                    suspend();
                    careful.cancel("stop");

                    assertEquals("stop", reason(careful.awaitOutcome()));
                });
        assertEquals(List.of("limit at PT1S", "done at PT2S"), world.trail);
    }

    @Test
    void aLimitAroundWaitsForTheBlock() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () ->
                                            within(
                                                    SECOND,
                                                    () -> {
                                                        protect(
                                                                () ->
                                                                        delay(
                                                                                SECOND.multipliedBy(
                                                                                        5)));
                                                        world.say("never");
                                                    }));
                    assertTrue(thrown.timedOut());
                    assertEquals(Duration.ofSeconds(5), world.elapsed());
                    delay(SECOND);
                });
        assertEquals(List.of(), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void cancellingTheScopeWaitsForTheBlockToo() {
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    var careful = scope.spawn(() -> protect(() -> delay(SECOND)));
                    suspend();

                    scope.cancel("stop");

                    scope.awaitCompletion();
                    assertEquals(SECOND, world.elapsed());
                    assertTrue(careful.isCancelled());
                });
    }
}
