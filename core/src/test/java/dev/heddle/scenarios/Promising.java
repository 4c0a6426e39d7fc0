package dev.heddle.scenarios;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Cancellation;
import dev.heddle.Deferred;
import dev.heddle.OperationCancelledException;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;

/// Results that somebody writes, and what is made of them.
///
/// Who promises keeps it whatever happens: in `finally`, or nobody would ever wake the others.
final class Promising {
    private Promising() {}

    static final class EverybodyIsWoken extends Story {
        private int got;

        @Override
        public void run(TestWorld world) {
            var promise = new Promise<Integer>();
            Scope.run(
                    _ -> {
                        for (int i = 0; i < 4; i++) {
                            spawn(() -> got(await(promise.deferred())));
                        }
                        try {
                            delay(ms(1));
                        } finally {
                            promise.complete(5);
                        }
                    });
        }

        private void got(int value) {
            got += value;
        }

        @Override
        void expect() {
            assertEquals(20, got);
        }
    }

    static final class OneResultWins extends Story {
        private int won;
        private boolean torn;

        @Override
        public void run(TestWorld world) {
            var promise = new Promise<String>();
            promise.deferred().ignore();
            Scope.run(
                    _ -> {
                        spawn(() -> tryIt(promise, 1));
                        spawn(() -> tryIt(promise, 2));
                        spawn(() -> tryIt(promise, 3));
                        suspend();
                    });
            torn = promise.isSettled() != promise.deferred().outcome().isPresent();
            say(promise.deferred().info());
        }

        private void tryIt(Promise<String> promise, int how) {
            suspend();
            boolean mine =
                    switch (how) {
                        case 1 -> promise.complete("value");
                        case 2 -> promise.fail(new Planned("failure"));
                        default -> promise.cancel("given up");
                    };
            won += mine ? 1 : 0;
        }

        @Override
        void expect() {
            assertEquals(1, won);
            assertTrue(!trail.toString().contains("pending"));
        }

        @Override
        public void verify() {
            assertTrue(won <= 1 && !torn);
        }
    }

    static final class FailureAndCancellationAreThrown extends Story {
        @Override
        public void run(TestWorld world) {
            var failing = new Promise<String>();
            var given = new Promise<String>();
            spawn(() -> failing.fail(new Planned("broken")));
            spawn(() -> given.cancel("given up"));
            try {
                failing.deferred().await(ms(10));
            } catch (Planned broken) {
                say(String.valueOf(broken.getMessage()));
            } catch (OperationCancelledException nobodyDid) {
                say("late");
            } finally {
                failing.deferred().ignore();
            }
            try {
                given.deferred().await(ms(10));
            } catch (Cancellation cancelled) {
                say(cancelled.reason());
                if (current().isCancellationRequested()) {
                    throw cancelled;
                }
            } catch (OperationCancelledException nobodyDid) {
                say("late");
            }
        }

        @Override
        void expect() {
            assertEquals("[broken, given up]", trail.toString());
        }
    }

    static final class KeptByTheOutsideWorld extends Story {
        @Override
        public void run(TestWorld world) {
            Promise<String> promise = Promise.external();
            world.at(ms(7), () -> promise.complete("outside"));
            say(promise.deferred().info());
            say(promise.deferred().await() + " at " + world.elapsed().toMillis());
            Promise<String> second = Promise.external();
            world.at(ms(9), () -> second.complete("again"));
            say(await(second.deferred(), Token.after(ms(50))));
        }

        @Override
        void expect() {
            assertEquals("[Promise(pending, external), outside at 7, again]", trail.toString());
        }
    }

    static final class ChainOfCallbacks extends Story {
        private int cleaned;

        @Override
        public void run(TestWorld world) {
            var promise = new Promise<Integer>();
            var words =
                    promise.deferred()
                            .map(value -> value + 1)
                            .onFinally(() -> cleaned++)
                            .map(value -> "got " + value)
                            .recover(error -> "failed");
            spawn(() -> complete(promise, 41));
            say(words.await());
            world.settle();
        }

