package dev.heddle.scenarios;

import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitAnyOf;
import static dev.heddle.Heddle.awaitFirstSuccess;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.CompositeException;
import dev.heddle.Coroutine;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

import java.util.ArrayList;
import java.util.List;

/// Waiting for several things.
final class Gathering {
    private Gathering() {}

    /// A story over three coroutines that take 1, 2 and 3 ms.
    private abstract static class OfThree extends Story {
        @Override
        public final void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.onException((_, _) -> {});
                        var three = List.of(after(1), after(2), after(3));
                        try {
                            gather(three);
                        } finally {
                            // A wait that was cut off has not read what it was told.
                            three.forEach(Coroutine::outcome);
                        }
                    });
        }

        private Coroutine<Integer> after(int millis) {
            return spawn(
                    () -> {
                        busy(() -> delay(ms(millis)));
                        return result(millis);
                    });
        }

        int result(int millis) {
            return millis;
        }

        abstract void gather(List<Coroutine<Integer>> three);
    }

    static final class AllInOrder extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            say(awaitAll(three.get(2), three.get(0), three.get(1)).toString());
            say(awaitAll(three).toString());
            say(awaitAll(three, Token.after(ms(1))).toString());
        }

        @Override
        void expect() {
            assertEquals("[[3, 1, 2], [1, 2, 3], [1, 2, 3]]", trail.toString());
        }
    }

    static final class AllUntilTheTokenFires extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            try {
                awaitAll(three, Token.when(three.get(1)));
                say("the token came too late");
            } catch (OperationCancelledException ended) {
                say("ended");
            }
            say(awaitAll(three.get(0), three.get(1)).toString());
        }

        @Override
        void expect() {
            assertEquals("[ended, [1, 2]]", trail.toString());
        }
    }

    static final class AllThrowsTheFirstFailureAndTheOthersGoOn extends OfThree {
        private int finished;

        @Override
        int result(int millis) {
            if (millis == 2) {
                throw new Planned("second");
            }
            finished++;
            return millis;
        }

        @Override
        void gather(List<Coroutine<Integer>> three) {
            try {
                awaitAll(three);
            } catch (Planned failure) {
                say(failure.getMessage() + " after " + finished);
            }
        }

        @Override
        void expect() {
            assertEquals("[second after 1]", trail.toString());
            assertEquals(2, finished);
        }
    }

    static final class SettledTakesEverything extends OfThree {
        @Override
        int result(int millis) {
            if (millis == 1) {
                throw new Planned("first");
            }
            return millis;
        }

        @Override
        void gather(List<Coroutine<Integer>> three) {
            var results = awaitSettled(three);
            say(results.values() + " " + results.errors().keySet() + " " + results.pending());
            say("" + results.allSucceeded());
        }

        @Override
        void expect() {
            assertEquals("[{1=2, 2=3} [0] [], false]", trail.toString());
        }
    }

    static final class SettledUntilTheTokenFires extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            var some = awaitSettled(three, Token.when(three.get(1)));
            var none = awaitSettled(List.of(three.get(2)), Token.after(ms(0)));
            say("" + some.pending() + some.errors() + none.values());
            say("" + awaitSettled(three).allSucceeded());
        }

        @Override
        void expect() {
            assertEquals("[[2]{}{}, true]", trail.toString());
        }
    }

    static final class AnyIsTheFirst extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            say("" + awaitAny(three.get(2), three.get(1)));
            say("" + awaitAny(List.of(three.get(2), three.get(0))));
        }

        @Override
        void expect() {
            assertEquals("[2, 1]", trail.toString());
        }
    }

    static final class AnyAgainAndAgain extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            int sum = 0;
            var left = new ArrayList<>(three);
            while (!left.isEmpty()) {
                int value = awaitAny(left);
                sum += value;
                left.removeIf(Coroutine::isFinished);
            }
            say("" + sum + awaitAny(three.get(0), three.get(1)));
        }

        @Override
        void expect() {
            assertEquals("[61]", trail.toString());
        }
    }

    static final class FirstSuccessSkipsFailures extends OfThree {
        @Override
        int result(int millis) {
            if (millis == 1) {
                throw new Planned("first");
            }
            return millis;
        }

        @Override
        void gather(List<Coroutine<Integer>> three) {
            try {
                say("" + awaitFirstSuccess(three.get(0), three.get(2), three.get(1)));
                say("" + awaitFirstSuccess(List.of(three.get(0), three.get(2))));
            } catch (CompositeException noneLeft) {
                say("none");
            }
        }

        @Override
        void expect() {
            assertEquals("[2, 3]", trail.toString());
        }
    }

    static final class NoSuccessIsEveryFailure extends OfThree {
        @Override
        int result(int millis) {
            throw new Planned("" + millis);
        }

        @Override
        void gather(List<Coroutine<Integer>> three) {
            try {
                awaitFirstSuccess(three);
            } catch (CompositeException all) {
                say("" + all.errors().size());
            }
            try {
                awaitFirstSuccess(three.get(1));
            } catch (Planned itself) {
                say(String.valueOf(itself.getMessage()));
            }
        }

        @Override
        void expect() {
            assertEquals("[3, 2]", trail.toString());
        }
    }

    static final class SomeOfMany extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            var two = awaitAnyOf(2, three);
            say(two.values() + " " + two.pending());
            var one = awaitAnyOf(1, List.of(three.get(2)));
            say(one.values().toString());
            say("" + awaitAnyOf(0, three).values().size());
        }

        @Override
        void expect() {
            assertEquals("[{0=1, 1=2} [2], {0=3}, 0]", trail.toString());
        }
    }

    static final class FirstOfThreeUntilTheTokenFires extends OfThree {
        @Override
        int result(int millis) {
            if (millis == 1) {
                throw new Planned("first");
            }
            return millis;
        }

        @Override
        void gather(List<Coroutine<Integer>> three) {
            var late = List.of(three.get(2));
            try {
                say("" + awaitAny(late, Token.when(three.get(1))));
            } catch (OperationCancelledException ended) {
                say("no any");
            }
            try {
                say("" + awaitFirstSuccess(List.of(three.get(0)), Token.after(ms(0))));
            } catch (Planned failure) {
                say(String.valueOf(failure.getMessage()));
            }
            try {
                say("" + awaitFirstSuccess(three, Token.after(ms(100))));
            } catch (CompositeException noneLeft) {
                say("none");
            }
            say("" + awaitAny(late, Token.after(ms(100))));
            say("" + awaitAnyOf(2, three, Token.after(ms(100))).values());
        }

        @Override
        void expect() {
            assertEquals("[no any, first, 2, 3, {1=2, 2=3}]", trail.toString());
        }
    }

    static final class SomeOfManyUntilTheTokenFires extends OfThree {
        @Override
        void gather(List<Coroutine<Integer>> three) {
            var some = awaitAnyOf(3, three, Token.when(three.get(1)));
            say("" + some.pending());
            try {
                say("" + awaitFirstSuccess(List.of(three.get(2)), Token.after(ms(0))));
            } catch (OperationCancelledException ended) {
                say("no success");
            }
            try {
                say("" + awaitAny(List.of(three.get(2)), Token.after(ms(0))));
            } catch (OperationCancelledException ended) {
                say("no any");
            }
            say("" + awaitAnyOf(1, three, Token.after(ms(0))).values());
        }

        @Override
        void expect() {
            assertEquals("[[2], no success, no any, {0=1}]", trail.toString());
        }
    }
}
