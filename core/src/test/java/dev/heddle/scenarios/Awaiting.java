package dev.heddle.scenarios;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.OperationCancelledException;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Waiting for one thing, with timeouts and tokens.
final class Awaiting {
    private Awaiting() {}

    static final class EverybodyGetsTheSameValue extends Story {
        private int sum;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var source = spawn(() -> slow(21));
                        for (int i = 0; i < 4; i++) {
                            spawn(() -> add(await(source)));
                        }
                        spawn(() -> add(source.await()));
                    });
        }

        // Not "sum += await(…)", which reads the sum before it waits.
        private void add(int value) {
            sum += value;
        }

        private static int slow(int value) {
            delay(ms(3));
            return value;
        }

        @Override
        void expect() {
            assertEquals(105, sum);
        }
    }

    static final class WaitTimesOutAndTheWorkGoesOn extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var slow = spawn(() -> busy(() -> delay(ms(10))));
                        say(outcome(() -> await(slow, ms(3))));
                        say(outcome(() -> slow.await(ms(3))));
                        say(outcome(() -> slow.await(ms(100))));
                    });
            say("" + world.elapsed().toMillis());
        }

        private static String outcome(Runnable wait) {
            try {
                wait.run();
                return "done";
            } catch (OperationCancelledException late) {
                return late.timedOut() ? "late" : "ended";
            }
        }

        @Override
        void expect() {
            assertEquals("[late, late, done, 10]", trail.toString());
        }
    }

    static final class TokenEndsTheWaitOnly extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var slow = spawn(() -> busy(() -> delay(ms(10))));
                        var bored = spawn(() -> busy(() -> delay(ms(2))));
                        var token = Token.when(bored).or(Token.after(ms(5)));
                        try {
                            await(slow, token);
                        } catch (OperationCancelledException ended) {
                            say("ended " + ended.timedOut() + " at " + world.elapsed().toMillis());
                        }
                        say("" + slow.isFinished());
                        slow.await(Token.after(ms(50)));
                    });
        }

        @Override
        void expect() {
            assertEquals("[ended false at 2, false]", trail.toString());
        }
    }

    static final class TokenThatHasFiredLosesToWhatHasHappened extends Story {
        @Override
        public void run(TestWorld world) {
            var token = Token.after(ms(1));
            var quick = spawn(() -> "value");
            var bored = new Promise<Boolean>();
            delay(ms(2));
            say(await(quick, token));
            bored.complete(true);
            say(quick.await(token.or(Token.when(bored.deferred()))));
        }

        @Override
        void expect() {
            assertEquals("[value, value]", trail.toString());
        }
    }

    static final class CheckedFailureArrivesAsItself extends Story {
        @Override
        public void run(TestWorld world) {
            var failing = spawn(() -> fail(world)).observed();
            try {
                await(failing, PlannedChecked.class);
            } catch (PlannedChecked caught) {
                say(caught.getMessage());
            } finally {
                failing.outcome();
                failing.onCompletion(_ -> {});
            }
            try {
                failing.await(PlannedChecked.class);
            } catch (PlannedChecked caught) {
                say(caught.getMessage());
            }
            try {
                failing.await();
            } catch (CompletionException wrapped) {
                say(String.valueOf(wrapped.getCause()).contains("checked") ? "wrapped" : "lost");
            }
        }

        private static int fail(TestWorld world) throws PlannedChecked {
            if (world.seed() != Long.MIN_VALUE) {
                throw new PlannedChecked("checked");
            }
            return 0;
        }

        @Override
        void expect() {
            assertEquals("[checked, checked, wrapped]", trail.toString());
        }
    }

    static final class StageOfTheJdk extends Story {
        @Override
        public void run(TestWorld world) {
            var future = new CompletableFuture<String>();
            world.at(ms(4), () -> future.complete("from outside"));
            say(await(future));
            say(await(CompletableFuture.completedFuture("at once")));
            say("" + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[from outside, at once, 4]", trail.toString());
        }
    }

    static final class OutcomeIsAskedForInsteadOfThrown extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.onException((_, _) -> {});
                        var good = spawn(() -> 1);
                        var cancelled = spawn(() -> busy(() -> delay(ms(9))));
                        var bad = spawn(() -> Integer.parseInt("x"));
                        suspend();
                        cancelled.cancel();
                        say(good.awaitOutcome().getClass().getSimpleName());
                        say(cancelled.awaitOutcome().getClass().getSimpleName());
                        say(bad.awaitOutcome().getClass().getSimpleName());
                    });
        }

        @Override
        void expect() {
            assertEquals("[Success, Cancelled, Failure]", trail.toString());
        }
    }

    static final class ManyTimeoutsInOneTick extends Story {
        private int late;
        private int done;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var slow = spawn(() -> busy(() -> delay(ms(5))));
                        for (int i = 3; i <= 7; i++) {
                            int limit = i;
                            spawn(() -> busy(() -> wait(slow, limit)));
                        }
                    });
        }

        private void wait(Coroutine<?> slow, int limit) {
            try {
                slow.await(ms(limit));
                done++;
            } catch (OperationCancelledException timeout) {
                late++;
            }
        }

        @Override
        void expect() {
            // At 5 ms both happen in one turn: the value may win, and so may the timeout, by as
            // much as the coroutine needs to run.
            assertTrue(late >= 2 && done >= 2, late + " late, " + done + " done");
            assertEquals(5, late + done);
        }
    }
}
