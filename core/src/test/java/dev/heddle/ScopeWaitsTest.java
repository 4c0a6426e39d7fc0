package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
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
import java.util.Set;
import java.util.function.Consumer;

/// Waiting for scopes, with their zombies and without.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeWaitsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    // ---- awaitCompletion ----

    @HeddleTest
    void anEmptyScopeIsCompleteAtOnce(TestWorld world) {
        var scope = new Scope();
        scope.awaitCompletion();
        scope.awaitCompletion(Token.after(Duration.ZERO));
        scope.close();

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void returnsByCompletionAndNotByTheToken(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> delay(SECOND));
        Scope.inherit(scope).spawn(() -> delay(SECOND.multipliedBy(2)));
        scope.awaitCompletion(Token.after(HOUR));
        assertEquals(Duration.ofSeconds(2), world.elapsed());
        scope.close();
    }

    @HeddleTest(seeds = 20)
    void aTokenEndsTheWaitAndTheScopeGoesOn(TestWorld world) {
        var scope = new Scope();
        var child = scope.spawn(() -> delay(SECOND));

        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () -> scope.awaitCompletion(Token.after(Duration.ofMillis(50))));

        assertTrue(thrown.timedOut());
        assertFalse(scope.isClosed());
        assertEquals(1, scope.active());
        child.cancel("stop");
        scope.awaitCompletion();
        scope.close();
        assertTrue(scope.isFinished());
        assertEquals(Duration.ofMillis(50), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void doesNotWaitForZombies(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> delay(HOUR));
        var waiter =
                spawn(
                        () -> {
                            scope.awaitCompletion();
                            trail.add("complete at " + world.elapsed());
                        });
        delay(SECOND);

        scope.disposeSafely();

        await(waiter);
        scope.awaitCompletion();
        assertEquals(1, scope.zombies());
        scope.dispose();

        assertEquals(List.of("complete at PT1S"), trail);
    }

    @HeddleTest(seeds = 20)
    void waitsForCleanUp(TestWorld world) {
        var scope = new Scope().asNotSafely();
        scope.spawn(() -> cleanUpFor(Duration.ofMillis(700)));
        world.settle();
        scope.cancel("stop");

        scope.awaitCompletion();

        assertEquals(Duration.ofMillis(700), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aCancelledWaiterLeavesTheScopeAlone(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> delay(SECOND));
        var waiter = spawn(() -> scope.awaitCompletion());
        suspend();

        assertEquals("stop", reason(waiter.cancelAndAwait("stop")));

        assertEquals(1, scope.active());
        scope.awaitCompletion();
        scope.close();

        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void canBeAwaitedAgainAndAgain(TestWorld world) {
        var scope = new Scope();
        for (int i = 0; i < 3; i++) {
            scope.spawn(() -> delay(SECOND));
            scope.awaitCompletion();
            trail.add("complete at " + world.elapsed());
        }
        scope.close();

        assertEquals(List.of("complete at PT1S", "complete at PT2S", "complete at PT3S"), trail);
    }

    @HeddleTest(seeds = 20)
    void fromInsideItWouldWaitForItselfAndIsRefused() {
        var scope = new Scope();
        var below = Scope.inherit(Scope.inherit(scope));
        var inside = scope.spawn(() -> scope.awaitCompletion());
        var grandchild = below.spawn(() -> scope.awaitCompletion());
        var inBlock = scope.spawn(() -> Scope.run(block -> scope.awaitCompletion()));
        for (var each : List.of(inside, grandchild, inBlock)) {
            each.observed();
        }
        for (var each : List.of(inside, grandchild, inBlock)) {
            var thrown = assertThrows(IllegalStateException.class, () -> await(each));
            assertTrue(
                    thrown.getMessage().contains("awaitCompletion from inside"),
                    thrown.getMessage());
        }
        scope.cancel("stop");
        scope.awaitCompletion();
    }

    @HeddleTest(seeds = 20)
    void aParentMayWaitForAScopeBelowAndABodyForItsBlock(TestWorld world) {
        Scope.run(
                scope -> {
                    scope.spawn(() -> delay(SECOND));
                    scope.awaitCompletion();
                    trail.add("block complete at " + world.elapsed());
                });

        assertEquals(List.of("block complete at PT1S"), trail);
    }

    // ---- awaitAfterCancellation ----

    @HeddleTest(seeds = 20)
    void waitingForEverythingIsAnErrorBeforeTheScopeWasCancelled() {
        var scope = new Scope();
        scope.spawn(() -> delay(SECOND));

        assertThrows(
                IllegalStateException.class,
                () -> scope.awaitAfterCancellation((error, source) -> {}));

        scope.dispose();
        scope.awaitAfterCancellation((error, source) -> {});
        assertTrue(scope.isFinished());
    }

    @Test
    void everyWayToEndAScopeMakesItLegal() {
        for (var end :
                List.<Consumer<Scope>>of(
                        scope -> scope.cancel("stop"),
                        Scope::dispose,
                        Scope::disposeSafely,
                        scope -> scope.disposeAfterTimeout(SECOND),
                        Scope::close)) {
            World.virtual()
                    .run(
                            () -> {
                                var scope = new Scope();
                                scope.spawn(() -> delay(SECOND));
                                suspend();
                                end.accept(scope);
                                scope.awaitAfterCancellation((error, source) -> {});
                                assertTrue(scope.isFinished());
                                assertEquals(0, scope.zombies());
                            });
        }
    }

    @HeddleTest(seeds = 20)
    void waitsForZombiesToo(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> delay(SECOND));
        Scope.inherit(scope).spawn(() -> delay(SECOND.multipliedBy(2)));
        world.settle();
        scope.cancel("stop");
        scope.awaitCompletion();
        assertEquals(Duration.ZERO, world.elapsed());

        scope.awaitAfterCancellation((error, source) -> {});

        assertEquals(Duration.ofSeconds(2), world.elapsed());
        assertTrue(scope.isFinished());
    }

    @Test
    void itsHandlerGetsTheErrorsOfZombies() {
        var world = World.virtual();
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((error, source) -> world.say("never"));
                    scope.spawn("one", () -> failAfter(SECOND));
                    Scope.inherit(scope).spawn("two", () -> failAfter(SECOND.multipliedBy(2)));
                    suspend();
                    scope.cancel("stop");

                    scope.awaitAfterCancellation(
                            (error, source) ->
                                    world.say(source.name() + ": " + error.getMessage()));

                    world.say("done");
                });
        assertEquals(List.of("one: broken", "two: broken", "done"), world.trail);
        assertEquals(List.of(), world.reports(Report.Kind.UNCAUGHT));
    }

    @Test
    void itsHandlerGetsTheErrorsOfCleanUp() {
        var world = World.virtual();
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    scope.spawn(
                            "untidy",
                            () -> {
                                try {
                                    delay(HOUR);
                                } finally {
                                    failAfter(Duration.ofMillis(100));
                                }
                            });
                    suspend();
                    scope.cancel("stop");
                    scope.awaitAfterCancellation(
                            (error, source) ->
                                    world.say(source.name() + ": " + error.getMessage()));
                });
        assertEquals(List.of("untidy: broken"), world.trail);
        assertEquals(List.of(), world.reports(Report.Kind.UNCAUGHT));
    }

    @HeddleTest(seeds = 20)
    void whenTheWaiterHasLeftErrorsOfZombiesGoTheirUsualWay(TestWorld world) {
        var scope = new Scope();
        scope.onException((error, source) -> trail.add("scope's handler"));
        scope.spawn(() -> failAfter(SECOND));
        world.settle();
        scope.cancel("stop");
        var waiter =
                spawn(() -> scope.awaitAfterCancellation((error, source) -> trail.add("never")));
        world.settle();
        waiter.cancelAndAwait("no time");
        delay(SECOND);
        world.settle();

        assertEquals(List.of("scope's handler"), trail);
    }

    @HeddleTest(seeds = 20)
    void everyWaiterForAllIsTold(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> failAfter(SECOND));
        world.settle();
        scope.cancel("stop");
        for (String name : List.of("a", "b")) {
            spawn(() -> scope.awaitAfterCancellation((error, source) -> trail.add(name)));
        }
        world.advance(SECOND);

        assertEquals(Set.of("a", "b"), Set.copyOf(trail));
    }

    @HeddleTest(seeds = 20)
    void whatTheHandlerThrowsIsThrownByThatWait(TestWorld world) {
        var broken = new IllegalStateException("handler broken");
        var scope = twoFailingZombies(world);
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () -> scope.awaitAfterCancellation((_, _) -> fail(broken)));
        // When everything has ended, and only once.
        assertSame(broken, thrown);
        assertEquals(2, thrown.getSuppressed().length);
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
        delay(SECOND);
    }

    @HeddleTest(seeds = 20)
    void withoutAHandlerItThrowsTheErrorsOfZombies(TestWorld world) {
        var scope = twoFailingZombies(world);
        var thrown = assertThrows(CompositeException.class, scope::awaitAfterCancellation);
        assertEquals(2, thrown.errors().size());
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void anErrorWinsOverTheCancellationOfWhoeverWaits(TestWorld world) {
        var scope = twoFailingZombies(world);
        var waiter = spawn(() -> scope.awaitAfterCancellation()).observed();
        delay(SECOND.plusMillis(1));
        var failed =
                assertInstanceOf(Outcome.Failure.class, waiter.cancelAndAwait("enough")).error();
        assertEquals(IllegalStateException.class, failed.getClass());
        assertInstanceOf(Cancellation.class, failed.getSuppressed()[0]);
        scope.awaitAfterCancellation((_, _) -> {});
    }

    @HeddleTest(seeds = 20)
    void aTokenEndsTheWaitForEverything(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> delay(SECOND));
        world.settle();
        scope.cancel("stop");
        var token = Token.after(Duration.ofMillis(1));
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () -> scope.awaitAfterCancellation(token));
        assertTrue(thrown.timedOut());
        assertThrows(
                OperationCancelledException.class,
                () -> scope.awaitAfterCancellation(token, (_, _) -> {}));
        scope.awaitAfterCancellation();
    }

    private static Scope twoFailingZombies(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> failAfter(SECOND));
        scope.spawn(() -> failAfter(SECOND.multipliedBy(2)));
        world.settle();
        scope.cancel("stop");
        return scope;
    }

    @HeddleTest(seeds = 20)
    void fromInsideWaitingForEverythingIsRefused(TestWorld world) {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () -> {
                            delay(SECOND);
                            scope.awaitAfterCancellation((error, source) -> {});
                        });
        world.settle();
        scope.cancel("stop");

        var thrown = assertThrows(IllegalStateException.class, () -> await(zombie));

        assertTrue(thrown.getMessage().contains("from inside"), thrown.getMessage());
    }

    private static void failAfter(Duration duration) {
        delay(duration);
        fail(new IllegalStateException("broken"));
    }

    private static void cleanUpFor(Duration duration) {
        try {
            delay(HOUR);
        } finally {
            delay(duration);
        }
    }
}
