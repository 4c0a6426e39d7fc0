package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/// Promises that other threads keep.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class PromiseThreadsTest {
    private static final int ROUNDS = 500;

    private final World world = World.real();

    @Test
    void anotherThreadCompletesWhatACoroutineAwaits() {
        world.run(
                () -> {
                    var promise = Promise.<String>external();
                    try (var _ = Bystander.doing(() -> promise.complete("from afar"))) {
                        assertEquals("from afar", await(promise.deferred()));
                    }
                });
    }

    @Test
    void anotherThreadFailsWhatACoroutineAwaits() {
        world.run(
                () -> {
                    var promise = Promise.<String>external();
                    var error = new IllegalStateException("from afar");
                    try (var _ = Bystander.doing(() -> promise.fail(error))) {
                        assertEquals(
                                error, assertThrows(Throwable.class, promise.deferred()::await));
                    }
                });
    }

    @Test
    void waitingForAnExternalPromiseSleepsUntilAnotherThreadCompletesIt() {
        var asleep = new AtomicReference<Promise<String>>();
        try (var _ = Bystander.onceAsleepIn("poll", () -> asleep.get().complete("after a sleep"))) {
            world.run(
                    () -> {
                        var promise = Promise.<String>external();
                        asleep.set(promise);
                        assertEquals("after a sleep", await(promise.deferred()));
                    });
        }
    }

    @Test
    void waitingForWhatIsMadeOfAnExternalPromiseIsNoDeadlockEither() {
        var asleep = new AtomicReference<Promise<String>>();
        try (var _ = Bystander.onceAsleepIn("poll", () -> asleep.get().complete("x"))) {
            world.run(
                    () -> {
                        var promise = Promise.<String>external();
                        asleep.set(promise);
                        var made = promise.deferred().map(x -> x + "y").onFinally(() -> {});
                        assertEquals("xy", await(made));
                    });
        }
    }

    @Test
    void manyAwaitersHearOfACompletionByAnotherThread() {
        var got = new ArrayList<Integer>();
        world.run(
                () -> {
                    var promise = Promise.<Integer>external();
                    for (int i = 0; i < 100; i++) {
                        int number = i;
                        spawn(() -> got.add(number + await(promise.deferred())));
                    }
                    suspend();
                    try (var _ = Bystander.doing(() -> promise.complete(0))) {
                        await(promise.deferred());
                    }
                });

        assertEquals(IntStream.range(0, 100).boxed().toList(), got);
    }

    @Test
    void promisesCompletedByOneThreadWakeInThatOrder() {
        var order = new ArrayList<Integer>();
        world.run(
                () -> {
                    var promises =
                            IntStream.range(0, 50)
                                    .mapToObj(_ -> Promise.<Integer>external())
                                    .toList();
                    promises.forEach(each -> spawn(() -> order.add(await(each.deferred()))));
                    suspend();
                    try (var _ =
                            Bystander.doing(
                                    () -> {
                                        for (int i = 0; i < 50; i++) {
                                            promises.get(i).complete(i);
                                        }
                                    })) {
                        await(promises.getLast().deferred());
                    }
                });

        assertEquals(IntStream.range(0, 50).boxed().toList(), order);
    }

    @Test
    void threadThatDiesLeavesThePromisePendingForAnother() throws InterruptedException {
        world.run(
                () -> {
                    var promise = Promise.<String>external();
                    var crashed =
                            Thread.ofPlatform()
                                    .uncaughtExceptionHandler((_, _) -> {})
                                    .start(
                                            () -> {
                                                throw new IllegalStateException("crash");
                                            });
                    crashed.join();
                    assertTrue(promise.deferred().outcome().isEmpty());

                    try (var _ = Bystander.doing(() -> promise.complete("second"))) {
                        assertEquals("second", await(promise.deferred()));
                    }
                });
    }

    @Test
    void ofManyThreadsThatSettleAPromiseExactlyOneWinsAndItsResultIsSeen() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            raceOnce();
        }
    }

    private void raceOnce() throws Exception {
        world.run(
                () -> {
                    var promise = Promise.<Integer>external();
                    var winners = new AtomicInteger();
                    var winner = new AtomicInteger(-1);
                    var start = new CyclicBarrier(4);
                    var threads = new ArrayList<Thread>();
                    for (int i = 0; i < 4; i++) {
                        int number = i;
                        threads.add(
                                Thread.ofPlatform()
                                        .start(
                                                () -> {
                                                    pass(start);
                                                    if (settle(promise, number)) {
                                                        winners.incrementAndGet();
                                                        winner.set(number);
                                                    }
                                                }));
                    }
                    Outcome<Integer> outcome = promise.deferred().awaitOutcome();
                    for (var thread : threads) {
                        thread.join();
                    }

                    assertEquals(1, winners.get());
                    assertEquals(String.valueOf(winner.get()), inWords(outcome));
                    assertEquals(outcome, promise.deferred().awaitOutcome());
                });
    }

    private static void pass(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static boolean settle(Promise<Integer> promise, int number) {
        return switch (number % 3) {
            case 0 -> promise.complete(number);
            case 1 -> promise.fail(new IllegalStateException(String.valueOf(number)));
            default -> promise.cancel(String.valueOf(number));
        };
    }

    private static String inWords(Outcome<Integer> outcome) {
        return switch (outcome) {
            case Outcome.Success<Integer>(var value) -> String.valueOf(value);
            case Outcome.Failure<Integer>(var error) -> String.valueOf(error.getMessage());
            case Outcome.Cancelled<Integer>(var why) -> why.reason();
        };
    }

    @Test
    void completingAfterTheProgramHasEndedIsHarmless() {
        var kept = new AtomicReference<Promise<String>>();
        world.run(() -> kept.set(Promise.external()));

        assertTrue(kept.get().complete("nobody there"));
        assertEquals(List.of("Promise(completed)"), List.of(kept.get().toString()));
    }
}
