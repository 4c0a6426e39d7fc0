package dev.heddle.scenarios;

import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

/// Time, limits of time, and shields against cancellation.
final class Limiting {
    private Limiting() {}

    static final class DelaysAreNeverEarly extends Story {
        private boolean early;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        for (int i = 0; i < 5; i++) {
                            int millis = world.random().nextInt(20);
                            spawn(() -> sleep(world, millis));
                        }
                    });
        }

        private void sleep(TestWorld world, int millis) {
            var begin = world.elapsed();
            delay(ms(millis));
            early |= world.elapsed().compareTo(begin.plus(ms(millis))) < 0;
            say("woken");
        }

        @Override
        void expect() {
            assertEquals(5, trail.size());
        }

        @Override
        public void verify() {
            assertTrue(!early, "a delay ended early");
        }
    }

    static final class SuspendLetsTheOthersRun extends Story {
        private int turns;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var stop = spawn(() -> busy(() -> delay(ms(1))));
                        spawn(
                                () -> {
                                    while (!stop.isFinished() && turns < 1_000) {
                                        turns++;
                                        suspend();
                                        delay(ms(0));
                                        delay(ms(1).dividedBy(4));
                                    }
                                });
                    });
        }

        @Override
        void expect() {
            assertTrue(turns >= 4 && turns < 1_000, turns + " turns");
        }
    }

    static final class LimitEndsItsBody extends Story {
        @Override
        public void run(TestWorld world) {
            try {
                within(ms(5), () -> busy(() -> delay(ms(50))));
                say("no limit");
            } catch (OperationCancelledException late) {
                say("ended " + late.timedOut() + " at " + world.elapsed().toMillis());
            }
            say("" + within(ms(5), () -> 7));
        }

        @Override
        void expect() {
            assertEquals("[ended true at 5, 7]", trail.toString());
        }
    }

    static final class EarliestLimitEndsItsOwnBody extends Story {
        @Override
        public void run(TestWorld world) {
            try {
                within(
                        ms(10),
                        () -> {
                            limited(2, 50);
                            limited(50, 3);
                            limited(50, 50);
                        });
            } catch (OperationCancelledException outer) {
                say("outer at " + world.elapsed().toMillis());
            }
        }

        private void limited(int limit, int work) {
            try {
                within(ms(limit), () -> busy(() -> delay(ms(work))));
                say("done");
            } catch (OperationCancelledException inner) {
                say("inner");
            }
        }

        @Override
        void expect() {
            assertEquals("[inner, done, outer at 10]", trail.toString());
        }
    }

    static final class LimitReachesChildren extends Story {
        private int unharmed;

        @Override
        public void run(TestWorld world) {
            try {
                within(
                        ms(4),
                        () ->
                                Scope.run(
                                        _ -> {
                                            spawn(() -> work(2));
                                            spawn(() -> work(8));
                                            spawn(() -> work(9));
                                        }));
            } catch (OperationCancelledException late) {
                say("at " + world.elapsed().toMillis());
            }
        }

        private void work(int millis) {
            busy(() -> delay(ms(millis)));
            unharmed++;
        }

        @Override
        void expect() {
            assertEquals("[at 4]", trail.toString());
            assertEquals(1, unharmed);
        }
    }

    static final class ShieldKeepsCancellationsOut extends Story {
        private int begun;
        private int whole;
        private int after;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var child = spawn(this::pay);
                        delay(ms(1));
                        child.cancel("too late");
                        child.awaitOutcome();
                    });
        }

        private void pay() {
            protect(
                    () -> {
                        begun++;
                        delay(ms(3));
                        suspend();
                        whole++;
                    });
            after++;
        }

        @Override
        void expect() {
            assertEquals("1 1 0", begun + " " + whole + " " + after);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(begun, whole, "what is protected is done whole or not at all");
        }
    }

    static final class ShieldInAShieldAndALimitInside extends Story {
        private int steps;

        @Override
        public void run(TestWorld world) {
            spawn(() -> say("not cancelled: " + protect(this::shielded)))
                    .onCompletion(end -> say(end.getClass().getSimpleName() + " after " + steps))
                    .awaitOutcome();
            world.settle();
        }

        private int shielded() {
            current().cancel("while protected");
            protect(() -> delay(ms(1)));
            steps++;
            try {
                within(ms(1), () -> delay(ms(5)));
            } catch (OperationCancelledException own) {
                steps++;
            }
            delay(ms(1));
            return ++steps;
        }

        @Override
        void expect() {
            assertEquals("[Cancelled after 3]", trail.toString());
        }

        @Override
        public void verify() {
            assertTrue(steps == 0 || steps == 3, steps + " of 3 steps");
        }
    }

    static final class CleaningUpMayWait extends Story {
        private int opened;
        private int closed;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var child = spawn(this::useIt);
                        delay(ms(2));
                        child.cancel();
                    });
        }

        private void useIt() {
            opened++;
            try {
                delay(ms(100));
            } finally {
                try {
                    protect(() -> delay(ms(2)));
                } finally {
                    closed++;
                }
            }
        }

        @Override
        void expect() {
            assertEquals(1, opened);
        }

        @Override
        public void verify() {
            assertEquals(opened, closed);
        }
    }
}
