package dev.heddle;

import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitSettled;
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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/// Waiting until all of several coroutines and promises have ended.
final class AwaitAllTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Awaitable<String>> NOTHING = List.of();

    private final List<String> trail = new ArrayList<>();
    private final IllegalStateException error = new IllegalStateException("bad");

    private static Coroutine<String> after(int seconds, String value) {
        return spawn(
                () -> {
                    delay(SECOND.multipliedBy(seconds));
                    return value;
                });
    }

    private static Coroutine<String> failing(int seconds, Exception error) {
        return spawn(
                () -> {
                    delay(SECOND.multipliedBy(seconds));
                    throw error;
                });
    }

    private static Deferred<String> never() {
        return new Promise<String>().deferred();
    }

    // ---- all ----

    @HeddleTest(seeds = 20)
    void allReturnsTheValuesInTheOrderGiven(TestWorld world) {
        assertEquals(
                List.of("a", "b", "c"),
                awaitAll(after(3, "a"), after(1, "b"), Deferred.completed("c")));

        assertEquals(SECOND.multipliedBy(3), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void allThrowsTheFirstFailureAtOnceAndTheOthersGoOn(TestWorld world) {
        var slow = after(5, "slow");
        var thrown = assertThrows(Throwable.class, () -> awaitAll(slow, failing(1, error)));

        assertSame(error, thrown);
        assertEquals(SECOND, world.elapsed());
        assertEquals("slow", slow.await());
    }

    @HeddleTest(seeds = 20)
    void allThrowsACheckedFailureAsTheCause() {
        var checked = new IOException("checked");
        var thrown = assertThrows(CompletionException.class, () -> awaitAll(failing(1, checked)));

        assertSame(checked, thrown.getCause());
    }

    @HeddleTest(seeds = 20)
    void allOfFinishedInputsOfEachKindReturnsAtOnce() {
        var coroutine = after(0, "a");
        coroutine.await();
        spawn(() -> trail.add("other"));

        assertEquals(List.of("a", "b"), awaitAll(coroutine, Deferred.completed("b")));
        assertEquals(List.of(), trail);
    }

    @HeddleTest
    void allThrowsAFailureThatHappenedBefore() {
        var thrown =
                assertThrows(
                        Throwable.class, () -> awaitAll(never(), Deferred.<String>failed(error)));
        assertSame(error, thrown);
    }

    @HeddleTest(seeds = 20)
    void allOfACancelledCoroutineThrowsItsCancellation() {
        var cancelled = after(9, "x");
        cancelled.cancel("enough");

        var thrown = assertThrows(Cancellation.class, () -> awaitAll(cancelled));
        assertEquals("enough", thrown.reason());
    }

    @HeddleTest(seeds = 20)
    void allOfDuplicatesGivesTheValueAsOften() {
        var one = after(1, "a");

        assertEquals(List.of("a", "a", "a"), awaitAll(one, one, one));
        assertEquals(List.of("a", "a"), awaitAll(one, one));
    }

    @HeddleTest
    void allOfNothingIsEmpty() {
        assertEquals(List.of(), awaitAll(NOTHING));
        assertEquals(List.of(), awaitAll(NOTHING, Token.after(Duration.ZERO)));
    }

    @HeddleTest(seeds = 20)
    void allEndsWithItsTokenAndTheWorkGoesOn() {
        var slow = after(5, "slow");
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () -> awaitAll(List.of(slow), Token.after(SECOND)));

        assertTrue(thrown.timedOut());
        assertEquals("slow", slow.await());
    }

    @HeddleTest
    void allThatIsFinishedBeatsAFiredToken() {
        var fired = Token.after(Duration.ZERO);
        var done = List.of(Deferred.completed("a"), Deferred.completed("b"));

        assertEquals(List.of("a", "b"), awaitAll(done, fired));
    }

    @HeddleTest(seeds = 20)
    void allOfTenThousandIsFine() {
        var many = new ArrayList<Coroutine<Integer>>();
        for (int i = 0; i < 10_000; i++) {
            int number = i;
            many.add(spawn(() -> number));
        }

        assertEquals(IntStream.range(0, 10_000).boxed().toList(), awaitAll(many));
    }

    // ---- settled ----

    @HeddleTest(seeds = 20)
    void settledSeparatesValuesFromErrorsByPosition() {
        var cancelled = after(9, "x");
        cancelled.cancel("enough");
        var results =
                awaitSettled(List.of(after(2, "a"), failing(1, error), after(1, "c"), cancelled));

        assertEquals(Map.of(0, "a", 2, "c"), results.values());
        assertEquals(List.of(0, 2), List.copyOf(results.values().keySet()));
        assertSame(error, results.errors().get(1));
        assertInstanceOf(Cancellation.class, results.errors().get(3));
        assertEquals(List.of(), results.pending());
        assertFalse(results.allSucceeded());
    }

    @HeddleTest(seeds = 20)
    void settledKeepsWhatThereIsWhenItsTokenFires(TestWorld world) {
        var slow = after(5, "slow");
        var results =
                awaitSettled(
                        List.of(after(1, "a"), slow, failing(1, error)),
                        Token.after(SECOND.multipliedBy(2)));

        assertEquals(Map.of(0, "a"), results.values());
        assertEquals(Map.of(2, error), results.errors());
        assertEquals(List.of(1), results.pending());
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
        assertEquals("slow", slow.await());
    }

    @HeddleTest
    void settledWithAFiredTokenShowsWhatHasEnded() {
        var fired = Token.when(Deferred.completed(1));
        var results =
                awaitSettled(
                        List.of(Deferred.completed("a"), never(), Deferred.failed(error)), fired);

        assertEquals(Map.of(0, "a"), results.values());
        assertEquals(Map.of(2, error), results.errors());
        assertEquals(List.of(1), results.pending());
    }

    @HeddleTest
    void settledOfNothingIsEmptyAndWell() {
        assertTrue(awaitSettled(NOTHING).allSucceeded());
    }

    @HeddleTest(seeds = 20)
    void settledOfDuplicatesShowsEachPosition() {
        var one = after(1, "a");

        assertEquals(Map.of(0, "a", 1, "a"), awaitSettled(List.of(one, one)).values());
    }

    @HeddleTest
    void resultsCannotBeChanged() {
        var results = awaitSettled(List.of(Deferred.completed("a")));

        assertThrows(UnsupportedOperationException.class, () -> results.values().put(1, "b"));
        assertThrows(UnsupportedOperationException.class, () -> results.errors().put(1, error));
        assertThrows(UnsupportedOperationException.class, () -> results.pending().add(1));
    }

    // ---- in common ----

    @HeddleTest
    void waitingForOneselfAmongOthersIsAnErrorAtOnce() {
        @SuppressWarnings("unchecked") // Only to be awaited.
        var self = (Coroutine<String>) Heddle.current();

        assertThrows(DeadlockError.class, () -> awaitAll(never(), self));
        assertThrows(DeadlockError.class, () -> awaitAny(never(), self));
    }

    @HeddleTest(seeds = 20)
    void cancelledAwaiterLeavesAllAndTheyGoOn() {
        var one = after(1, "a");
        var two = after(2, "b");
        var awaiter = spawn(() -> awaitAll(one, two));
        suspend();

        assertInstanceOf(Outcome.Cancelled.class, awaiter.cancelAndAwait("leave"));
        assertEquals(List.of("a", "b"), awaitAll(one, two));
    }

    @HeddleTest(seeds = 20)
    void collectionThatChangesDuringTheWaitDoesNotMatter() {
        var list = new ArrayList<>(List.of(after(1, "a"), after(2, "b")));
        spawn(list::clear);

        assertEquals(List.of("a", "b"), awaitAll(list));
    }

    @HeddleTest(seeds = 20)
    void manyWaitsForFinishedThingsLetOthersRun() {
        var done = List.of(Deferred.completed("a"), Deferred.completed("b"));
        spawn(() -> trail.add("other"));
        for (int i = 0; i < 1_000; i++) {
            assertEquals(2, awaitAll(done).size());
            assertEquals(0, awaitAll(NOTHING).size());
        }
        trail.add("end");

        assertEquals(List.of("other", "end"), trail);
    }
}
