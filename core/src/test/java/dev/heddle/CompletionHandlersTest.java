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

/// Handlers of the end of a coroutine and of a scope: when, in which order, and what they throw.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CompletionHandlersTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    // ---- of a coroutine ----

    @Test
    void theyAreCalledInOrderAfterTheAwaiters() {
        var world = World.virtual();
        world.run(
                () -> {
                    var ending = spawn(() -> delay(SECOND));
                    ending.onCompletion(end -> trail.add("first handler"));
                    ending.onCompletion(end -> trail.add("second handler"));
                    spawn(() -> sayAfterAwaiting(ending));
                    spawn(() -> sayAfterAwaiting(ending));
                });
        assertEquals(List.of("awaiter", "awaiter", "first handler", "second handler"), trail);
    }

    private void sayAfterAwaiting(Coroutine<Void> ending) {
        await(ending);
        trail.add("awaiter");
    }

    @HeddleTest(seeds = 20)
    void oneAddedAfterTheEndIsCalledInTheNextTurn(TestWorld world) {
        var done = spawn(() -> 7);
        await(done);
        done.onCompletion(end -> trail.add("told " + end));
        trail.add("not inside the call");
        world.settle();
        trail.add("after");

        assertEquals(List.of("not inside the call", "told Success[value=7]", "after"), trail);
    }

    @HeddleTest(seeds = 20)
    void theyAreToldEveryKindOfEnd(TestWorld world) {
        var failure = new IllegalStateException("broken");
        var failed = spawn(() -> fail(failure)).observed();
        var cancelled = spawn(() -> delay(HOUR));
        world.settle();
        cancelled.cancel("stop");
        failed.onCompletion(
                end -> {
                    assertEquals(new Outcome.Failure<Object>(failure), end);
                    trail.add("failure");
                });
        cancelled.onCompletion(end -> trail.add(reason(end)));
        world.settle();

        assertEquals(List.of("failure", "stop"), trail);
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void allOfThemRunAndSeveralErrorsBecomeOneInOrder(TestWorld world) {
        var scope = new Scope();
        var routed = new ArrayList<Throwable>();
        scope.onException((error, source) -> routed.add(error));
        var ending = scope.spawn("ending", () -> 7);
        for (int i = 0; i < 3; i++) {
            String message = "handler " + i;
            ending.onCompletion(end -> fail(new IllegalStateException(message)));
        }
        assertEquals(7, await(ending));
        world.settle();

        var composite = assertInstanceOf(CompositeException.class, routed.getFirst());
        assertEquals(1, routed.size());
        assertEquals(
                List.of("handler 0", "handler 1", "handler 2"),
                composite.errors().stream().map(Throwable::getMessage).toList());
        assertTrue(composite.getMessage().contains("ending"), composite.getMessage());
        scope.close();
    }

    @HeddleTest(seeds = 20)
    void theErrorOfTheBodyAndThoseOfTheHandlersGoTheirOwnWays() {
        var scope = new Scope();
        scope.onException((error, source) -> trail.add(error.getMessage()));
        var ending = scope.spawn(() -> fail(new IllegalStateException("body")));
        ending.onCompletion(end -> fail(new IllegalStateException("handler")));
        delay(SECOND);
        scope.close();

        assertEquals(List.of("body", "handler"), trail);
    }

    @Test
    void anErrorOfAHandlerThatNobodyTakesEndsTheProgram() {
        var world = World.virtual();
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

    @HeddleTest(seeds = 20)
    void aHandlerMustNotWait(TestWorld world) {
        var ending = spawn(() -> 7);
        ending.onCompletion(
                end -> {
                    assertThrows(IllegalStateException.class, () -> delay(SECOND));
                    trail.add("refused");
                });
        await(ending);
        world.settle();

        assertEquals(List.of("refused"), trail);
    }

    // ---- of a scope ----

    @HeddleTest(seeds = 20)
    void aScopesHandlersAreCalledOnceItIsClosedAndEmpty() {
        var scope = new Scope();
        scope.onFinally(each -> trail.add("first " + (each == scope)));
        scope.onFinally(each -> trail.add("second"));
        scope.spawn(() -> delay(SECOND));
        scope.awaitCompletion();
        trail.add("complete but open");
        delay(SECOND);

        scope.dispose();
        trail.add("disposed of");
        delay(SECOND);

        assertEquals(List.of("complete but open", "disposed of", "first true", "second"), trail);
    }

    @HeddleTest(seeds = 20)
    void theyWaitForZombies(TestWorld world) {
        var scope = new Scope();
        scope.onFinally(each -> trail.add("finally at " + world.elapsed()));
        scope.spawn(() -> delay(SECOND));
        world.settle();
        scope.disposeSafely();
        scope.awaitCompletion();
        trail.add("complete");
        delay(SECOND.multipliedBy(2));

        assertEquals(List.of("complete", "finally at PT1S"), trail);
    }

    @HeddleTest(seeds = 20)
    void childrenFinishBeforeTheirParents(TestWorld world) {
        var parent = new Scope().asNotSafely();
        var child = Scope.inherit(parent);
        parent.onFinally(each -> trail.add("parent"));
        child.onFinally(each -> trail.add("child"));
        child.spawn(() -> delay(HOUR));
        world.settle();
        parent.cancel("stop");
        assertFalse(parent.isFinished());
        parent.awaitCompletion();
        assertTrue(child.isFinished());
        assertTrue(parent.isFinished());
        world.settle();

        assertEquals(List.of("child", "parent"), trail);
    }

    @HeddleTest
    void onAFinishedScopeAHandlerIsCalledSoon() {
        var scope = new Scope();
        scope.close();
        scope.onFinally(each -> trail.add("finally " + each.isFinished()));
        trail.add("not inside the call");
        suspend();
        trail.add("after");

        assertEquals(List.of("not inside the call", "finally true", "after"), trail);
    }

    @HeddleTest
    void whatAScopesHandlersThrowIsRoutedAsOneError() {
        var parent = new Scope();
        parent.onException(
                (error, source) ->
                        trail.add(error.getClass().getSimpleName() + " from " + source.name()));
        var scope = Scope.inherit(parent).named("shop");
        scope.onFinally(each -> fail(new IllegalStateException("one")));
        scope.onFinally(each -> trail.add("still called"));
        scope.onFinally(each -> fail(new IllegalStateException("two")));
        scope.close();
        suspend();
        parent.close();

        assertEquals(List.of("still called", "CompositeException from shop"), trail);
    }
}
