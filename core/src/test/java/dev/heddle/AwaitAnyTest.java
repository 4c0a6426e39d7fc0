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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/// Waiting for the first of several coroutines and promises, or for some of them.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class AwaitAnyTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Awaitable<String>> NOTHING = List.of();

    private final World world = World.virtual();
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

    @Test
    void anyReturnsTheFirstToEndAndTheOthersGoOn() {
        world.run(
                () -> {
                    var slow = after(5, "slow");

                    assertEquals("fast", awaitAny(slow, after(1, "fast"), never()));
                    assertEquals(SECOND, world.elapsed());
                    assertEquals("slow", slow.await());
                });
    }

    @Test
    void anyThrowsIfTheFirstToEndFailed() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    Throwable.class,
                                    () -> awaitAny(after(2, "late"), failing(1, error)));

                    assertSame(error, thrown);
                });
    }

    @Test
    void anyOfFinishedInputsReturnsTheFirstGivenAtOnce() {
        world.run(
                () -> {
                    spawn(() -> world.say("other"));
                    assertEquals(
                            "a",
                            awaitAny(never(), Deferred.completed("a"), Deferred.completed("b")));
                    world.say("any");
                });

        assertEquals(List.of("any", "other"), world.trail);
    }

    @Test
    void anyOfTheSameThingTwiceReturnsItsValue() {
        world.run(
                () -> {
                    var one = after(1, "a");

                    assertEquals("a", awaitAny(one, one));
                });
    }

    @Test
    void anyAndFirstSuccessOfNothingAreRefused() {
        world.run(
                () -> {
                    var any = assertThrows(IllegalArgumentException.class, () -> awaitAny(NOTHING));
                    assertTrue(any.getMessage().contains("awaitAny of nothing"), any.getMessage());
                    assertThrows(IllegalArgumentException.class, () -> awaitFirstSuccess(NOTHING));
                });
    }

    // ---- first success ----

    @Test
    void firstSuccessPassesOverFailures() {
        world.run(
                () -> {
                    assertEquals(
                            "good",
                            awaitFirstSuccess(
                                    failing(1, error), after(2, "good"), after(3, "late")));
                    assertEquals(SECOND.multipliedBy(2), world.elapsed());
                });
    }

    @Test
    void firstSuccessThrowsAllFailuresIfThereIsNone() {
        world.run(
                () -> {
                    var other = new IOException("other");
                    var thrown =
                            assertThrows(
                                    CompositeException.class,
                                    () -> awaitFirstSuccess(failing(2, error), failing(1, other)));

                    assertEquals(List.of(error, other), thrown.errors());
                });
    }

    @Test
    void firstSuccessOfASingleFailureThrowsThat() {
        world.run(
                () -> {
                    var checked = new IOException("checked");

                    assertSame(
                            error,
                            assertThrows(
                                    Throwable.class,
                                    () -> awaitFirstSuccess(Deferred.<String>failed(error))));
                    var wrapped =
                            assertThrows(
                                    CompletionException.class,
                                    () -> awaitFirstSuccess(Deferred.<String>failed(checked)));
                    assertSame(checked, wrapped.getCause());
                });
    }

    // ---- any of n ----

    @Test
    void anyOfReturnsWhenEnoughHaveSucceededWithExactlyThose() {
        world.run(
                () -> {
                    var slow = after(5, "slow");
                    var results =
                            awaitAnyOf(
                                    2,
                                    List.of(slow, after(2, "b"), failing(1, error), after(1, "d")));

                    assertEquals(Map.of(1, "b", 3, "d"), results.values());
                    assertEquals(Map.of(2, error), results.errors());
                    assertEquals(List.of(0), results.pending());
                    assertEquals("slow", slow.await());
                });
    }

    @Test
    void anyOfFinishedInputsTakesTheFirstGivenAndNoMore() {
        world.run(
                () -> {
                    var done = List.of(Deferred.completed("a"), Deferred.completed("b"));
                    var results = awaitAnyOf(1, done);

                    assertEquals(Map.of(0, "a"), results.values());
                    assertEquals(List.of(1), results.pending());
                });
    }

    @Test
    void anyOfMoreThanThereAreReturnsAll() {
        world.run(
                () ->
                        assertEquals(
                                Map.of(0, "a", 1, "b"),
                                awaitAnyOf(5, List.of(after(1, "a"), after(2, "b"))).values()));
    }

    @Test
    void anyOfNoneIsEmptyAtOnce() {
        world.run(
                () -> {
                    var results = awaitAnyOf(0, List.of(Deferred.completed("a"), never()));

                    assertEquals(Map.of(), results.values());
                    assertEquals(List.of(0, 1), results.pending());
                    assertEquals(Map.of(), awaitAnyOf(3, NOTHING).values());
                });
    }

    @Test
    void anyOfReturnsWhenAllHaveEndedWithTooFewSuccesses() {
        world.run(
                () -> {
                    var results = awaitAnyOf(2, List.of(failing(1, error), after(2, "b")));

                    assertEquals(Map.of(1, "b"), results.values());
                    assertEquals(Map.of(0, error), results.errors());
                });
    }

    @Test
    void anyOfANegativeNumberIsRefused() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    IllegalArgumentException.class, () -> awaitAnyOf(-1, NOTHING));
                    assertTrue(thrown.getMessage().contains("-1"), thrown.getMessage());
                });
    }
}
