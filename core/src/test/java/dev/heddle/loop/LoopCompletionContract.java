package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs that end with the completion of a stage, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopCompletionContract extends LoopTestCase {
    LoopCompletionContract(Backend backend) {
        super(backend);
    }

    @Test
    void aRunUntilCompleteReturnsTheValueThatATimerGives() throws IOException {
        var loop = fixture.open();
        var stage = new CompletableFuture<String>();
        loop.after(Duration.ofMillis(1), () -> stage.complete("value"));

        assertEquals("value", loop.runUntilComplete(stage));
    }

    @Test
    void aStageThatIsCompleteNeedsNoTurn() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        loop.post(calls::incrementAndGet);

        assertEquals(1, loop.runUntilComplete(CompletableFuture.completedFuture(1)));
        assertNull(loop.runUntilComplete(CompletableFuture.completedFuture(null)));

        assertEquals(0, calls.get());
        loop.run();
    }

    @Test
    void anotherThreadMayCompleteTheStageWhileTheLoopSleeps() throws IOException {
        var loop = fixture.open();
        var stage = new CompletableFuture<Integer>();

        whileAsleep(() -> stage.complete(42), () -> assertEquals(42, loop.runUntilComplete(stage)));
    }

    @Test
    void whatOutlivesTheStageStaysForTheNextRun() throws IOException {
        var loop = fixture.open();
        var stage = new CompletableFuture<Integer>();
        var late = new AtomicInteger();
        loop.after(Duration.ofMillis(1), () -> stage.complete(1));
        var timer = loop.after(Duration.ofHours(1), late::incrementAndGet);

        loop.runUntilComplete(stage);
        assertEquals(0, late.get());
        assertTrue(loop.alive());

        timer.start(Duration.ZERO);
        loop.run();
        assertEquals(1, late.get());
    }

    @Test
    void aFailureIsThrownAsItselfIfItIsUnchecked() throws IOException {
        var loop = fixture.open();
        var failure = new IllegalStateException("failed");
        assertSame(
                failure,
                assertThrows(
                        IllegalStateException.class,
                        () -> loop.runUntilComplete(CompletableFuture.failedFuture(failure))));

        var error = new LinkageError("failed");
        assertSame(
                error,
                assertThrows(
                        LinkageError.class,
                        () -> loop.runUntilComplete(CompletableFuture.failedFuture(error))));
    }

    @Test
    void aCheckedFailureIsTheCauseOfACompletionException() throws IOException {
        var loop = fixture.open();
        var failure = new IOException("failed");

        var thrown =
                assertThrows(
                        CompletionException.class,
                        () -> loop.runUntilComplete(CompletableFuture.failedFuture(failure)));

        assertSame(failure, thrown.getCause());
    }

    @Test
    void aCancelledStageThrowsCancellationException() throws IOException {
        var loop = fixture.open();
        var stage = new CompletableFuture<Integer>();
        loop.post(() -> stage.cancel(false));

        assertThrows(CancellationException.class, () -> loop.runUntilComplete(stage));
    }

    @Test
    void aStopBeforeTheCompletionIsAnError() throws IOException {
        var loop = fixture.open();
        var stage = new CompletableFuture<Integer>();
        loop.post(loop::stop);

        assertThrows(IllegalStateException.class, () -> loop.runUntilComplete(stage));

        loop.post(() -> stage.complete(1));
        assertEquals(1, loop.runUntilComplete(stage), "the stop was consumed");
    }

    @Test
    void aStageOfTheLoopsExecutorCompletesOnTheLoop() throws IOException {
        var loop = fixture.open();
        var here = Thread.currentThread();
        var stage =
                CompletableFuture.supplyAsync(Thread::currentThread, loop.executor())
                        .thenApplyAsync(first -> first == Thread.currentThread(), loop.executor())
                        .thenApply(same -> same && Thread.currentThread() == here);

        assertTrue(loop.runUntilComplete(stage));
    }
}
