package dev.heddle;

import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitAnyOf;
import static dev.heddle.Heddle.awaitFirstSuccess;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/// Waiting for the first of several coroutines and promises, or for some of them.
final class AwaitAnyTest {
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

    // ---- any ----

    @HeddleTest(seeds = 20)
    void anyReturnsTheFirstToEndAndTheOthersGoOn(TestWorld world) {
        var slow = after(5, "slow");

        assertEquals("fast", awaitAny(slow, after(1, "fast"), never()));
        assertEquals(SECOND, world.elapsed());
        assertEquals("slow", slow.await());
    }

    @HeddleTest(seeds = 20)
    void anyThrowsIfTheFirstToEndFailed() {
        var late = after(2, "late");

        assertSame(error, assertThrows(Throwable.class, () -> awaitAny(late, failing(1, error))));
        assertEquals("late", late.await());
    }

    @HeddleTest(seeds = 20)
    void anyOfFinishedInputsReturnsTheFirstGivenAtOnce() {
        spawn(() -> trail.add("other"));

        assertEquals("a", awaitAny(never(), Deferred.completed("a"), Deferred.completed("b")));
        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void anyOfTheSameThingTwiceReturnsItsValue() {
        var one = after(1, "a");

        assertEquals("a", awaitAny(one, one));
    }

    @HeddleTest
    void anyAndFirstSuccessOfNothingAreRefused() {
        var any = assertThrows(IllegalArgumentException.class, () -> awaitAny(NOTHING));
        assertTrue(any.getMessage().contains("awaitAny of nothing"), any.getMessage());
        assertThrows(IllegalArgumentException.class, () -> awaitFirstSuccess(NOTHING));
    }

    // ---- first success ----

    @HeddleTest(seeds = 20)
    void firstSuccessPassesOverFailures(TestWorld world) {
        var late = after(3, "late");

        assertEquals("good", awaitFirstSuccess(failing(1, error), after(2, "good"), late));
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
        assertEquals("late", late.await());
    }

    @HeddleTest(seeds = 20)
    void firstSuccessThrowsAllFailuresIfThereIsNone() {
        var other = new IOException("other");
        var thrown =
                assertThrows(
                        CompositeException.class,
                        () -> awaitFirstSuccess(failing(2, error), failing(1, other)));

        assertEquals(List.of(error, other), thrown.errors());
    }

    @HeddleTest
    void firstSuccessOfASingleFailureThrowsThat() {
        var checked = new IOException("checked");

        assertSame(
                error,
                assertThrows(
                        Throwable.class, () -> awaitFirstSuccess(Deferred.<String>failed(error))));
        var wrapped =
                assertThrows(
                        CompletionException.class,
                        () -> awaitFirstSuccess(Deferred.<String>failed(checked)));
        assertSame(checked, wrapped.getCause());
    }

    // ---- any of n ----

    @HeddleTest(seeds = 20)
    void anyOfReturnsWhenEnoughHaveSucceededWithExactlyThose() {
        var slow = after(5, "slow");
        var results = awaitAnyOf(2, List.of(slow, after(2, "b"), failing(1, error), after(1, "d")));

        assertEquals(Map.of(1, "b", 3, "d"), results.values());
        assertEquals(Map.of(2, error), results.errors());
        assertEquals(List.of(0), results.pending());
        assertEquals("slow", slow.await());
    }

    @HeddleTest
    void anyOfFinishedInputsTakesTheFirstGivenAndNoMore() {
        var done = List.of(Deferred.completed("a"), Deferred.completed("b"));
        var results = awaitAnyOf(1, done);

        assertEquals(Map.of(0, "a"), results.values());
        assertEquals(List.of(1), results.pending());
    }

    @HeddleTest(seeds = 20)
    void anyOfMoreThanThereAreReturnsAll() {
        assertEquals(
                Map.of(0, "a", 1, "b"),
                awaitAnyOf(5, List.of(after(1, "a"), after(2, "b"))).values());
    }

    @HeddleTest
    void anyOfNoneIsEmptyAtOnce() {
        var results = awaitAnyOf(0, List.of(Deferred.completed("a"), never()));

        assertEquals(Map.of(), results.values());
        assertEquals(List.of(0, 1), results.pending());
        assertEquals(Map.of(), awaitAnyOf(3, NOTHING).values());
    }

    @HeddleTest(seeds = 20)
    void anyOfReturnsWhenAllHaveEndedWithTooFewSuccesses() {
        var results = awaitAnyOf(2, List.of(failing(1, error), after(2, "b")));

        assertEquals(Map.of(1, "b"), results.values());
        assertEquals(Map.of(0, error), results.errors());
    }

    @HeddleTest
    void anyOfANegativeNumberIsRefused() {
        var thrown = assertThrows(IllegalArgumentException.class, () -> awaitAnyOf(-1, NOTHING));
        assertTrue(thrown.getMessage().contains("-1"), thrown.getMessage());
    }
}
