package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/// Waiting for one coroutine or promise.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class AwaitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    private static Coroutine<String> failing(Exception error) {
        return spawn(
                () -> {
                    suspend();
                    throw error;
                });
    }

    // ---- values and failures ----

    @HeddleTest(seeds = 20)
    void finishedCoroutineGivesItsValueAgainAndAgain() {
        var value = new Object();
        var coroutine = spawn(() -> value);
        for (int i = 0; i < 3; i++) {
            assertSame(value, await(coroutine));
        }
    }

    @HeddleTest(seeds = 20)
    void failedCoroutineThrowsTheSameExceptionAgainAndAgain() {
        var error = new IllegalStateException("same");
        var coroutine = failing(error);
        for (int i = 0; i < 3; i++) {
            assertSame(error, assertThrows(Throwable.class, coroutine::await));
        }
    }

    @HeddleTest(seeds = 20)
    void cancelledCoroutineThrowsTheSameCancellationAgainAndAgain() {
        var coroutine = spawn(() -> delay(SECOND));
        suspend();
        coroutine.cancel("enough");
        var first = assertThrows(Cancellation.class, coroutine::await);
        assertEquals("enough", first.reason());
        for (int i = 0; i < 3; i++) {
            assertSame(first, assertThrows(Cancellation.class, coroutine::await));
        }
    }

    @HeddleTest(seeds = 20)
    void coroutineCancelledBeforeItsStartNeverRunsAndAwaitThrowsThatCancellation() {
        var coroutine = spawn(() -> trail.add("must not run"));
        coroutine.cancel("too late");

        var thrown = assertThrows(Cancellation.class, coroutine::await);
        assertEquals("too late", thrown.reason());

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void awaiterOfACoroutineThatIsCancelledMeanwhileGetsThatCancellation() {
        var coroutine = spawn(() -> delay(Duration.ofDays(1)));
        var awaiter = spawn(() -> assertThrows(Cancellation.class, coroutine::await));
        delay(SECOND);

        coroutine.cancel("meanwhile");

        assertEquals("meanwhile", await(awaiter).reason());
        assertFalse(awaiter.isCancellationRequested());
    }

    @HeddleTest(seeds = 20)
    void cancellingOneThatHasEndedChangesNothing() {
        var error = new IllegalStateException("bad");
        var good = spawn(() -> "value");
        var bad = failing(error).observed();
        assertEquals("value", await(good));
        assertThrows(IllegalStateException.class, bad::await);

        good.cancel("late");
        bad.cancel("late");
        suspend();

        assertEquals("value", await(good));
        assertSame(error, assertThrows(Throwable.class, bad::await));
        assertEquals(0, error.getSuppressed().length);
        assertFalse(good.isCancelled() || bad.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void errorIsThrownAsItIs() {
        var error = new StackOverflowError("pretended");
        var coroutine =
                spawn(
                        () -> {
                            suspend();
                            if (true) {
                                throw error;
                            }
                            return "";
                        });

        assertSame(error, assertThrows(Throwable.class, coroutine::await));
    }

    @HeddleTest(seeds = 20)
    void checkedFailureIsTheCauseOfACompletionException() {
        var error = new IOException("checked");
        var coroutine = failing(error);

        var thrown = assertThrows(CompletionException.class, coroutine::await);
        assertSame(error, thrown.getCause());
    }

    @HeddleTest(seeds = 20)
    void expectedCheckedTypeArrivesAsItselfAndSoDoItsSubtypes() {
        var error = new FileNotFoundException("sub");
        var coroutine = failing(error);

        assertSame(
                error, assertThrows(IOException.class, () -> await(coroutine, IOException.class)));
        assertSame(
                error, assertThrows(IOException.class, () -> coroutine.await(IOException.class)));
    }

    @HeddleTest(seeds = 20)
    void anotherCheckedTypeThanTheExpectedIsStillWrapped() {
        var error = new TimeoutException("other");
        var coroutine = failing(error);

        var thrown =
                assertThrows(CompletionException.class, () -> await(coroutine, IOException.class));
        assertSame(error, thrown.getCause());
    }

    @HeddleTest
    void expectedTypeDoesNotDisturbValuesAndUncheckedFailures() throws IOException {
        var error = new IllegalStateException("unchecked");

        assertEquals("v", await(Deferred.completed("v"), IOException.class));
        assertSame(
                error,
                assertThrows(
                        IllegalStateException.class,
                        () -> await(Deferred.failed(error), IOException.class)));
    }

    @HeddleTest(seeds = 20)
    void awaitOutcomeNeverThrowsTheFailure() {
        var error = new IOException("checked");
        var cancelled = spawn(() -> delay(SECOND));
        cancelled.cancel("enough");

        assertEquals(new Outcome.Success<>(1), spawn(() -> 1).awaitOutcome());
        assertEquals(new Outcome.Failure<>(error), failing(error).awaitOutcome());
        assertInstanceOf(Outcome.Cancelled.class, cancelled.awaitOutcome());
    }

    @HeddleTest(seeds = 20)
    void coroutineWithoutAResultGivesNull() {
        assertNull(await(spawn(() -> suspend())));
    }

    @HeddleTest
    void awaitingOneselfIsAnErrorAtOnceAndOneGoesOn() {
        var self = Heddle.current();

        assertThrows(DeadlockError.class, self::await);
        assertThrows(DeadlockError.class, () -> self.await(SECOND));
        suspend();
        trail.add("went on");

        assertEquals(List.of("went on"), trail);
    }

    // ---- timeouts ----

    @HeddleTest(seeds = 20)
    void timeoutEndsTheWaitAndNotTheWork(TestWorld world) {
        var slow =
                spawn(
                        () -> {
                            delay(SECOND.multipliedBy(3));
                            return "done";
                        });

        var thrown = assertThrows(OperationCancelledException.class, () -> await(slow, SECOND));
        assertTrue(thrown.timedOut());
        assertNull(thrown.getCause());
        assertEquals(SECOND, world.elapsed());
        assertEquals("done", await(slow));

        assertEquals(SECOND.multipliedBy(3), world.elapsed());
    }

    @Test
    void answerThatComesInTheSameTurnBeatsTheTimeout() {
        var world = World.virtual();
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var waiter = spawn(() -> await(promise.deferred(), SECOND));
                    suspend();
                    // Set after the timeout, so it comes later in the same turn.
                    var timer = waiter.loop().timer(() -> promise.complete("just in time"));
                    timer.start(SECOND);

                    assertEquals("just in time", await(waiter));
                    assertEquals(SECOND, world.elapsed());
                });
    }

    @HeddleTest(seeds = 20)
    void timerOfATimeoutThatWasNotNeededIsStopped(TestWorld world) {
        var promise = new Promise<String>();
        spawn(() -> promise.complete("soon"));

        assertEquals("soon", await(promise.deferred(), Duration.ofDays(1)));

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest
    void finishedThingBeatsAZeroTimeoutAndAPendingOneTimesOut(TestWorld world) {
        assertEquals("v", await(Deferred.completed("v"), Duration.ZERO));
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () -> await(new Promise<String>().deferred(), Duration.ZERO));
        assertTrue(thrown.timedOut());

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void hugeTimeoutDoesNotOverflow() {
        var promise = new Promise<String>();
        spawn(
                () -> {
                    delay(SECOND);
                    promise.complete("v");
                });

        var forever = Duration.ofSeconds(Long.MAX_VALUE);
        assertEquals("v", await(promise.deferred(), forever));
    }

    // ---- fairness ----

    @HeddleTest(seeds = 20)
    void awaitingFinishedThingsTenThousandTimesLetsOthersRun() {
        var finished = new int[1];
        var done = Deferred.completed(1);
        spawn(() -> trail.add("other after " + finished[0]));
        for (int i = 0; i < 10_000; i++) {
            finished[0] += await(done);
        }
        trail.add("end");

        assertEquals(10_000, finished[0]);
        assertEquals(2, trail.size());
        assertTrue(trail.getFirst().startsWith("other after "), trail.getFirst());
        assertEquals("end", trail.getLast());
    }

    @HeddleTest(seeds = 20)
    void finishedCoroutineReturnsWithoutASwitchWhileTheBudgetLasts() {
        var done = spawn(() -> 1);
        await(done);
        spawn(() -> trail.add("other"));
        for (int i = 0; i < 10; i++) {
            await(done);
        }

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void everyOneOfManyWaitsThatATokenEndedAtOnceSaysSoAndOthersRun() {
        var never = new Promise<String>();
        var fired = Token.when(Deferred.completed(1));
        spawn(() -> trail.add("other"));
        for (int i = 0; i < 1_000; i++) {
            assertThrows(OperationCancelledException.class, () -> await(never.deferred(), fired));
        }
        trail.add("end");

        assertEquals(List.of("other", "end"), trail);
    }

    // ---- cancelling who waits ----

    @HeddleTest(seeds = 20)
    void cancelledAwaiterLeavesAndTheAwaitedGoesOn() {
        var work =
                spawn(
                        () -> {
                            delay(SECOND);
                            return "done";
                        });
        var awaiter = spawn(() -> await(work));
        delay(Duration.ofMillis(1));

        assertInstanceOf(Outcome.Cancelled.class, awaiter.cancelAndAwait("leave"));
        assertEquals("done", await(work));
    }

    @HeddleTest(seeds = 20)
    void cancelledCoroutineDoesNotGetAFinishedValueButItsCancellation() {
        var coroutine =
                spawn(
                        () -> {
                            Heddle.current().cancel("myself");
                            await(Deferred.completed("value"));
                            return "not reached";
                        });

        assertInstanceOf(Outcome.Cancelled.class, coroutine.awaitOutcome());
    }
}
