package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;
import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/// Between deferreds and the futures of the JDK, in both directions.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeferredFutureTest {
    private final List<String> trail = new ArrayList<>();

    // ---- from a stage ----

    @HeddleTest(seeds = 20)
    void awaitOfACompletedStageReturnsAtOnce() {
        spawn(() -> trail.add("other"));

        assertEquals("value", await(CompletableFuture.completedFuture("value")));
        assertEquals(List.of(), trail);
    }

    @Test
    void awaitOfAStageWaitsForAnotherThread() {
        var real = World.real();
        var future = new CompletableFuture<String>();
        try (var _ = Bystander.onceAsleepIn("poll", () -> future.complete("from afar"))) {
            real.run(() -> assertEquals("from afar", await(future)));
        }
    }

    @HeddleTest
    void stageOfVoidGivesNull() {
        assertNull(await(CompletableFuture.runAsync(() -> {}, Runnable::run)));
    }

    @HeddleTest
    void failedStageThrowsItsOwnException() {
        var unchecked = new IllegalStateException("unchecked");
        var checked = new IOException("checked");
        Deferred<String> bad = Deferred.from(CompletableFuture.failedFuture(checked));

        assertSame(
                unchecked,
                assertThrows(
                        Throwable.class, () -> await(CompletableFuture.failedFuture(unchecked))));
        assertSame(checked, assertThrows(IOException.class, () -> await(bad, IOException.class)));
        var wrapped = assertThrows(CompletionException.class, bad::await);
        assertSame(checked, wrapped.getCause());
    }

    @HeddleTest
    void dependentStageThrowsTheFirstFailureWithoutItsWrapper() {
        var error = new IllegalStateException("first");
        var stage =
                CompletableFuture.<String>failedFuture(error)
                        .thenApply(x -> x + x)
                        .thenApply(x -> x + x);

        assertSame(error, assertThrows(Throwable.class, () -> await(stage)));
    }

    @HeddleTest
    void completionExceptionWithoutACauseStaysItself() {
        var bare = new CompletionException("bare", null);
        assertSame(
                bare,
                assertThrows(Throwable.class, () -> await(CompletableFuture.failedFuture(bare))));
    }

    @HeddleTest
    void cancelledStageThrowsCancellationExceptionAndDoesNotCancelTheAwaiter() {
        var future = new CompletableFuture<String>();
        future.cancel(true);

        assertThrows(CancellationException.class, () -> await(future));
        assertThrows(CancellationException.class, () -> await(future.thenApply(x -> x)));
        suspend();
        assertFalse(Heddle.current().isCancellationRequested());
    }

    @HeddleTest
    void leavingTheWaitDoesNotCancelTheStage() {
        var future = new CompletableFuture<String>();
        var deferred = Deferred.from(future);
        assertThrows(
                OperationCancelledException.class, () -> await(deferred, Duration.ofMillis(5)));

        assertFalse(future.isDone());
        future.complete("later");
        assertEquals("later", await(deferred));
    }

    // ---- to a future ----

    @HeddleTest
    void futureOfOneThatHasEndedIsCompleteAtOnce() {
        var error = new IllegalStateException("bad");

        assertEquals("x", Deferred.completed("x").toCompletableFuture().getNow("not yet"));
        var failed = Deferred.failed(error).toCompletableFuture();
        assertSame(error, failed.exceptionNow());
    }

    @HeddleTest
    void futureCompletesWithThePromise() {
        var good = new Promise<String>();
        var bad = new Promise<String>();
        var error = new IOException("checked");
        var future = good.deferred().toCompletableFuture();
        var failing = bad.deferred().toCompletableFuture();
        assertFalse(future.isDone());

        good.complete("x");
        bad.fail(error);

        assertEquals("x", await(future));
        var thrown = assertThrows(ExecutionException.class, failing::get);
        assertSame(error, thrown.getCause());
    }

    @HeddleTest
    void cancelledPromiseCancelsTheFutureWithItsReason() {
        var promise = new Promise<String>();
        var future = promise.deferred().toCompletableFuture();
        promise.cancel("given up");

        var reason = await(future.handle((_, error) -> error.getMessage()));
        assertEquals("given up", reason);
        assertTrue(future.isCancelled());
    }

    @HeddleTest
    void cancellingTheFutureLeavesThePromiseAlone() {
        var promise = new Promise<String>();
        var future = promise.deferred().toCompletableFuture();
        future.cancel(true);

        assertFalse(promise.isSettled());
        promise.complete("still");
        assertEquals("still", await(promise.deferred()));
        assertTrue(future.isCancelled());
    }

    @HeddleTest
    void whatDependsOnTheFutureRunsAsACallbackAndNotInTheCompletingCoroutine(TestWorld world) {
        var promise = new Promise<String>();
        var end =
                promise.deferred().toCompletableFuture().thenAccept(_ -> delay(Duration.ofDays(1)));
        promise.complete("x");
        trail.add("completed");

        var thrown = assertThrows(IllegalStateException.class, () -> await(end));
        assertTrue(thrown.getMessage().contains("inside a callback"), thrown.getMessage());

        assertEquals(List.of("completed"), trail);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void anotherThreadCanBlockOnTheFuture() {
        World.real()
                .run(
                        () -> {
                            var promise = new Promise<String>();
                            var future = promise.deferred().toCompletableFuture();
                            var got = Promise.<String>external();
                            try (var _ = Bystander.doing(() -> got.complete(future.join()))) {
                                promise.complete("x");
                                assertEquals("x", await(got.deferred()));
                            }
                        });
    }

    @Test
    void futureOfAPromiseThatIsPendingWhenTheLoopEndsFailsInsteadOfHanging() {
        var world = World.virtual();
        var kept = new AtomicReference<CompletableFuture<String>>();
        world.run(() -> kept.set(new Promise<String>().deferred().toCompletableFuture()));

        var thrown = assertThrows(CompletionException.class, () -> kept.get().join());
        assertEquals("its loop has ended: Promise(pending)", thrown.getCause().getMessage());
    }

    @HeddleTest
    void disposedPromiseFailsItsFuture() {
        var promise = new Promise<String>();
        var future = promise.deferred().toCompletableFuture();
        promise.deferred().dispose();

        assertTrue(future.isCompletedExceptionally());
    }

    @HeddleTest
    void roundTripKeepsValueAndException() {
        var error = new IOException("same");
        var promise = new Promise<String>();
        var back = Deferred.from(promise.deferred().toCompletableFuture());
        promise.fail(error);

        assertSame(error, assertThrows(IOException.class, () -> await(back, IOException.class)));
    }

    @Test
    void toFutureOffTheLoopSaysWhereToCallIt() {
        var world = World.virtual();
        var kept = new AtomicReference<Deferred<String>>();
        world.run(() -> kept.set(new Promise<String>().deferred()));

        var thrown =
                assertThrows(IllegalStateException.class, () -> kept.get().toCompletableFuture());
        assertTrue(
                thrown.getMessage().startsWith("toCompletableFuture outside a loop"),
                thrown.getMessage());
    }
}
