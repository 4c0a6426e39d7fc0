package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/// Blocks: they wait for their children, and throw the first failure.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class StructuredScopeTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    // ---- waiting for children ----

    @Test
    void waitsForAllChildrenAndReturnsWhatTheBodyReturned() {
        world.run(
                () -> {
                    String value =
                            Scope.call(
                                    scope -> {
                                        scope.spawn(() -> sayAfter(SECOND, "one"));
                                        scope.spawn(() -> sayAfter(SECOND.multipliedBy(2), "two"));
                                        world.say("body done");
                                        return "value";
                                    });
                    world.say(value + " at " + world.elapsed());
                });
        assertEquals(List.of("body done", "one", "two", "value at PT2S"), world.trail);
    }

    @Test
    void insideItStaticSpawnMeansThisScope() {
        world.run(
                () -> {
                    Scope.run(
                            scope -> {
                                var child = spawn(() -> sayAfter(SECOND, "child"));
                                assertEquals(scope, child.scope());
                                assertEquals(scope, Scope.current());
                                assertEquals(1, scope.active());
                            });
                    world.say("after");
                    assertFalse(Scope.current().isClosed());
                });
        assertEquals(List.of("child", "after"), world.trail);
    }

    @Test
    void childrenMaySpawnIntoItWhileItWaits() {
        world.run(
                () -> {
                    Scope.run(
                            scope ->
                                    scope.spawn(
                                            () -> {
                                                delay(SECOND);
                                                spawn(() -> sayAfter(SECOND, "static"));
                                                scope.spawn(() -> sayAfter(SECOND, "by scope"));
                                            }));
                    world.say("after at " + world.elapsed());
                });
        assertEquals(List.of("static", "by scope", "after at PT2S"), world.trail);
    }

    @Test
    void afterwardsItIsClosedAndFinishedAndSoAreScopesBelowIt() {
        world.run(
                () -> {
                    var below = new Scope[1];
                    Scope kept =
                            Scope.call(
                                    scope -> {
                                        below[0] = Scope.inherit(scope);
                                        return scope;
                                    });
                    for (var each : List.of(kept, below[0])) {
                        assertTrue(each.isClosed());
                        assertTrue(each.isFinished());
                        assertThrows(
                                IllegalStateException.class,
                                () -> each.spawn(() -> world.say("never")));
                    }
                });
        assertEquals(List.of(), world.trail);
    }

    @Test
    void waitsForScopesBelowItToo() {
        world.run(
                () -> {
                    Scope.run(
                            scope -> {
                                var below = Scope.inherit(scope);
                                below.spawn(() -> sayAfter(SECOND, "below"));
                            });
                    world.say("after");
                });
        assertEquals(List.of("below", "after"), world.trail);
    }

    @Test
    void scopesNest() {
        world.run(
                () -> {
                    Scope.run(
                            outer -> {
                                outer.spawn(() -> sayAfter(SECOND.multipliedBy(3), "outer child"));
                                Scope.run(
                                        inner -> {
                                            assertEquals(inner, Scope.current());
                                            spawn(() -> sayAfter(SECOND, "inner child"));
                                        });
                                assertEquals(outer, Scope.current());
                                world.say("inner done");
                            });
                    world.say("outer done");
                });
        assertEquals(
                List.of("inner child", "inner done", "outer child", "outer done"), world.trail);
    }

    // ---- failures ----

    @Test
    void theFirstFailureOfAChildCancelsBodyAndSiblingsAndIsThrown() {
        world.run(
                () -> {
                    var failure = new IllegalStateException("broken");
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> sayWhenCut("sibling"));
                                                        scope.spawn(() -> failAfter(failure));
                                                        sayWhenCut("body");
                                                    }));
                    assertSame(failure, thrown);
                    assertEquals(Duration.ofMillis(1500), world.elapsed());
                });
        assertEquals(List.of("sibling cut", "body cut"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aFailureWhileItWaitsCancelsTheSiblings() {
        world.run(
                () -> {
                    var failure = new IllegalStateException("broken");
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> sayWhenCut("sibling"));
                                                        scope.spawn(() -> failAfter(failure));
                                                    }));
                    assertSame(failure, thrown);
                });
        assertEquals(List.of("sibling cut"), world.trail);
    }

    @Test
    void furtherFailuresAreSuppressed() {
        world.run(
                () -> {
                    var first = new IllegalStateException("first");
                    var second = new IllegalStateException("second");
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> failAfter(first));
                                                        scope.spawn(() -> failInCleanUp(second));
                                                    }));
                    assertSame(first, thrown);
                    assertSame(second, thrown.getSuppressed()[0]);
                });
    }

    @Test
    void aCheckedFailureOfAChildArrivesAsACause() {
        world.run(
                () -> {
                    var failure = new IOException("disk full");
                    var thrown =
                            assertThrows(
                                    CompletionException.class,
                                    () -> Scope.run(scope -> scope.spawn(() -> fail(failure))));
                    assertSame(failure, thrown.getCause());
                });
    }

    @Test
    void leavingTheBodyByAnExceptionCancelsTheChildrenAndIsThrownWhenTheyHaveEnded() {
        world.run(
                () -> {
                    var failure = new IOException("disk full");
                    var thrown =
                            assertThrows(
                                    IOException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> sayWhenCut("child"));
                                                        scope.spawn(() -> world.say("begun"));
                                                        suspend();
                                                        scope.spawn(() -> world.say("never"));
                                                        fail(failure);
                                                    }));
                    assertSame(failure, thrown);
                    world.say("thrown at " + world.elapsed());
                });
        assertEquals(List.of("begun", "child cut", "thrown at PT0.5S"), world.trail);
    }

    @Test
    void ofAFailureOfTheBodyAndALaterOneOfAChildTheFirstIsThrown() {
        world.run(
                () -> {
                    var bodys = new IllegalStateException("body");
                    var childs = new IllegalStateException("child");
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> failInCleanUp(childs));
                                                        suspend();
                                                        fail(bodys);
                                                    }));
                    assertSame(bodys, thrown);
                    assertSame(childs, thrown.getSuppressed()[0]);
                });
    }

    @Test
    void ofAFailureOfAChildAndALaterOneOfTheBodyTheFirstIsThrown() {
        world.run(
                () -> {
                    var bodys = new IllegalStateException("body");
                    var childs = new IllegalStateException("child");
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> failAfter(childs));
                                                        failInCleanUp(bodys);
                                                    }));
                    assertSame(childs, thrown);
                    assertSame(bodys, thrown.getSuppressed()[0]);
                });
    }

    @Test
    void aFailureThatTheBodyAwaitsAndCatchesCancelsNothing() {
        world.run(
                () -> {
                    Scope.run(
                            scope -> {
                                var failing =
                                        scope.spawn(
                                                () -> failAfter(new IllegalStateException("x")));
                                scope.spawn(() -> sayAfter(SECOND.multipliedBy(2), "sibling done"));
                                assertThrows(IllegalStateException.class, () -> await(failing));
                                world.say("caught");
                            });
                    world.say("after");
                });
        assertEquals(List.of("caught", "sibling done", "after"), world.trail);
    }

    @Test
    void anInnerFailureGoesThroughItsBlockToTheOuterOne() {
        world.run(
                () -> {
                    var failure = new IllegalStateException("broken");
                    Scope.run(
                            outer -> {
                                outer.spawn(
                                        () -> sayAfter(SECOND.multipliedBy(2), "outer child done"));
                                var thrown =
                                        assertThrows(
                                                IllegalStateException.class,
                                                () ->
                                                        Scope.run(
                                                                inner ->
                                                                        inner.spawn(
                                                                                () ->
                                                                                        failAfter(
                                                                                                failure))));
                                assertSame(failure, thrown);
                                world.say("caught");
                            });
                });
        assertEquals(List.of("caught", "outer child done"), world.trail);
    }

    @Test
    void aHandlerTakesFailuresOfChildrenAndNothingIsCancelled() {
        world.run(
                () ->
                        Scope.run(
                                scope -> {
                                    scope.onException(
                                            (error, source) ->
                                                    world.say(
                                                            source.name()
                                                                    + ": "
                                                                    + error.getMessage()));
                                    scope.spawn(
                                            "bad",
                                            () -> failAfter(new IllegalStateException("broken")));
                                    scope.spawn(() -> sayAfter(SECOND.multipliedBy(2), "done"));
                                }));
        assertEquals(List.of("bad: broken", "done"), world.trail);
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

    private static <X extends Exception> void failAfter(X failure) throws X {
        delay(SECOND);
        fail(failure);
    }

    private static <X extends Exception> void failInCleanUp(X failure) throws X {
        try {
            delay(HOUR);
        } finally {
            fail(failure);
        }
    }
}
