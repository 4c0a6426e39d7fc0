package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

/// Scopes that are blocks.
final class Structures {
    private Structures() {}

    static final class BlockWaitsForItsChildren extends Story {
        private int inside;
        private int leftBehind;

        @Override
        public void run(TestWorld world) {
            try {
                Scope.run(
                        scope -> {
                            scope.spawn("slow", () -> stay(6));
                            scope.spawn("slower", () -> stay(9) > 0);
                            spawn(() -> stay(3));
                        });
            } finally {
                leftBehind = inside;
            }
            say("" + world.elapsed().toMillis());
        }

        private int stay(int millis) {
            inside++;
            try {
                delay(ms(millis));
                return millis;
            } finally {
                inside--;
            }
        }

        @Override
        void expect() {
            assertEquals("[9]", trail.toString());
        }

        @Override
        public void verify() {
            assertEquals(0, leftBehind, "children that ran after their block had ended");
        }
    }

    static final class BlockGivesAValue extends Story {
        @Override
        public void run(TestWorld world) {
            int value =
                    Scope.call(
                            scope -> {
                                var two = scope.spawn(() -> 2);
                                var three = scope.spawn("three", () -> 3);
                                return two.await() * three.await();
                            });
            int more = Heddle.<Integer, RuntimeException>run(() -> value + 1);
            Heddle.run(() -> say(value + " " + more));
        }

        @Override
        void expect() {
            assertEquals("[6 7]", trail.toString());
        }
    }

    static final class FailureOfOneEndsAll extends Story {
        private int unharmed;

        @Override
        public void run(TestWorld world) {
            try {
                Scope.run(
                        _ -> {
                            spawn(() -> work(50));
                            spawn(() -> work(60));
                            spawn(
                                    () -> {
                                        delay(ms(2));
                                        throw new Planned("one");
                                    });
                            delay(ms(100));
                            unharmed++;
                        });
            } catch (Planned failure) {
                say(failure.getMessage() + " at " + world.elapsed().toMillis());
            }
        }

        private void work(int millis) {
            busy(() -> delay(ms(millis)));
            unharmed++;
        }

        @Override
        void expect() {
            assertEquals("[one at 2]", trail.toString());
            assertEquals(0, unharmed);
        }
    }

    static final class LeavingByAnExceptionEndsTheChildren extends Story {
        @Override
        public void run(TestWorld world) {
            try {
                Scope.call(
                        _ -> {
                            spawn(() -> busy(() -> delay(ms(50))));
                            suspend();
                            throw new Planned("left");
                        });
            } catch (Planned left) {
                say(left.getMessage() + " at " + world.elapsed().toMillis());
            }
        }

        @Override
        void expect() {
            assertEquals("[left at 0]", trail.toString());
        }
    }

    static final class BlockIsDisposedOfFromOutside extends Story {
        @Override
        public void run(TestWorld world) {
            try {
                Scope.run(
                        scope -> {
                            world.at(ms(3), scope::dispose);
                            spawn(() -> busy(() -> delay(ms(50))));
                            delay(ms(60));
                            say("not disposed of");
                        });
            } catch (OperationCancelledException ended) {
                say("ended at " + world.elapsed().toMillis());
            }
        }

        @Override
        void expect() {
            assertEquals("[ended at 3]", trail.toString());
        }
    }

    static final class BlocksInBlocks extends Story {
        private int depth;
        private int deepest;

        @Override
        public void run(TestWorld world) {
            nest(4);
        }

        private void nest(int levels) {
            if (levels == 0) {
                return;
            }
            depth++;
            deepest = Math.max(deepest, depth);
            try {
                Scope.run(
                        _ -> {
                            spawn(() -> busy(() -> delay(ms(levels))));
                            nest(levels - 1);
                        });
            } finally {
                depth--;
            }
        }

        @Override
        void expect() {
            assertEquals(4, deepest);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(0, depth);
        }
    }

    static final class HandlerTakesFailuresAndNothingIsCancelled extends Story {
        private int taken;
        private int unharmed;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.onException((_, _) -> taken++);
                        for (int i = 1; i <= 4; i++) {
                            int number = i;
                            spawn(() -> oddFails(number));
                        }
                    });
        }

        private void oddFails(int number) {
            busy(() -> delay(ms(number)));
            if (number % 2 == 1) {
                throw new Planned("odd");
            }
            unharmed++;
        }

        @Override
        void expect() {
            assertEquals(2, taken);
            assertEquals(2, unharmed);
        }
    }

    static final class EndIsToldOnce extends Story {
        private int opened;
        private int finished;
        private boolean early;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        opened++;
                        scope.named("block").onFinally(this::over);
                        spawn(() -> busy(() -> delay(ms(3))));
                        say(scope.name() + " " + scope.active());
                        say("" + scope.info().contains("block") + scope.scope().equals(scope));
                    });
            world.settle();
        }

        private void over(Scope scope) {
            finished++;
            early |= !scope.isFinished() || scope.active() > 0 || !scope.isClosed();
        }

        @Override
        void expect() {
            assertEquals("[block 1, truetrue]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(opened, finished);
            assertTrue(!early);
        }
    }
}
