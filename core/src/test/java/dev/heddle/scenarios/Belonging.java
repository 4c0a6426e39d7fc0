package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Cancellation;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

import java.util.List;

/// Who belongs to whom: blocks of zombies and inside shields, daemons, supervised children, what
/// clean-up spawns.
final class Belonging {
    private Belonging() {}

    private static void fail(int millis) {
        delay(Story.ms(millis));
        fail("broken");
    }

    private static void fail(String why) {
        throw new Story.Planned(why);
    }

    /// {@return what `wait` throws, in a word}
    private static String told(Runnable wait) {
        try {
            wait.run();
            return "none";
        } catch (Story.Planned | OperationCancelledException thrown) {
            return thrown.getClass().getSimpleName();
        }
    }

    static final class ZombieGoesOnWithItsBlock extends Story {
        private boolean cut;
        private List<Integer> squares = List.of();

        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            scope.spawn(
                    () -> {
                        try {
                            squares = mapEach(List.of(1, 2, 3), 2, n -> slowSquare(n));
                        } catch (Cancellation cancelled) {
                            cut = true;
                            throw cancelled;
                        }
                    });
            try {
                delay(ms(1));
            } finally {
                scope.disposeSafely();
            }
            scope.awaitAfterCancellation();
            say(squares + " at " + world.elapsed().toMillis());
        }

        private int slowSquare(int n) {
            delay(ms(2));
            return n * n;
        }

        @Override
        void expect() {
            assertEquals("[[1, 4, 9] at 4]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertTrue(
                    cut || squares.isEmpty() || squares.equals(List.of(1, 4, 9)),
                    squares::toString);
        }
    }

    static final class ShieldKeepsItsBlock extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    around -> {
                        around.spawn(() -> protect(() -> Scope.run(in -> in.spawn(this::work))));
                        delay(ms(5));
                    });
            say("done");
        }

        private void work() {
            busy(() -> delay(ms(3)));
        }

        @Override
        void expect() {
            assertEquals("[done]", trail.toString());
        }
    }

    static final class SupervisedSiblingsGoOn extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.supervise(
                    (error, who) -> say(who.name() + " " + error.getMessage()),
                    scope -> {
                        scope.spawn("bad", () -> fail(1));
                        scope.spawn("good", () -> busy(() -> delay(ms(3))));
                    });
            say("" + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[bad broken, 3]", trail.toString());
        }
    }

    static final class SupervisedDaemon extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.supervise(
                    (error, _) -> say(error.getMessage()),
                    scope -> {
                        scope.spawnDaemon("bad daemon", () -> fail(1));
                        scope.spawnDaemon(() -> busy(() -> delay(ms(100))));
                        scope.spawn(() -> busy(() -> delay(ms(2))));
                    });
            say("" + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[broken, 2]", trail.toString());
        }
    }

    static final class DaemonsEndWithTheOthers extends Story {
        private int alive;
        private int leftBehind;

        @Override
        public void run(TestWorld world) {
            try {
                Scope.run(
                        scope -> {
                            scope.spawnDaemon("ticker", this::tick);
                            scope.spawnDaemon(() -> spawn(this::tick));
                            scope.spawn(() -> busy(() -> delay(ms(3))));
                        });
            } finally {
                leftBehind = alive;
            }
            say("" + world.elapsed().toMillis());
        }

        private void tick() {
            alive++;
            try {
                while (true) {
                    delay(ms(1));
                }
            } finally {
                alive--;
            }
        }

        @Override
        void expect() {
            assertEquals("[3]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(0, leftBehind, "daemons that outlived their block");
        }
    }

    static final class CleanUpSpawns extends Story {
        private int spawned;
        private int ended;

        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            scope.spawn(
                    () -> {
                        try {
                            delay(ms(100));
                        } finally {
                            spawned++;
                            scope.spawn(this::sayBye);
                        }
                    });
            try {
                delay(ms(2));
            } finally {
                scope.dispose();
            }
            scope.awaitAfterCancellation();
            say(ended + " at " + world.elapsed().toMillis());
        }

        private void sayBye() {
            try {
                delay(ms(1));
            } finally {
                ended++;
            }
        }

        @Override
        void expect() {
            assertEquals("[1 at 3]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(spawned, ended, "spawned in clean-up, and ended");
        }
    }

    static final class WaitForZombiesUntilAToken extends Story {
        @Override
        public void run(TestWorld world) {
            // For errors that come when nobody waits.
            var scope = newScope().onException((_, _) -> {});
            scope.spawn("late", () -> fail(9));
            delay(ms(1));
            scope.cancel("stop");
            try {
                say(told(() -> scope.awaitAfterCancellation(Token.after(ms(2)))));
                say(told(() -> scope.awaitAfterCancellation(Token.after(ms(2)), (_, _) -> {})));
                say(told(() -> scope.awaitAfterCancellation()));
            } finally {
                scope.dispose();
            }
            say("" + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals(
                    "[OperationCancelledException, OperationCancelledException," + " Planned, 9]",
                    trail.toString());
        }
    }

    static final class HandlerOfZombiesThatThrows extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope().onException((_, _) -> {});
            scope.spawn(() -> fail(2));
            delay(ms(1));
            scope.cancel("stop");
            var patient = Token.after(ms(50));
            say(told(() -> scope.awaitAfterCancellation(patient, (_, _) -> fail("handler"))));
            say(told(() -> scope.awaitAfterCancellation(patient)));
            say("" + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[Planned, none, 2]", trail.toString());
        }
    }
}
