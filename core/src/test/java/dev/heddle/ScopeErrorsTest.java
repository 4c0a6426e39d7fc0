package dev.heddle;

import static dev.heddle.CancellationTest.fail;
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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/// The way of an error that nobody observes: handler, waiters, parent, top.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeErrorsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();
    private final IllegalStateException failure = new IllegalStateException("broken");

    // ---- observed or not ----

    @Test
    void oneThatIsAwaitedStaysWithItsAwaiter() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((error, source) -> world.say("never"));
                    var failing = scope.spawn(() -> failAfterASecond());
                    assertSame(
                            failure,
                            assertThrows(IllegalStateException.class, () -> await(failing)));
                    assertFalse(scope.isClosed());
                    scope.close();
                });
        assertEquals(List.of(), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void oneWhoseAwaiterLeftByATokenIsObservedAndOnlyLogged() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((error, source) -> world.say("never"));
                    var failing = scope.spawn("failing", () -> failAfterASecond());
                    assertThrows(
                            OperationCancelledException.class,
                            () -> await(failing, Duration.ofMillis(1)));
                    delay(SECOND);
                    assertTrue(failing.isFinished());
                    assertFalse(scope.isClosed());
                    scope.close();
                });
        assertEquals(List.of(), world.trail);
        assertEquals(1, world.reports(Report.Kind.UNREAD_FAILURE).size());
        assertTrue(world.reports().getFirst().text().contains("failing"));
    }

    @Test
    void oneThatLostARaceIsObserved() {
        world.run(
                () -> {
                    var failing = spawn(() -> failAfterASecond());
                    var quick = spawn(() -> 7);
                    assertEquals(7, Heddle.<Object>awaitAny(failing, quick));
                    delay(SECOND.multipliedBy(2));
                });
        assertEquals(1, world.reports(Report.Kind.UNREAD_FAILURE).size());
        assertEquals(1, world.reports().size());
    }

    @Test
    void oneThatIsMarkedObservedWaitsOnItsHandleAndIsNotLoggedOnceRead() {
        world.run(
                () -> {
                    var failing = spawn(() -> fail(failure)).observed();
                    delay(SECOND);
                    for (int i = 0; i < 2; i++) {
                        assertSame(
                                failure,
                                assertThrows(IllegalStateException.class, () -> await(failing)));
                    }
                });
        assertEquals(List.of(), world.reports());
    }

    @Test
    void onCompletionDoesNotObserve() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((error, source) -> world.say("routed"));
                    var failing = scope.spawn(() -> fail(failure));
                    failing.onCompletion(outcome -> world.say("told"));
                    delay(SECOND);
                    scope.close();
                });
        assertEquals(List.of("routed", "told"), world.trail);
    }

    @Test
    void laterAwaitsStillThrowWhatWasRouted() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((error, source) -> world.say("routed"));
                    var failing = scope.spawn(() -> fail(failure));
                    delay(SECOND);
                    assertSame(
                            failure,
                            assertThrows(IllegalStateException.class, () -> await(failing)));
                    scope.close();
                });
        assertEquals(List.of("routed"), world.trail);
    }

    // ---- handlers ----

    @Test
    void theScopesHandlerGetsErrorAndSourceAndNothingIsCancelled() {
        world.run(
                () -> {
                    var scope = new Scope().named("shop");
                    scope.onException(
                            (error, source) ->
                                    world.say(
                                            error.getMessage()
                                                    + " in "
                                                    + source.name()
                                                    + " of "
                                                    + source.scope().name()));
                    scope.spawn("one", () -> fail(new IllegalStateException("first")));
                    scope.spawn("two", () -> fail(new IOException("second")));
                    scope.spawn(
                            "three",
                            () -> {
                                delay(SECOND);
                                world.say("third done");
                            });
                    scope.awaitCompletion();
                    assertFalse(scope.isClosed());
                    scope.close();
                    assertTrue(scope.isFinished());
                });
        assertEquals(
                List.of("first in one of shop", "second in two of shop", "third done"),
                world.trail);
    }

    @Test
    void theParentsHandlerForChildScopesGetsWhatAChildDoesNotHandle() {
        world.run(
                () -> {
                    var parent = new Scope();
                    parent.onException((error, source) -> world.say("never"));
                    parent.onChildScopeException(
                            (error, source) -> world.say("child's " + error.getMessage()));
                    var child = Scope.inherit(parent);
                    child.spawn(() -> fail(failure));
                    delay(SECOND);
                    assertTrue(child.isClosed(), "it had no handler");
                    assertTrue(child.isFinished());
                    assertFalse(parent.isClosed());
                    parent.close();
                });
        assertEquals(List.of("child's broken"), world.trail);
    }

    @Test
    void withoutOneForChildScopesTheParentsOwnHandlerGetsIt() {
        world.run(
                () -> {
                    var parent = new Scope();
                    parent.onException((error, source) -> world.say(error.getMessage()));
                    var middle = Scope.inherit(parent);
                    var child = Scope.inherit(middle);
                    child.spawn(() -> fail(failure));
                    delay(SECOND);
                    assertTrue(middle.isClosed());
                    assertFalse(parent.isClosed());
                    parent.close();
                });
        assertEquals(List.of("broken"), world.trail);
    }

    @Test
    void whatAHandlerThrowsGoesOnWithTheFirstSuppressed() {
        world.run(
                () -> {
                    var parent = new Scope();
                    parent.onException(
                            (error, source) ->
                                    world.say(
                                            error.getMessage()
                                                    + " after "
                                                    + error.getSuppressed()[0].getMessage()));
                    var child = Scope.inherit(parent);
                    child.onException(
                            (error, source) -> fail(new IllegalStateException("handler broken")));
                    child.spawn(() -> fail(failure));
                    delay(SECOND);
                    assertTrue(child.isClosed());
                    parent.close();
                });
        assertEquals(List.of("handler broken after broken"), world.trail);
    }

    @Test
    void aHandlerMaySpawn() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException(
                            (error, source) ->
                                    source.scope().spawn(() -> world.say("spawned by handler")));
                    scope.spawn(() -> fail(failure));
                    delay(SECOND);
                    scope.close();
                });
        assertEquals(List.of("spawned by handler"), world.trail);
    }

    // ---- without a handler ----

    @Test
    void siblingsInASafeScopeBecomeZombiesAndTheWaiterGetsTheError() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var sibling =
                            scope.spawn(
                                    () -> {
                                        delay(SECOND.multipliedBy(2));
                                        world.say("sibling done");
                                    });
                    scope.spawn(() -> failAfterASecond());

                    var thrown = assertThrows(IllegalStateException.class, scope::awaitCompletion);

                    assertSame(failure, thrown);
                    assertTrue(sibling.isZombie());
                    assertTrue(scope.isClosed());
                    sibling.await();
                });
        assertEquals(List.of("sibling done"), world.trail);
        assertEquals(List.of(), world.reports(Report.Kind.UNCAUGHT));
    }

    @Test
    void siblingsInANotSafeScopeAreCancelled() {
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    var sibling = scope.spawn(() -> delay(HOUR));
                    scope.spawn(() -> failAfterASecond());

                    assertThrows(IllegalStateException.class, scope::awaitCompletion);

                    sibling.awaitOutcome();
                    assertTrue(sibling.isCancelled());
                    assertTrue(scope.isFinished());
                });
        assertEquals(SECOND, world.elapsed());
    }

    @Test
    void everyWaiterGetsItAndThatEndsTheRouting() {
        world.run(
                () -> {
                    var parent = new Scope();
                    parent.onException((error, source) -> world.say("never"));
                    var scope = Scope.inherit(parent);
                    scope.spawn(() -> failAfterASecond());
                    for (int i = 0; i < 2; i++) {
                        spawn(
                                () -> {
                                    assertThrows(
                                            IllegalStateException.class, scope::awaitCompletion);
                                    world.say("waiter told");
                                });
                    }
                    delay(SECOND.multipliedBy(2));
                    assertFalse(parent.isClosed());
                    parent.close();
                });
        assertEquals(List.of("waiter told", "waiter told"), world.trail);
    }

    @Test
    void aWaiterOfTheParentGetsWhatAChildScopeDoesNotHandle() {
        world.run(
                () -> {
                    var parent = new Scope();
                    var child = Scope.inherit(parent);
                    child.spawn(() -> failAfterASecond());

                    assertThrows(IllegalStateException.class, parent::awaitCompletion);

                    assertTrue(child.isClosed());
                    assertTrue(parent.isClosed());
                });
    }

    @Test
    void aWaiterGetsACheckedErrorAsACause() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var checked = new IOException("disk full");
                    scope.spawn(
                            () -> {
                                delay(SECOND);
                                fail(checked);
                            });
                    var thrown = assertThrows(CompletionException.class, scope::awaitCompletion);
                    assertSame(checked, thrown.getCause());
                });
    }

    @Test
    void atTheTopTheProgramShutsDownGracefullyAndRunThrows() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            var scope = new Scope();
                                            spawn(() -> sayWhenCut("other"));
                                            scope.spawn("failing", () -> failAfterASecond());
                                            sayWhenCut("main");
                                        }));
        assertSame(failure, thrown);
        assertEquals(List.of("main cut", "other cut"), world.trail);
        assertEquals(Duration.ofMillis(1500), world.elapsed());
        assertEquals(1, world.reports(Report.Kind.UNCAUGHT).size());
        assertTrue(world.reports(Report.Kind.UNCAUGHT).getFirst().contains("failing"));
    }

    @Test
    void aSecondUncaughtErrorEndsTheShutdownAtOnce() {
        var second = new IllegalStateException("second");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(() -> failAfterASecond());
                                            spawn(
                                                    () -> {
                                                        try {
                                                            delay(HOUR);
                                                        } finally {
                                                            fail(second);
                                                        }
                                                    });
                                            Heddle.protect(() -> delay(HOUR));
                                        }));
        assertSame(failure, thrown);
        assertSame(second, thrown.getSuppressed()[0]);
        assertEquals(SECOND, world.elapsed());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
    }

    @Test
    void aShutdownHasALimit() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.with(o -> o.shutdownLimit(SECOND.multipliedBy(3)))
                                        .run(
                                                () -> {
                                                    spawn(() -> fail(failure));
                                                    Heddle.protect(() -> delay(HOUR));
                                                }));
        assertSame(failure, thrown);
        assertEquals(Duration.ofSeconds(3), world.elapsed());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
    }

    @Test
    void whatCleanUpSpawnsDuringAShutdownRuns() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        world.run(
                                () -> {
                                    spawn(() -> fail(failure));
                                    try {
                                        delay(HOUR);
                                    } finally {
                                        spawn(() -> world.say("spawned by clean-up"));
                                    }
                                }));
        assertEquals(List.of("spawned by clean-up"), world.trail);
    }

    @Test
    void aFailureOfMainEndsTheOthersAndIsThrown() {
        var thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(() -> sayWhenCut("other"));
                                            suspend();
                                            fail(new IOException("disk full"));
                                        }));
        assertEquals("disk full", thrown.getMessage());
        assertEquals(List.of("other cut"), world.trail);
    }

    @Test
    void anErrorOfTheJvmIsRoutedLikeAnyOther() {
        var thrown =
                assertThrows(
                        StackOverflowError.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(ScopeErrorsTest::overflow);
                                            delay(HOUR);
                                        }));
        assertInstanceOf(StackOverflowError.class, thrown);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    private static int overflow() {
        return 1 + overflow();
    }

    // ---- for these tests ----

    private Object failAfterASecond() {
        delay(SECOND);
        return fail(failure);
    }

    private void sayWhenCut(String name) {
        try {
            delay(HOUR);
        } finally {
            delay(Duration.ofMillis(500));
            world.say(name + " cut");
        }
    }
}
