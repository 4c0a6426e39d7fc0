package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.awaitFirstSuccess;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Waits that end before what they wait for: a failure that somebody was told and did not get is
/// reported; a failure of something that was given up is not; a stage that is owned is cancelled.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class GivenUpTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String UNREAD = "nobody ever looked at the failure of ";

    private final World world = World.virtual();
    private final IllegalStateException error = new IllegalStateException("bad");

    private Coroutine<String> failing() {
        return spawn(
                "failing",
                () -> {
                    delay(SECOND.dividedBy(2));
                    throw error;
                });
    }

    private Deferred<String> never() {
        return new Promise<String>().deferred();
    }

    private void assertUnread(String who) {
        assertEquals(
                List.of(UNREAD + who + ": " + error), world.reports(Report.Kind.UNREAD_FAILURE));
        assertEquals(1, world.reports().size());
    }

    private void assertNothingReported() {
        assertEquals(List.of(), world.reports());
    }

    // ---- told, and then not handed over ----

    @Test
    void failureToldToAWaitForAllThatMeetsALimitIsReported() {
        world.run(
                () ->
                        assertThrows(
                                OperationCancelledException.class,
                                () ->
                                        within(
                                                SECOND,
                                                () -> awaitSettled(List.of(failing(), never())))));

        assertUnread("failing");
    }

    @Test
    void failureOfAPromiseToldToAWaitThatIsCancelledIsReported() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var waiter = spawn(() -> awaitSettled(List.of(promise.deferred(), never())));
                    delay(SECOND);
                    promise.fail(error);
                    delay(SECOND);
                    waiter.cancelAndAwait("enough");
                });

        assertUnread("a promise");
    }

    @Test
    void failureToldToAFirstSuccessThatMeetsItsTokenIsReported() {
        world.run(
                () -> {
                    var failing = failing();
                    var never = never();
                    assertThrows(
                            OperationCancelledException.class,
                            () -> awaitFirstSuccess(List.of(failing, never), Token.after(SECOND)));
                });

        assertUnread("failing");
    }

    @Test
    void failureThatASettledWaitReturnsAtItsTokenIsRead() {
        world.run(
                () -> {
                    var results = awaitSettled(List.of(failing(), never()), Token.after(SECOND));
                    assertEquals(List.of(0), List.copyOf(results.errors().keySet()));
                });

        assertNothingReported();
    }

    @Test
    void failureThatAFirstSuccessPassedOverIsRead() {
        world.run(() -> assertEquals("good", awaitFirstSuccess(failing(), after(SECOND))));

        assertNothingReported();
    }

    private static Coroutine<String> after(Duration duration) {
        return spawn(
                () -> {
                    delay(duration);
                    return "good";
                });
    }

    @Test
    void failureOfATokenThatCameTogetherWithTheAnswerIsReported() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var token = new Promise<String>();
                    spawn(
                            () -> {
                                delay(SECOND);
                                token.fail(error);
                                promise.complete("in the same turn");
                            });
                    assertEquals(
                            "in the same turn",
                            await(promise.deferred(), Token.when(token.deferred())));
                });

        assertUnread("a promise");
    }

    @Test
    void failureThatWasThereButTheWaiterWasCancelledIsReported() {
        world.run(
                () -> {
                    var failed = Deferred.<String>failed(error);
                    spawn(
                                    () -> {
                                        Heddle.current().cancel("before");
                                        return failed.await();
                                    })
                            .awaitOutcome();
                });

        assertUnread("a promise");
    }

    @HeddleTest(seeds = 20)
    void failureThatANextWaitGetsIsRead() {
        var failing = failing();
        assertThrows(
                OperationCancelledException.class,
                () -> within(SECOND, () -> awaitSettled(List.of(failing, never()))));

        assertThrows(IllegalStateException.class, failing::await);
    }

    // ---- given up ----

    private void failsLater(VoidFn<Deferred<String>, RuntimeException> wait) {
        world.run(
                () -> {
                    var stage = new CompletableFuture<String>();
                    wait.accept(Deferred.from(stage));
                    delay(SECOND);
                    stage.completeExceptionally(error);
                    delay(SECOND);
                });
    }

    @Test
    void lateFailureAfterATimeoutIsNoNews() {
        failsLater(
                late -> assertThrows(OperationCancelledException.class, () -> await(late, SECOND)));

        assertNothingReported();
    }

    @Test
    void lateFailureAfterATokenIsNoNews() {
        failsLater(
                late ->
                        assertThrows(
                                OperationCancelledException.class,
                                () -> awaitAll(List.of(late), Token.after(SECOND))));

        assertNothingReported();
    }

    @Test
    void lateFailureAfterALimitIsNoNews() {
        failsLater(
                late ->
                        assertThrows(
                                OperationCancelledException.class,
                                () -> within(SECOND, () -> late.await())));

        assertNothingReported();
    }

    @Test
    void lateFailureAfterACancellationIsNoNews() {
        failsLater(
                late -> {
                    var waiter = spawn(() -> late.await());
                    delay(SECOND);
                    waiter.cancel();
                });

        assertNothingReported();
    }

    // ---- a stage that is owned ----

    @HeddleTest(seeds = 20)
    void cancelledWaitCancelsItsStage() {
        var stage = new CompletableFuture<String>();
        var waiter = spawn(() -> await(stage));
        delay(SECOND);

        assertInstanceOf(Outcome.Cancelled.class, waiter.cancelAndAwait("enough"));
        assertTrue(stage.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void limitCancelsTheStageThatIsAwaitedInside() {
        var stage = new CompletableFuture<String>();

        assertThrows(OperationCancelledException.class, () -> within(SECOND, () -> await(stage)));
        assertTrue(stage.isCancelled());
    }

    @HeddleTest
    void cancellationThatWasDueBeforeTheWaitCancelsTheStage() {
        var stage = new CompletableFuture<String>();
        spawn(
                        () -> {
                            Heddle.current().cancel("before");
                            await(stage);
                        })
                .awaitOutcome();

        assertTrue(stage.isCancelled());
    }

    @HeddleTest
    void timeoutAndTokenOfTheWaitLeaveTheStageAlone() {
        var stage = new CompletableFuture<String>();

        assertThrows(OperationCancelledException.class, () -> await(stage, SECOND));
        assertThrows(OperationCancelledException.class, () -> await(stage, Token.after(SECOND)));
        assertFalse(stage.isDone());
    }

    @HeddleTest
    void stageThatIsNotOwnedIsNeverCancelled() {
        var stage = new CompletableFuture<String>();

        assertThrows(
                OperationCancelledException.class,
                () -> within(SECOND, () -> await(Deferred.from(stage))));
        assertFalse(stage.isDone());
    }

    @HeddleTest(seeds = 20)
    void ownedStageIsCancelledWithTheLastOfThoseWhoWait() {
        var stage = new CompletableFuture<String>();
        var owned = Deferred.<String>owning(stage);
        var first = spawn(() -> owned.await());
        var second = spawn(() -> owned.await());
        delay(SECOND);

        first.cancelAndAwait("one");
        assertFalse(stage.isDone());
        second.cancelAndAwait("two");
        assertTrue(stage.isCancelled());
    }

    @HeddleTest
    void stageThatIsNoFutureGoesOn() {
        var waiter = spawn(() -> await(new NoFuture()));
        delay(SECOND);

        var end = (Outcome.Cancelled<String>) waiter.cancelAndAwait("enough");
        assertEquals(0, end.cancellation().getSuppressed().length);
    }

    private static final class NoFuture extends CompletableFuture<String> {
        @Override
        public CompletableFuture<String> toCompletableFuture() {
            throw new UnsupportedOperationException();
        }
    }

    @HeddleTest
    void stageThatFailsToBeCancelledDoesNotHideTheCancellation() {
        var bad = new IllegalArgumentException("cannot");
        var stage =
                new CompletableFuture<String>() {
                    @Override
                    public boolean cancel(boolean interrupt) {
                        throw bad;
                    }
                };
        var waiter = spawn(() -> await(stage));
        delay(SECOND);

        var end = (Outcome.Cancelled<String>) waiter.cancelAndAwait("enough");
        assertEquals(List.of(bad), new ArrayList<>(List.of(end.cancellation().getSuppressed())));
    }

    @Test
    void stageThatWasCancelledSoIsNotReported() {
        world.run(
                () -> {
                    var stage = new CompletableFuture<String>();
                    assertThrows(
                            OperationCancelledException.class,
                            () -> within(SECOND, () -> await(stage)));
                });

        assertNothingReported();
    }
}
