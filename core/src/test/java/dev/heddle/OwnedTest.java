package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.spawnCall;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/// What a coroutine owns is closed, once, whatever happens.
class OwnedTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLI = Duration.ofMillis(1);

    private final List<String> trail = new ArrayList<>();

    private static IOException broken() {
        return new IOException("cannot close");
    }

    private final Thing brittle =
            new Thing(
                    trail,
                    () -> {
                        throw broken();
                    });

    private static <T> T cancelledBeforeItBegins(Coroutine<T> coroutine) {
        coroutine.cancel("changed my mind");
        return await(coroutine);
    }

    // ---- the coroutine closes ----

    @HeddleTest
    void closesAfterTheBodyHasReturned() {
        var thing = new Thing(trail);
        assertNull(await(spawn(thing, mine -> trail.add("body " + (mine == thing)))));
        assertEquals(List.of("body true", "close", "closed"), trail);
        thing.closedOnce();
    }

    @HeddleTest
    void everyFormOfLambdaCompiles() {
        int value = await(spawnCall(new Thing(trail), thing -> thing.closes + 7));
        assertEquals(7, value);
        assertEquals(7, await(spawnCall("named", new Thing(trail), this::seven)));
        assertNull(await(spawn(new Thing(trail), thing -> trail.add("value, unused"))));
        assertNull(await(spawn(new Thing(trail), this::seven)));
        assertNull(await(spawn("named", new Thing(trail), _ -> {})));
        assertEquals("named", spawn("named", new Thing(trail), this::seven).name());
        Scope.run(
                scope -> {
                    assertEquals(7, await(scope.spawnCall(new Thing(trail), this::seven)));
                    int inScope = await(scope.spawnCall("named", new Thing(trail), _ -> 7));
                    assertEquals(7, inScope);
                    assertNull(await(scope.spawn(new Thing(trail), this::seven)));
                    assertNull(await(scope.spawn("named", new Thing(trail), _ -> delay(MILLI))));
                });
    }

    private int seven(Thing thing) {
        return 7 + thing.closes;
    }

    @HeddleTest
    void messagesNameTheClassOfTheBody() {
        var coroutine = spawn(new Thing(trail), this::seven);
        assertTrue(coroutine.name().endsWith("OwnedTest"), coroutine::name);
        await(coroutine);
    }

    @HeddleTest
    void closesAfterTheBodyHasFailed() {
        var thing = new Thing(trail);
        var coroutine =
                spawn(
                        thing,
                        _ -> {
                            throw new IOException("in the body");
                        });
        var thrown = assertThrows(CompletionException.class, () -> await(coroutine));
        assertEquals("in the body", thrown.getCause().getMessage());
        thing.closedOnce();
    }

    @HeddleTest(seeds = 50)
    void closesAfterTheBodyWasCancelledAndMayWait(TestWorld world) {
        var thing = new Thing(trail, () -> delay(Duration.ofMillis(900)));
        var coroutine = spawn(thing, _ -> delay(HOUR));
        coroutine.cancelAndAwait("enough");
        assertTrue(coroutine.isCancelled());
        assertEquals(Duration.ofMillis(900), world.elapsed());
        thing.closedOnce();
    }

    // ---- cancelled before it began ----

    @HeddleTest
    void cancelledBeforeItBeganTheBodyIsLeftOutAndTheCloseMayWait(TestWorld world) {
        var thing = new Thing(trail, () -> delay(Duration.ofMillis(900)));
        var coroutine = spawn(thing, _ -> trail.add("body"));
        assertThrows(Cancellation.class, () -> cancelledBeforeItBegins(coroutine));
        assertTrue(coroutine.isCancelled());
        assertEquals(List.of("close", "closed"), trail);
        assertEquals(Duration.ofMillis(900), world.elapsed());
    }

    @HeddleTest
    void aScopeThatIsDisposedOfClosesWhatHasNotBegun() {
        var scope = new Scope();
        var thing = new Thing(trail, () -> delay(MILLI));
        scope.spawn(thing, _ -> trail.add("body"));
        scope.dispose();
        assertEquals(1, scope.active());
        scope.awaitCompletion();
        assertEquals(List.of("close", "closed"), trail);
    }

    @HeddleTest
    void whatHasNotBegunInASafeScopeClosesAndIsNoZombie() {
        var scope = new Scope();
        scope.spawn(new Thing(trail, () -> delay(MILLI)), _ -> trail.add("body"));
        scope.disposeSafely();
        suspend();
        assertEquals(0, scope.zombies());
        assertEquals(1, scope.active());
        scope.awaitCompletion();
        assertEquals(List.of("close", "closed"), trail);
    }

    @HeddleTest
    void aFailingSiblingClosesWhatHasNotBegun() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        Scope.run(
                                scope -> {
                                    scope.spawn(
                                            new Thing(trail, () -> delay(MILLI)), _ -> delay(HOUR));
                                    throw new IllegalStateException("out of luck");
                                }));
        assertEquals(List.of("close", "closed"), trail);
    }

    @HeddleTest(seeds = 1000)
    void whoeverCancelsWheneverItIsClosedOnce(TestWorld world) {
        var thing = new Thing(trail, () -> delay(MILLI));
        var coroutine = spawnCall(thing, _ -> worksFor(world.random().nextInt(3)));
        var killer =
                spawn(
                        () -> {
                            worksFor(world.random().nextInt(3));
                            coroutine.cancel("enough");
                        });
        worksFor(world.random().nextInt(3));
        coroutine.cancel("me too");
        coroutine.awaitOutcome();
        await(killer);
        thing.closedOnce();
        assertEquals("closed", trail.getLast());
    }

    private static int worksFor(int millis) {
        for (int i = 0; i < millis; i++) {
            delay(MILLI);
            suspend();
        }
        return millis;
    }

    // ---- cancelled while it closes ----

    @HeddleTest(seeds = 50)
    void aCancellationDoesNotEndACloseThatTakesLessThanItsWindow(TestWorld world) {
        var coroutine =
                spawnCall(new Thing(trail, () -> delay(Duration.ofMillis(1500))), _ -> "the value");
        delay(SECOND);
        coroutine.cancel("enough");
        assertEquals("the value", await(coroutine));
        assertEquals(Duration.ofMillis(1500), world.elapsed());
        assertEquals(List.of("close", "closed"), trail);
    }

    @HeddleTest
    void aCancellationThatTheBodyDidNotSeeDoesNotEndTheClose() {
        var coroutine =
                spawnCall(
                        new Thing(trail, () -> delay(MILLI)),
                        _ -> {
                            Heddle.current().cancel("enough");
                            return "the value";
                        });
        assertEquals("the value", await(coroutine));
        assertEquals(List.of("close", "closed"), trail);
    }

    @HeddleTest(seeds = 50)
    void aCloseThatHangsIsEndedAfterItsWindow(TestWorld world) {
        var coroutine = spawn(new Thing(trail, () -> delay(HOUR)), _ -> {});
        delay(SECOND);
        coroutine.cancel("enough");
        coroutine.awaitOutcome();
        assertTrue(coroutine.isCancelled());
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
        assertEquals(List.of("close"), trail);
    }

    @HeddleTest
    void aLimitInsideTheCloseStillEndsIt(TestWorld world) {
        var coroutine = spawn(new Thing(trail, () -> within(MILLI, () -> delay(HOUR))), _ -> {});
        assertThrows(OperationCancelledException.class, () -> await(coroutine));
        assertEquals(MILLI, world.elapsed());
    }

    @HeddleTest
    void aLimitInsideTheCloseDoesNotBringTheCancellationBack(TestWorld world) {
        var thing =
                new Thing(
                        trail,
                        () -> {
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> within(MILLI.multipliedBy(2), () -> delay(HOUR)));
                            delay(MILLI);
                        });
        var coroutine = spawnCall(thing, _ -> "the value");
        delay(MILLI);
        coroutine.cancel("enough");
        assertEquals("the value", await(coroutine));
        assertEquals(MILLI.multipliedBy(3), world.elapsed());
        assertEquals(List.of("close", "closed"), trail);
    }

    @HeddleTest
    void aCallOfTheJdkThatWasCutOffIsTheCancellationAlsoIfTheCloseWaits() {
        var latch = new CountDownLatch(1);
        var coroutine = spawn(new Thing(trail, () -> delay(MILLI)), _ -> wrapped(latch));
        suspend();
        coroutine.cancelAndAwait("enough");
        assertTrue(coroutine.isCancelled());
        assertEquals(List.of("close", "closed"), trail);
    }

    // As libraries do.
    private static void wrapped(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException cut) {
            throw new IOException("interrupted", cut);
        }
    }

    @HeddleTest
    void whatCloseThrowsWinsOverACallThatWasCutOff() {
        var latch = new CountDownLatch(1);
        var coroutine = spawn(brittle, _ -> wrapped(latch));
        suspend();
        failsWithTheCancellationSuppressed(coroutine.cancelAndAwait("enough"));
    }

    @HeddleTest
    void inCleanUpTheBodyRunsAndItIsClosed() {
        var scope = new Scope();
        scope.spawn(
                () -> {
                    try {
                        delay(HOUR);
                    } finally {
                        scope.spawn(
                                new Thing(trail, () -> delay(MILLI)), _ -> trail.add("goodbye"));
                    }
                });
        suspend();
        scope.dispose();
        scope.awaitCompletion();
        assertEquals(List.of("goodbye", "close", "closed"), trail);
    }

    // ---- what close throws ----

    @HeddleTest
    void whatCloseThrowsIsTheFailure() {
        var thrown =
                assertThrows(
                        IOException.class, () -> await(spawn(brittle, _ -> {}), IOException.class));
        assertEquals("cannot close", thrown.getMessage());
    }

    @HeddleTest
    void whatCloseThrowsIsSuppressedByTheBodysFailure() {
        var coroutine =
                spawn(
                        brittle,
                        _ -> {
                            throw new IllegalStateException("in the body");
                        });
        var thrown = assertThrows(IllegalStateException.class, () -> await(coroutine));
        assertEquals("in the body", thrown.getMessage());
        assertEquals("cannot close", thrown.getSuppressed()[0].getMessage());
    }

    @HeddleTest
    void whatCloseThrowsWinsOverTheCancellation() {
        var coroutine = spawn(brittle, _ -> delay(HOUR));
        suspend();
        failsWithTheCancellationSuppressed(coroutine.cancelAndAwait("enough"));
    }

    @HeddleTest
    void whatCloseThrowsWinsAlsoIfTheBodyNeverBegan() {
        var coroutine = spawn(brittle, _ -> trail.add("body"));
        failsWithTheCancellationSuppressed(coroutine.cancelAndAwait("enough"));
        assertEquals(List.of("close"), trail);
    }

    private static void failsWithTheCancellationSuppressed(Outcome<?> outcome) {
        var failure = assertInstanceOf(Outcome.Failure.class, outcome);
        var error = failure.error();
        assertEquals("cannot close", error.getMessage());
        assertEquals(1, error.getSuppressed().length);
        assertEquals("enough", error.getSuppressed()[0].getMessage());
    }

    @HeddleTest
    void throwingTheBodysOwnExceptionAgainIsNotSuppressedByItself() {
        var same = new IllegalStateException("the same");
        var thing =
                new Thing(
                        trail,
                        () -> {
                            throw same;
                        });
        var coroutine =
                spawn(
                        thing,
                        _ -> {
                            throw same;
                        });
        assertSame(same, assertThrows(IllegalStateException.class, () -> await(coroutine)));
        assertEquals(0, same.getSuppressed().length);
    }
}
