package dev.heddle;

import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// Blocks that are cancelled, from inside and from outside, and their end.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class StructuredCancelTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    // ---- cancelling ----

    @Test
    void theOwnerCancelledInTheBodyCancelsAndWaitsForTheChildren() {
        world.run(
                () -> {
                    var owner =
                            spawn(
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> sayWhenCut("child"));
                                                        sayWhenCut("body");
                                                    }));
                    suspend();
                    suspend();

                    assertEquals("stop", reason(owner.cancelAndAwait("stop")));
                    assertEquals(SECOND, world.elapsed());
                });
        assertEquals(List.of("body cut", "child cut"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void theOwnerCancelledWhileItWaitsCancelsTheChildrenAndWaitsOn() {
        world.run(
                () -> {
                    var owner =
                            spawn(() -> Scope.run(scope -> scope.spawn(() -> sayWhenCut("child"))));
                    delay(SECOND);

                    assertEquals("stop", reason(owner.cancelAndAwait("stop")));
                    assertEquals(Duration.ofMillis(1500), world.elapsed());
                });
        assertEquals(List.of("child cut"), world.trail);
    }

    @Test
    void anOwnerThatWaitsForStubbornChildrenIsNotTheOneReported() {
        world.run(
                () -> {
                    var owner =
                            spawn(
                                    "owner",
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn("child", this::ignoreOnce);
                                                        delay(HOUR);
                                                    }));
                    delay(SECOND);

                    assertEquals("stop", reason(owner.cancelAndAwait("stop")));
                });
        assertEquals(1, world.reports().size());
        assertTrue(world.reports().getFirst().text().contains("\"child\""));
    }

    @Test
    void cancelledByItsBodyItReturnsWhenTheBodyEndedByItself() {
        world.run(
                () -> {
                    Scope.run(
                            scope -> {
                                scope.spawn(() -> sayWhenCut("child"));
                                suspend();
                                scope.cancel("enough");
                                assertTrue(scope.isCancelled());
                                assertThrows(
                                        IllegalStateException.class,
                                        () -> scope.spawn(() -> world.say("never")));
                            });
                    world.say("after");
                });
        assertEquals(List.of("child cut", "after"), world.trail);
    }

    @Test
    void cancelledWhileTheBodyIsSuspendedTheBodyIsCutAndTheCallSaysSo() {
        for (String how : List.of("cancel", "dispose", "close")) {
            var fresh = World.virtual();
            fresh.run(
                    () -> {
                        var thrown =
                                assertThrows(
                                        OperationCancelledException.class,
                                        () ->
                                                Scope.run(
                                                        scope -> {
                                                            scope.spawn(() -> end(scope, how));
                                                            delay(HOUR);
                                                        }));
                        assertFalse(thrown.timedOut());
                        assertInstanceOf(Cancellation.class, thrown.getCause());
                        assertFalse(Heddle.current().isCancellationRequested());
                        delay(SECOND);
                    });
            assertEquals(SECOND, fresh.elapsed(), how);
        }
    }

    private static void end(Scope scope, String how) {
        switch (how) {
            case "cancel" -> scope.cancel("enough");
            case "dispose" -> scope.dispose();
            case "close" -> scope.close();
            default -> throw new AssertionError(how);
        }
    }

    @Test
    void disposedAfterATimeoutTheBodyIsCutToo() {
        world.run(
                () -> {
                    assertThrows(
                            OperationCancelledException.class,
                            () ->
                                    Scope.run(
                                            scope -> {
                                                scope.disposeAfterTimeout(SECOND);
                                                delay(HOUR);
                                            }));
                    assertEquals(SECOND, world.elapsed());
                });
    }

    @Test
    void cancellingItAfterItsEndDoesNothingToItsFormerOwner() {
        world.run(
                () -> {
                    Scope kept = Scope.call(scope -> scope);
                    var canceller = spawn(() -> kept.cancel("too late"));

                    delay(SECOND);

                    assertTrue(canceller.isFinished());
                    assertFalse(Heddle.current().isCancellationRequested());
                });
    }

    @Test
    void itHasNoZombiesDisposedSafelyItStillWaits() {
        world.run(
                () -> {
                    Scope.run(
                            scope -> {
                                scope.spawn(() -> sayAfter(SECOND, "begun goes on"));
                                suspend();
                                scope.spawn(() -> world.say("never"));
                                scope.disposeSafely();
                                assertEquals(0, scope.zombies());
                            });
                    world.say("after");
                });
        assertEquals(List.of("begun goes on", "after"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aBlockInsideACancelledBlockIsReachedByAShutdown() {
        world.run(
                () -> {
                    var owner =
                            spawn(
                                    () ->
                                            Scope.run(
                                                    outer ->
                                                            Heddle.protect(
                                                                    () -> blockWithChild(outer))));
                    owner.observed();
                    delay(SECOND);
                    Heddle.shutdown();
                    owner.awaitOutcome();
                });
        assertEquals(List.of("inner child cut"), world.trail);
        assertEquals(Duration.ofMillis(1500), world.elapsed());
    }

    private void blockWithChild(Scope outer) {
        outer.cancel("enough");
        Scope.run(inner -> inner.spawn(() -> sayWhenCut("inner child")));
    }

    // ---- the end of it ----

    @Test
    void finallyHandlersAreCalledAfterTheBodyAndTheChildren() {
        world.run(
                () -> {
                    Scope.run(
                            scope -> {
                                scope.onFinally(each -> world.say("finally " + each.equals(scope)));
                                scope.cancel("enough");
                                world.say("body");
                            });
                    suspend();
                });
        assertEquals(List.of("body", "finally true"), world.trail);
    }

    @Test
    void runInsideACoroutineIsAScopeOfItsOwn() {
        world.run(
                () -> {
                    int value =
                            Heddle.run(
                                    () -> {
                                        spawn(() -> sayAfter(SECOND, "child"));
                                        return 7;
                                    });
                    world.say("got " + value);
                });
        assertEquals(List.of("child", "got 7"), world.trail);
    }

    // ---- for these tests ----

    private void sayAfter(Duration duration, String line) {
        delay(duration);
        world.say(line);
    }

    private void sayWhenCut(String name) {
        try {
            delay(HOUR);
        } finally {
            delay(Duration.ofMillis(500));
            world.say(name + " cut");
        }
    }

    private void ignoreOnce() {
        try {
            delay(HOUR);
        } catch (Cancellation swallowed) {
            delay(HOUR);
        }
    }
}