        private static void complete(Promise<Integer> promise, int value) {
            try {
                delay(ms(1));
            } finally {
                promise.complete(value);
            }
        }

        @Override
        void expect() {
            assertEquals("[got 42]", trail.toString());
            assertEquals(1, cleaned);
        }

        @Override
        public void verify() {
            assertTrue(cleaned <= 1);
        }
    }

    static final class ChainRecoversFromItsOwnFailure extends Story {
        @Override
        public void run(TestWorld world) {
            var bad =
                    Deferred.completed("x")
                            .map(Integer::parseInt)
                            .recover(_ -> -1)
                            .onFinally(() -> say("cleaned"));
            var worse = Deferred.<Integer>failed(new Planned("from the start")).recover(_ -> -2);
            say("" + (bad.await() + worse.await()));
            Deferred.failed(new Planned("nobody looks")).ignore();
        }

        @Override
        void expect() {
            assertEquals("[cleaned, -3]", trail.toString());
        }
    }

    static final class BridgesToFuturesAndBack extends Story {
        @Override
        public void run(TestWorld world) {
            var promise = new Promise<String>();
            CompletableFuture<String> future = promise.deferred().toCompletableFuture();
            Deferred<String> back = Deferred.from(future.thenApply(value -> value + "!"));
            try {
                delay(ms(1));
            } finally {
                promise.complete("there");
            }
            say(back.await());
            say("" + future.isDone() + promise.isSettled());
            say(Deferred.from(CompletableFuture.completedFuture("back")).await());
        }

        @Override
        void expect() {
            assertEquals("[there!, truetrue, back]", trail.toString());
        }
    }

    static final class CancelledPromiseCancelsItsFuture extends Story {
        private boolean cancelled;

        @Override
        public void run(TestWorld world) {
            var promise = new Promise<String>();
            var future = Deferred.completed(1).toCompletableFuture();
            var given = promise.deferred().toCompletableFuture();
            promise.cancel("given up");
            world.settle();
            cancelled = given.isCancelled() && future.isDone();
        }

        @Override
        void expect() {
            assertTrue(cancelled);
        }
    }

    /// What is handed over is in one place at any time: a claim across two coroutines.
    static final class HandOver extends Story {
        private final ArrayList<Integer> shelf = new ArrayList<>();
        private int made;
        private int taken;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var bell = new ArrayList<Promise<Boolean>>();
                        bell.add(new Promise<>());
                        spawn(() -> produce(bell));
                        spawn(() -> consume(bell));
                    });
        }

        private void produce(ArrayList<Promise<Boolean>> bell) {
            try {
                for (int i = 0; i < 4; i++) {
                    delay(ms(1));
                    shelf.add(i);
                    made++;
                    ring(bell, true);
                }
            } finally {
                ring(bell, false);
            }
        }

        private static void ring(ArrayList<Promise<Boolean>> bell, boolean more) {
            var rung = bell.getLast();
            bell.add(new Promise<>());
            rung.complete(more);
        }

        private void consume(ArrayList<Promise<Boolean>> bell) {
            boolean more = true;
            for (int i = 0; more; i++) {
                more = await(bell.get(i).deferred());
                while (!shelf.isEmpty()) {
                    shelf.removeFirst();
                    taken++;
                }
            }
        }

        @Override
        void expect() {
            assertEquals(4, taken);
        }

        @Override
        public void verify() {
            assertEquals(made, taken + shelf.size());
        }
    }

    static final class WaiterGivesUpAndTheValueStays extends Story {
        @Override
        public void run(TestWorld world) {
            var promise = new Promise<Integer>();
            Scope.run(
                    _ -> {
                        var waiter = spawn(() -> await(promise.deferred()));
                        suspend();
                        promise.complete(3);
                        waiter.cancel("at the same moment");
                        waiter.awaitOutcome();
                        say("" + promise.deferred().await() + promise.isSettled());
                    });
        }

        @Override
        void expect() {
            assertEquals("[3true]", trail.toString());
        }
    }
}
