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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Handlers of the end of a coroutine and of a scope: when, in which order, and what they throw.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CompletionHandlersTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    // ---- of a coroutine ----

    @Test
    void theyAreCalledInOrderAfterTheAwaiters() {
        world.run(
                () -> {
                    var ending = spawn(() -> delay(SECOND));
                    ending.onCompletion(end -> world.say("first handler"));
                    ending.onCompletion(end -> world.say("second handler"));
                    spawn(() -> sayAfterAwaiting(ending));
                    spawn(() -> sayAfterAwaiting(ending));
                });
        assertEquals(List.of("awaiter", "awaiter", "first handler", "second handler"), world.trail);
    }

    private void sayAfterAwaiting(Coroutine<Void> ending) {
        await(ending);
        world.say("awaiter");
    }

    @Test
    void oneAddedAfterTheEndIsCalledInTheNextTurn() {
        world.run(
                () -> {
                    var done = spawn(() -> 7);
                    await(done);
                    done.onCompletion(end -> world.say("told " + end));
                    world.say("not inside the call");
                    suspend();
                    world.say("after");
                });
        assertEquals(List.of("not inside the call", "told Success[value=7]", "after"), world.trail);
    }

    @Test
    void theyAreToldEveryKindOfEnd() {
        world.run(
                () -> {
                    var failure = new IllegalStateException("broken");
                    var failed = spawn(() -> fail(failure)).observed();
                    var cancelled = spawn(() -> delay(HOUR));
                    suspend();
                    cancelled.cancel("stop");
                    failed.onCompletion(
                            end -> {
                                assertEquals(new Outcome.Failure<Object>(failure), end);
                                world.say("failure");
                            });
                    cancelled.onCompletion(end -> world.say(reason(end)));
                });
        assertEquals(List.of("failure", "stop"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void allOfThemRunAndSeveralErrorsBecomeOneInOrder() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var routed = new ArrayList<Throwable>();
                    scope.onException((error, source) -> routed.add(error));
                    var ending = scope.spawn("ending", () -> 7);
                    for (int i = 0; i < 3; i++) {
                        String message = "handler " + i;
                        ending.onCompletion(end -> fail(new IllegalStateException(message)));
                    }
                    assertEquals(7, await(ending));
                    suspend();

                    var composite = assertInstanceOf(CompositeException.class, routed.getFirst());
                    assertEquals(1, routed.size());
                    assertEquals(
                            List.of("handler 0", "handler 1", "handler 2"),
                            composite.errors().stream().map(Throwable::getMessage).toList());
                    assertTrue(composite.getMessage().contains("ending"), composite.getMessage());
                    scope.close();
                });
    }

    @Test
    void theErrorOfTheBodyAndThoseOfTheHandlersGoTheirOwnWays() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((error, source) -> world.say(error.getMessage()));
                    var ending = scope.spawn(() -> fail(new IllegalStateException("body")));
                    ending.onCompletion(end -> fail(new IllegalStateException("handler")));
                    delay(SECOND);
                    scope.close();
                });
        assertEquals(List.of("body", "handler"), world.trail);
    }

    @Test
    void anErrorOfAHandlerThatNobodyTakesEndsTheProgram() {
        var failure = new IllegalStateException("handler broken");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(() -> 7).onCompletion(end -> fail(failure));
                                            delay(HOUR);
                                        }));
        assertSame(failure, thrown);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void aHandlerMustNotWait() {
        world.run(
                () -> {
                    var ending = spawn(() -> 7);
                    ending.onCompletion(
                            end -> {
                                assertThrows(IllegalStateException.class, () -> delay(SECOND));
                                world.say("refused");
                            });
                    await(ending);
                });
        assertEquals(List.of("refused"), world.trail);
    }

    // ---- of a scope ----

    @Test
    void aScopesHandlersAreCalledOnceItIsClosedAndEmpty() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onFinally(each -> world.say("first " + (each == scope)));
                    scope.onFinally(each -> world.say("second"));
                    scope.spawn(() -> delay(SECOND));
                    scope.awaitCompletion();
                    world.say("complete but open");
                    delay(SECOND);

                    scope.dispose();
                    world.say("disposed of");
                    delay(SECOND);
                });
        assertEquals(
                List.of("complete but open", "disposed of", "first true", "second"), world.trail);
    }

    @Test
    void theyWaitForZombies() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onFinally(each -> world.say("finally at " + world.elapsed()));
                    scope.spawn(() -> delay(SECOND));
                    suspend();
                    scope.disposeSafely();
                    scope.awaitCompletion();
                    world.say("complete");
                    delay(SECOND.multipliedBy(2));
                });
        assertEquals(List.of("complete", "finally at PT1S"), world.trail);
    }

    @Test
    void childrenFinishBeforeTheirParents() {
        world.run(
                () -> {
                    var parent = new Scope().asNotSafely();
                    var child = Scope.inherit(parent);
                    parent.onFinally(each -> world.say("parent"));
                    child.onFinally(each -> world.say("child"));
                    child.spawn(() -> delay(HOUR));
                    suspend();
                    parent.cancel("stop");
                    assertFalse(parent.isFinished());
                    parent.awaitCompletion();
                    assertTrue(child.isFinished());
                    assertTrue(parent.isFinished());
                });
        assertEquals(List.of("child", "parent"), world.trail);
    }

    @Test
    void onAFinishedScopeAHandlerIsCalledSoon() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.close();
                    scope.onFinally(each -> world.say("finally " + each.isFinished()));
                    world.say("not inside the call");
                    suspend();
                    world.say("after");
                });
        assertEquals(List.of("not inside the call", "finally true", "after"), world.trail);
    }

    @Test
    void whatAScopesHandlersThrowIsRoutedAsOneError() {
        world.run(
                () -> {
                    var parent = new Scope();
                    parent.onException(
                            (error, source) ->
                                    world.say(
                                            error.getClass().getSimpleName()
                                                    + " from "
                                                    + source.name()));
                    var scope = Scope.inherit(parent).named("shop");
                    scope.onFinally(each -> fail(new IllegalStateException("one")));
                    scope.onFinally(each -> world.say("still called"));
                    scope.onFinally(each -> fail(new IllegalStateException("two")));
                    scope.close();
                    suspend();
                    parent.close();
                });
        assertEquals(List.of("still called", "CompositeException from shop"), world.trail);
    }
}
