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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What a promise is in each of its states, and who gets its result.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class PromiseTest {
    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void awaitReturnsTheValueThatAnotherCoroutineCompletesItWith(TestWorld world) {
        var promise = new Promise<String>();
        spawn(
                () -> {
                    delay(Duration.ofSeconds(1));
                    promise.complete("value");
                });
        String got = await(promise.deferred());

        assertEquals("value", got);
        assertEquals(Duration.ofSeconds(1), world.elapsed());
    }

    @HeddleTest
    void pendingPromiseHasNoOutcome() {
        var promise = new Promise<String>();

        assertFalse(promise.isSettled());
        assertEquals(Optional.empty(), promise.deferred().outcome());
        assertEquals("Promise(pending)", promise.toString());
    }

    @HeddleTest
    void completedPromiseRefusesEverythingAfterwards() {
        var promise = new Promise<Integer>();

        assertTrue(promise.complete(1));

        assertFalse(promise.complete(2));
        assertFalse(promise.fail(new IllegalStateException()));
        assertFalse(promise.cancel("late"));
        assertTrue(promise.isSettled());
        assertEquals(1, await(promise.deferred()));
        assertEquals("Promise(completed)", promise.toString());
    }

    @HeddleTest
    void failedPromiseRefusesEverythingAfterwards() {
        var promise = new Promise<Integer>();
        var error = new IllegalArgumentException("no");

        assertTrue(promise.fail(error));

        assertFalse(promise.complete(2));
        assertFalse(promise.fail(new IllegalStateException()));
        assertFalse(promise.cancel("late"));
        assertTrue(promise.isSettled());
        assertSame(error, assertThrows(Throwable.class, promise.deferred()::await));
        assertEquals("Promise(failed: " + error + ")", promise.toString());
    }

    @HeddleTest
    void cancelledPromiseThrowsACancellationWithTheReasonAndRefusesEverythingAfterwards() {
        var promise = new Promise<Integer>();

        assertTrue(promise.cancel("not needed"));

        assertFalse(promise.cancel("late"));
        assertFalse(promise.complete(2));
        assertFalse(promise.fail(new IllegalStateException()));
        assertTrue(promise.isSettled());
        var thrown = assertThrows(Cancellation.class, promise.deferred()::await);
        assertEquals("not needed", thrown.reason());
        assertEquals(new Outcome.Cancelled<>(thrown), promise.deferred().awaitOutcome());
        assertEquals("Promise(cancelled: not needed)", promise.toString());
    }

    @HeddleTest(seeds = 20)
    void cancellingAPromiseWakesWhoWaitsAndDoesNotCancelThem() {
        var promise = new Promise<Integer>();
        var waiter =
                spawn(
                        () -> {
                            assertThrows(Cancellation.class, promise.deferred()::await);
                            suspend();
                            return "went on";
                        });
        suspend();

        promise.cancel("given up");

        assertEquals("went on", await(waiter));
    }

    @HeddleTest
    void promiseOfVoidCompletesWithNull() {
        var promise = new Promise<Void>();
        promise.complete(null);

        assertNull(await(promise.deferred()));
    }

    @HeddleTest
    void sameValueAndSameExceptionAgainAndAgain() {
        var value = new Object();
        var error = new IllegalStateException("same");
        var good = Deferred.completed(value);
        var bad = Deferred.failed(error);
        for (int i = 0; i < 3; i++) {
            assertSame(value, await(good));
            assertSame(error, assertThrows(Throwable.class, bad::await));
        }
    }

    @HeddleTest
    void deferredIsAlwaysTheSameOne() {
        var promise = new Promise<String>();

        assertSame(promise.deferred(), promise.deferred());
    }

    @Test
    void thousandAwaitersResumeInTheOrderTheyCame() {
        var world = World.virtual();
        var order = new ArrayList<Integer>();
        world.run(
                () -> {
                    var promise = new Promise<Integer>();
                    for (int i = 0; i < 1000; i++) {
                        int number = i;
                        spawn(() -> order.add(number + await(promise.deferred())));
                    }
                    delay(Duration.ofMillis(1));
                    assertEquals(List.of(), order);

                    promise.complete(0);
                });

        assertEquals(IntStream.range(0, 1000).boxed().toList(), order);
    }

    @HeddleTest(seeds = 20)
    void awaitersOfAFailedPromiseAllGetTheSameException(TestWorld world) {
        var seen = new ArrayList<Throwable>();
        var error = new IllegalStateException("shared");
        var promise = new Promise<Integer>();
        for (int i = 0; i < 3; i++) {
            spawn(() -> seen.add(assertThrows(Throwable.class, promise.deferred()::await)));
        }
        suspend();
        promise.fail(error);
        world.settle();

        assertEquals(List.of(error, error, error), seen);
    }

    @HeddleTest(seeds = 20)
    void completingDoesNotRunTheAwaiterBeforeTheCompleterSuspends() {
        var promise = new Promise<String>();
        var awaiter = spawn(() -> trail.add("got " + await(promise.deferred())));
        suspend();
        promise.complete("it");
        trail.add("completed");
        await(awaiter);

        assertEquals(List.of("completed", "got it"), trail);
    }

    @HeddleTest(seeds = 20)
    void disposedPromiseEndsItsWaitersAndTakesALateResultWithoutHarm() {
        var promise = new Promise<String>();
        var waiter =
                spawn(() -> assertThrows(IllegalStateException.class, promise.deferred()::await));
        delay(Duration.ofMillis(1));

        promise.deferred().dispose();

        await(waiter);
        assertThrows(IllegalStateException.class, promise.deferred()::await);
        assertTrue(promise.complete("late"));
        assertEquals("late", await(promise.deferred()));
    }
}
