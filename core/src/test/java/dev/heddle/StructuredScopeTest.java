package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;

/// Blocks: they wait for their children, and throw the first failure.
final class StructuredScopeTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    // ---- waiting for children ----

    @HeddleTest(seeds = 20)
    void waitsForAllChildrenAndReturnsWhatTheBodyReturned(TestWorld world) {
        String value =
                Scope.call(
                        scope -> {
                            scope.spawn(() -> sayAfter(SECOND, "one"));
                            scope.spawn(() -> sayAfter(SECOND.multipliedBy(2), "two"));
                            trail.add("body done");
                            return "value";
                        });
        trail.add(value + " at " + world.elapsed());

        assertEquals(List.of("body done", "one", "two", "value at PT2S"), trail);
    }

    @HeddleTest(seeds = 20)
    void insideItStaticSpawnMeansThisScope() {
        Scope.run(
                scope -> {
                    var child = spawn(() -> sayAfter(SECOND, "child"));
                    assertEquals(scope, child.scope());
                    assertEquals(scope, Scope.current());
                    assertEquals(1, scope.active());
                });
        trail.add("after");
        assertFalse(Scope.current().isClosed());

        assertEquals(List.of("child", "after"), trail);
    }

    @HeddleTest(seeds = 20)
    void childrenMaySpawnIntoItWhileItWaits(TestWorld world) {
        Scope.run(
                scope ->
                        scope.spawn(
                                () -> {
                                    delay(SECOND);
                                    spawn(() -> sayAfter(SECOND, "static"));
                                    scope.spawn(() -> sayAfter(SECOND, "by scope"));
                                }));

        assertEquals(Set.of("static", "by scope"), Set.copyOf(trail));
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void afterwardsItIsClosedAndFinishedAndSoAreScopesBelowIt() {
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
            assertThrows(IllegalStateException.class, () -> each.spawn(() -> trail.add("never")));
        }

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void waitsForScopesBelowItToo() {
        Scope.run(
                scope -> {
                    var below = Scope.inherit(scope);
                    below.spawn(() -> sayAfter(SECOND, "below"));
                });
        trail.add("after");

        assertEquals(List.of("below", "after"), trail);
    }

    @HeddleTest(seeds = 20)
    void scopesNest() {
        Scope.run(
                outer -> {
                    outer.spawn(() -> sayAfter(SECOND.multipliedBy(3), "outer child"));
                    Scope.run(
                            inner -> {
                                assertEquals(inner, Scope.current());
                                spawn(() -> sayAfter(SECOND, "inner child"));
                            });
                    assertEquals(outer, Scope.current());
                    trail.add("inner done");
                });
        trail.add("outer done");

        assertEquals(List.of("inner child", "inner done", "outer child", "outer done"), trail);
    }

    // ---- failures ----

    @HeddleTest(seeds = 20)
    void theFirstFailureOfAChildCancelsBodyAndSiblingsAndIsThrown(TestWorld world) {
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
        assertEquals(Set.of("sibling cut", "body cut"), Set.copyOf(trail));
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void aFailureWhileItWaitsCancelsTheSiblings() {
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

        assertEquals(List.of("sibling cut"), trail);
    }

    @HeddleTest(seeds = 20)
    void furtherFailuresAreSuppressed() {
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
    }

    @HeddleTest(seeds = 20)
    void aCheckedFailureOfAChildArrivesAsACause() {
        var failure = new IOException("disk full");
        var thrown =
                assertThrows(
                        CompletionException.class,
                        () -> Scope.run(scope -> scope.spawn(() -> fail(failure))));
        assertSame(failure, thrown.getCause());
    }

    @HeddleTest(seeds = 20)
    void leavingTheBodyByAnExceptionCancelsTheChildrenAndIsThrownWhenTheyHaveEnded(
            TestWorld world) {
        var failure = new IOException("disk full");
        var thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                Scope.run(
                                        scope -> {
                                            scope.spawn(() -> sayWhenCut("child"));
                                            scope.spawn(() -> trail.add("begun"));
                                            world.settle();
                                            scope.spawn(() -> trail.add("never"));
                                            fail(failure);
                                        }));
        assertSame(failure, thrown);
        trail.add("thrown at " + world.elapsed());

        assertEquals(List.of("begun", "child cut", "thrown at PT0.5S"), trail);
    }

    @HeddleTest(seeds = 20)
    void ofAFailureOfTheBodyAndALaterOneOfAChildTheFirstIsThrown(TestWorld world) {
        var bodys = new IllegalStateException("body");
        var childs = new IllegalStateException("child");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Scope.run(
                                        scope -> {
                                            scope.spawn(() -> failInCleanUp(childs));
                                            world.settle();
                                            fail(bodys);
                                        }));
        assertSame(bodys, thrown);
        assertSame(childs, thrown.getSuppressed()[0]);
    }

    @HeddleTest(seeds = 20)
    void ofAFailureOfAChildAndALaterOneOfTheBodyTheFirstIsThrown() {
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
    }

    @HeddleTest(seeds = 20)
    void aFailureThatTheBodyAwaitsAndCatchesCancelsNothing() {
        Scope.run(
                scope -> {
                    var failing = scope.spawn(() -> failAfter(new IllegalStateException("x")));
                    scope.spawn(() -> sayAfter(SECOND.multipliedBy(2), "sibling done"));
                    assertThrows(IllegalStateException.class, () -> await(failing));
                    trail.add("caught");
                });
        trail.add("after");

        assertEquals(List.of("caught", "sibling done", "after"), trail);
    }

    @HeddleTest(seeds = 20)
    void anInnerFailureGoesThroughItsBlockToTheOuterOne() {
        var failure = new IllegalStateException("broken");
        Scope.run(
                outer -> {
                    outer.spawn(() -> sayAfter(SECOND.multipliedBy(2), "outer child done"));
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    inner ->
                                                            inner.spawn(() -> failAfter(failure))));
                    assertSame(failure, thrown);
                    trail.add("caught");
                });

        assertEquals(List.of("caught", "outer child done"), trail);
    }

    @HeddleTest(seeds = 20)
    void aHandlerTakesFailuresOfChildrenAndNothingIsCancelled() {
        Scope.run(
                scope -> {
                    scope.onException(
                            (error, source) ->
                                    trail.add(source.name() + ": " + error.getMessage()));
                    scope.spawn("bad", () -> failAfter(new IllegalStateException("broken")));
                    scope.spawn(() -> sayAfter(SECOND.multipliedBy(2), "done"));
                });

        assertEquals(List.of("bad: broken", "done"), trail);
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
