package dev.heddle.scenarios;

import static dev.heddle.Heddle.checkpoint;
import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.isOnLoop;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

/// Loops that compute, and what must be whole.
final class Computing {
    private Computing() {}

    static final class CheckpointsLetTheOthersRun extends Story {
        private int steps;
        private int others;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var other = spawn(() -> others++);
                        while (!other.isFinished() && steps < 300) {
                            steps++;
                            checkpoint();
                        }
                        say("on the loop: " + isOnLoop());
                    });
        }

        @Override
        void expect() {
            assertEquals("[on the loop: true]", trail.toString());
            assertEquals(1, others);
        }
    }

    static final class CheckpointThrowsWhatIsDue extends Story {
        @Override
        public void run(TestWorld world) {
            var computing =
                    spawn(
                            () -> {
                                say(isOnLoop() ? "computes" : "elsewhere");
                                current().cancel("enough");
                                busy(() -> checkpoint());
                                say("never");
                            });
            say(computing.awaitOutcome().getClass().getSimpleName());
        }

        @Override
        void expect() {
            assertEquals("[computes, Cancelled]", trail.toString());
        }
    }

    /// A value that was made inside a shield is either received or given to the hook.
    private abstract static class Making extends Story {
        int made;
        int received;
        int discarded;

        final String make(int millis) {
            delay(ms(millis));
            made++;
            return "made";
        }

        final void use(String value) {
            received += value.length() / 4;
        }

        @Override
        void expect() {
            assertEquals("1 1", received + " " + discarded);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(made, received + discarded);
        }
    }

    static final class MadeInAShieldAndNeverReceived extends Making {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var one = spawn(() -> use(protect(() -> make(3), _ -> discarded++)));
                        var two = spawn(() -> use(protect(() -> make(1), _ -> discarded++)));
                        delay(ms(2));
                        one.cancel();
                        two.cancel();
                    });
        }
    }

    static final class MadeInAShieldInsideALimit extends Making {
        @Override
        public void run(TestWorld world) {
            for (int millis : new int[] {1, 3}) {
                try {
                    within(ms(2), () -> use(protect(() -> make(millis), _ -> discarded++)));
                } catch (OperationCancelledException late) {
                    say("late");
                }
            }
        }
    }

    static final class SafeOnlyForAMoment extends Story {
        @Override
        public void run(TestWorld world) {
            try (var scope = newScope().asSafely().asNotSafely()) {
                scope.spawn(() -> busy(() -> delay(ms(9))));
                delay(ms(1));
            }
            delay(ms(1));
            say("at " + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[at 2]", trail.toString());
        }
    }

    static final class SafeAgainTheyGoOn extends Story {
        private int done;

        @Override
        public void run(TestWorld world) {
            var scope = newScope().asNotSafely();
            scope.spawn(
                    () ->
                            busy(
                                    () -> {
                                        delay(ms(2));
                                        done++;
                                    }));
            delay(ms(1));
            scope.asSafely().close();
            say("zombies " + scope.zombies());
            delay(ms(3));
        }

        @Override
        void expect() {
            assertEquals("[zombies 1]", trail.toString());
            assertEquals(1, done);
        }
    }
}
