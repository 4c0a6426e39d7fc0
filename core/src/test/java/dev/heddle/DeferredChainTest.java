package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/// What map, recover and onFinally make of a result.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeferredChainTest {
    private final List<String> trail = new ArrayList<>();

    @HeddleTest
    void mapTransformsTheValueStepByStep() {
        var promise = new Promise<Integer>();
        var text = promise.deferred().map(x -> x + 1).map(x -> "<" + x + ">");

        promise.complete(41);

        assertEquals("<42>", await(text));
    }

    @HeddleTest
    void mapOfOneThatHasEndedWorksToo() {
        var doubled = Deferred.completed(5).map(x -> x * 2);

        assertEquals(10, await(doubled));
    }

    @HeddleTest
    void failureSkipsMapAndArrivesAsTheSameObject() {
        var error = new IOException("checked");
        Deferred<Integer> end =
                Deferred.<Integer>failed(error)
                        .map(
                                x -> {
                                    trail.add("must not run");
                                    return x;
                                })
                        .map(x -> x + 1);

        assertSame(error, assertThrows(IOException.class, () -> end.await(IOException.class)));

        assertEquals(List.of(), trail);
    }

    @HeddleTest
    void whatMapThrowsIsTheFailureAlsoIfItIsChecked() {
        var error = new IOException("in map");
        Deferred<Integer> bad =
                Deferred.completed(1)
                        .map(
                                _ -> {
                                    throw error;
                                });

        var thrown = assertThrows(CompletionException.class, bad::await);
        assertSame(error, thrown.getCause());
    }

    @HeddleTest
    void recoverTurnsAFailureIntoAValueAndTheChainGoesOn() {
        var end =
                Deferred.<Integer>failed(new IOException("gone"))
                        .recover(error -> error.getMessage().length())
                        .map(x -> x * 10);

        assertEquals(40, await(end));
    }

    @HeddleTest
    void recoverLeavesAValueAlone() {
        var end =
                Deferred.completed("good")
                        .recover(
                                _ -> {
                                    trail.add("must not run");
                                    return "other";
                                });

        assertEquals("good", await(end));

        assertEquals(List.of(), trail);
    }

    @HeddleTest
    void recoverThatThrowsKeepsTheFirstFailureAsSuppressed() {
        var first = new IOException("first");
        var second = new IllegalStateException("second");
        Deferred<Integer> end =
                Deferred.<Integer>failed(first)
                        .recover(
                                _ -> {
                                    throw second;
                                });

        assertSame(second, assertThrows(Throwable.class, end::await));
        assertEquals(List.of(first), List.of(second.getSuppressed()));
    }

    @HeddleTest
    void recoverThatThrowsTheSameOrWrapsItSuppressesNothing() {
        var first = new IllegalStateException("first");
        Deferred<Integer> same =
                Deferred.<Integer>failed(first)
                        .recover(
                                _ -> {
                                    throw first;
                                });
        Deferred<Integer> wrapped =
                Deferred.<Integer>failed(first)
                        .recover(
                                error -> {
                                    throw new IllegalArgumentException(error);
                                });

        assertSame(first, assertThrows(Throwable.class, same::await));
        var thrown = assertThrows(IllegalArgumentException.class, wrapped::await);
        assertSame(first, thrown.getCause());
        assertEquals(0, thrown.getSuppressed().length + first.getSuppressed().length);
    }

    @HeddleTest
    void cancellationPassesMapAndRecover() {
        var promise = new Promise<Integer>();
        var end = promise.deferred().map(x -> x + 1).recover(_ -> 0);

        promise.cancel("given up");

        var outcome = assertInstanceOf(Outcome.Cancelled.class, end.awaitOutcome());
        assertEquals("given up", outcome.cancellation().reason());
    }

    @HeddleTest
    void onFinallyRunsWhateverTheResultAndPassesItOn() {
        var error = new IllegalStateException("bad");
        var promise = new Promise<Integer>();
        promise.cancel("no");

        assertEquals(1, await(Deferred.completed(1).onFinally(() -> trail.add("good"))));
        var bad = Deferred.failed(error).onFinally(() -> trail.add("bad"));
        assertSame(error, assertThrows(Throwable.class, bad::await));
        var cancelled = promise.deferred().onFinally(() -> trail.add("cancelled"));
        assertThrows(Cancellation.class, cancelled::await);

        assertEquals(List.of("good", "bad", "cancelled"), trail);
    }

    @HeddleTest
    void onFinallyThatThrowsFailsAValue() {
        var error = new IOException("in finally");
        var end =
                Deferred.completed(1)
                        .onFinally(
                                () -> {
                                    throw error;
                                });

        assertSame(error, assertThrows(IOException.class, () -> end.await(IOException.class)));
    }

    @HeddleTest
    void onFinallyThatThrowsIsSuppressedOntoAFailure() {
        var first = new IllegalStateException("first");
        var second = new IOException("in finally");
        var end =
                Deferred.failed(first)
                        .onFinally(
                                () -> {
                                    throw second;
                                });

        assertSame(first, assertThrows(Throwable.class, end::await));
        assertEquals(List.of(second), List.of(first.getSuppressed()));
    }

    @HeddleTest
    void onFinallyThatThrowsTurnsACancellationIntoAFailureThatRemembersIt() {
        var promise = new Promise<Integer>();
        promise.cancel("given up");
        var error = new IllegalStateException("in finally");
        var end =
                promise.deferred()
                        .onFinally(
                                () -> {
                                    throw error;
                                });

        assertSame(error, assertThrows(Throwable.class, end::await));
        assertInstanceOf(Cancellation.class, error.getSuppressed()[0]);
    }

    @HeddleTest
    void severalChainsOfOneResultAreIndependent() {
        var promise = new Promise<Integer>();
        Deferred<Integer> bad =
                promise.deferred()
                        .map(
                                _ -> {
                                    throw new IllegalStateException("one of them");
                                });
        var doubled = promise.deferred().map(x -> x * 2);
        var text = promise.deferred().map(String::valueOf);

        promise.complete(4);

        assertThrows(IllegalStateException.class, bad::await);
        assertEquals(8, await(doubled));
        assertEquals("4", await(text));
        assertEquals(4, await(promise.deferred()));
    }

    @Test
    void functionsAndAwaitersRunInTheOrderTheyCameAndNeverInsideComplete() {
        var world = World.virtual();
        world.run(
                () -> {
                    var promise = new Promise<Integer>();
                    promise.deferred().onFinally(() -> world.say("first"));
                    spawn(() -> world.say("awaiter " + await(promise.deferred())));
                    delay(Duration.ofMillis(1));
                    promise.deferred().onFinally(() -> world.say("last"));

                    promise.complete(7);
                    world.say("completed");
                });

        assertEquals(List.of("completed", "first", "awaiter 7", "last"), world.trail);
    }

    @HeddleTest
    void chainingToOneThatHasEndedDoesNotRunTheFunctionInsideTheCall() {
        var chained = Deferred.completed(1).onFinally(() -> trail.add("function"));
        trail.add("chained");
        await(chained);

        assertEquals(List.of("chained", "function"), trail);
    }

    @HeddleTest
    void functionThatWaitsFailsWithAMessageThatSaysWhatToDo() {
        var never = new Promise<Integer>();
        for (Deferred<Integer> bad :
                List.of(
                        Deferred.completed(1).map(_ -> await(never.deferred())),
                        Deferred.completed(1).onFinally(() -> suspendHere()),
                        Deferred.<Integer>failed(new IOException())
                                .recover(_ -> await(never.deferred())))) {
            var thrown = assertThrows(IllegalStateException.class, bad::await);
            assertTrue(thrown.getMessage().contains("inside a callback"), thrown.getMessage());
        }
    }

    private static void suspendHere() {
        delay(Duration.ofMillis(1));
    }

    @HeddleTest(seeds = 20)
    void functionMaySpawnAndCompleteOtherPromises(TestWorld world) {
        var other = new Promise<String>();
        Deferred.completed("x")
                .map(
                        x -> {
                            spawn(() -> trail.add("spawned"));
                            return other.complete(x);
                        });

        assertEquals("x", await(other.deferred()));
        world.settle();

        assertEquals(List.of("spawned"), trail);
    }

    @HeddleTest
    void chainOfAHundredThousandStepsNeedsNoDeepStack() {
        var promise = new Promise<Integer>();
        Deferred<Integer> end = promise.deferred();
        for (int i = 0; i < 100_000; i++) {
            end = end.map(x -> x + 1);
        }
        promise.complete(0);

        assertEquals(100_000, await(end));
    }

    @HeddleTest
    void disposedSourceFailsWhatIsMadeOfIt() {
        var promise = new Promise<Integer>();
        var end = promise.deferred().map(x -> x + 1);

        promise.deferred().dispose();

        assertThrows(IllegalStateException.class, end::await);
    }

    @HeddleTest
    void ignoreReturnsTheSameOne() {
        var deferred = Deferred.completed(1);

        assertSame(deferred, deferred.ignore());
        assertEquals(1, await(deferred));
    }

    @HeddleTest
    void nullFunctionsAreRefused() {
        var deferred = Deferred.completed(1);

        assertThrows(NullPointerException.class, () -> deferred.map(null));
        assertThrows(NullPointerException.class, () -> deferred.recover(null));
        assertThrows(NullPointerException.class, () -> deferred.onFinally(null));
    }
}
