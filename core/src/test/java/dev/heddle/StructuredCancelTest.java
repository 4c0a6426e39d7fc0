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

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Blocks that are cancelled, from inside and from outside, and their end.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class StructuredCancelTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    // ---- cancelling ----

    @HeddleTest(seeds = 20)
    void theOwnerCancelledInTheBodyCancelsAndWaitsForTheChildren(TestWorld world) {
        var owner =
                spawn(
                        () ->
                                Scope.run(
                                        scope -> {
                                            scope.spawn(() -> sayWhenCut("child"));
                                            sayWhenCut("body");
                                        }));
        world.settle();
        world.settle();

        assertEquals("stop", reason(owner.cancelAndAwait("stop")));
        assertEquals(SECOND, world.elapsed());

        assertEquals(List.of("body cut", "child cut"), trail);
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void theOwnerCancelledWhileItWaitsCancelsTheChildrenAndWaitsOn(TestWorld world) {
        var owner = spawn(() -> Scope.run(scope -> scope.spawn(() -> sayWhenCut("child"))));
        delay(SECOND);

        assertEquals("stop", reason(owner.cancelAndAwait("stop")));
        assertEquals(Duration.ofMillis(1500), world.elapsed());

        assertEquals(List.of("child cut"), trail);
    }

    @HeddleTest(seeds = 20)
    void anOwnerThatWaitsForStubbornChildrenIsNotTheOneReported(TestWorld world) {
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

        assertEquals(1, world.reports().size());
        assertTrue(world.reports().getFirst().text().contains("\"child\""));
    }

    @HeddleTest(seeds = 20)
    void cancelledByItsBodyItReturnsWhenTheBodyEndedByItself(TestWorld world) {
        Scope.run(
                scope -> {
                    scope.spawn(() -> sayWhenCut("child"));
                    world.settle();
                    scope.cancel("enough");
                    assertTrue(scope.isCancelled());
                    assertThrows(
                            IllegalStateException.class,
                            () -> scope.spawn(() -> trail.add("never")));
                });
        trail.add("after");

        assertEquals(List.of("child cut", "after"), trail);
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

    @HeddleTest
    void disposedAfterATimeoutTheBodyIsCutToo(TestWorld world) {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        Scope.run(
                                scope -> {
                                    scope.disposeAfterTimeout(SECOND);
                                    delay(HOUR);
                                }));
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void cancellingItAfterItsEndDoesNothingToItsFormerOwner() {
        Scope kept = Scope.call(scope -> scope);
        var canceller = spawn(() -> kept.cancel("too late"));

        delay(SECOND);

        assertTrue(canceller.isFinished());
        assertFalse(Heddle.current().isCancellationRequested());
    }

    @HeddleTest(seeds = 20)
    void itHasNoZombiesDisposedSafelyItStillWaits(TestWorld world) {
        Scope.run(
                scope -> {
                    scope.spawn(() -> sayAfter(SECOND, "begun goes on"));
                    world.settle();
                    scope.spawn(() -> trail.add("never"));
                    scope.disposeSafely();
                    assertEquals(0, scope.zombies());
                });
        trail.add("after");

        assertEquals(List.of("begun goes on", "after"), trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aBlockInsideACancelledBlockIsReachedByAShutdown() {
        var world = World.virtual();
        world.run(
                () -> {
                    var owner = spawn(() -> Scope.run(this::cutAndOpenABlock));
                    owner.observed();
                    // Its clean-up window is open until a second is over.
                    delay(Duration.ofMillis(800));
                    Heddle.shutdown();
                    owner.awaitOutcome();
                });
        assertEquals(List.of("inner child cut"), trail);
        assertEquals(Duration.ofMillis(1300), world.elapsed());
    }

    private void cutAndOpenABlock(Scope outer) {
        outer.cancel("enough");
        try {
            suspend();
        } finally {
            Scope.run(inner -> inner.spawn(() -> sayWhenCut("inner child")));
        }
    }

    // ---- the end of it ----

    @HeddleTest
    void finallyHandlersAreCalledAfterTheBodyAndTheChildren() {
        Scope.run(
                scope -> {
                    scope.onFinally(each -> trail.add("finally " + each.equals(scope)));
                    scope.cancel("enough");
                    trail.add("body");
                });
        suspend();

        assertEquals(List.of("body", "finally true"), trail);
    }

    @HeddleTest(seeds = 20)
    void runInsideACoroutineIsAScopeOfItsOwn() {
        int value =
                Heddle.run(
                        () -> {
                            spawn(() -> sayAfter(SECOND, "child"));
                            return 7;
                        });
        trail.add("got " + value);

        assertEquals(List.of("child", "got 7"), trail);
    }

    // ---- for these tests ----

    private void sayAfter(Duration duration, String line) {
        delay(duration);
        trail.add(line);
    }

    private void sayWhenCut(String name) {
        try {
            delay(HOUR);
        } finally {
            delay(Duration.ofMillis(500));
            trail.add(name + " cut");
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
