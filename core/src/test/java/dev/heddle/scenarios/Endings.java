package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.DeadlockError;
import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

import java.util.ArrayList;

/// How programs end: by a shutdown, with zombies, in a deadlock.
final class Endings {
    private Endings() {}

    // The second time would end the program at once, and lets nobody clean up.
    private static void shutdownOnce(Coroutine<?> main) {
        if (!main.isCancellationRequested() && !main.isFinished()) {
            Heddle.shutdown();
        }
    }

    static final class ShutdownLetsEverybodyCleanUp extends Story {
        private int unharmed;

        @Override
        public void run(TestWorld world) {
            for (int i = 0; i < 3; i++) {
                spawn(() -> busy(this::serve));
            }
            delay(ms(2));
            shutdownOnce(Heddle.current());
            delay(ms(1));
            unharmed++;
        }

        private void serve() {
            try {
                delay(ms(1_000));
                unharmed++;
            } finally {
                protect(() -> delay(ms(3)));
            }
        }

        @Override
        void expect() {
            assertEquals(3, begun());
            assertEquals(0, unharmed);
        }
    }

    static final class ShutdownFromOutside extends Story {
        private boolean went;

        @Override
        public void run(TestWorld world) {
            var main = Heddle.current();
            world.at(ms(4), () -> shutdownOnce(main));
            Scope.run(
                    _ -> {
                        spawn(() -> busy(() -> delay(ms(1_000))));
                        busy(() -> delay(ms(2_000)));
                        went = true;
                    });
        }

        @Override
        void expect() {
            assertEquals(2, begun());
            assertTrue(!went);
        }
    }

    static final class ZombiesEndWithTheProgram extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            for (int i = 0; i < 3; i++) {
                scope.spawn("zombie", () -> busy(() -> delay(ms(60_000))));
            }
            world.settle();
            scope.disposeSafely();
            say(scope.zombies() + " zombies");
            var main = Heddle.current();
            world.at(ms(3), () -> shutdownOnce(main));
            delay(ms(10));
        }

        @Override
        void expect() {
            assertEquals("[3 zombies]", trail.toString());
        }
    }

    static final class CircleIsReported extends Story {
        @Override
        public void run(TestWorld world) {
            var handles = new ArrayList<Coroutine<?>>();
            var one = spawn("one", () -> waitFor(handles, 1));
            var two = spawn("two", () -> waitFor(handles, 0));
            handles.add(one);
            handles.add(two);
            one.awaitOutcome();
            two.awaitOutcome();
        }

        private void waitFor(ArrayList<Coroutine<?>> handles, int which) {
            try {
                suspend();
                handles.get(which).await();
            } catch (DeadlockError circle) {
                say("deadlock of " + circle.members().size());
            }
        }

        @Override
        void expect() {
            assertEquals("[deadlock of 2, deadlock of 2]", trail.toString());
        }
    }

    static final class CircleInABlockEndsTheBlock extends Story {
        @Override
        public void run(TestWorld world) {
            try {
                Scope.run(
                        _ -> {
                            var self = Heddle.current();
                            spawn(() -> busy(() -> delay(ms(3))));
                            spawn("child", () -> busy(() -> waitFor(self))).await();
                        });
            } catch (DeadlockError circle) {
                say("deadlock of " + circle.members().size());
            }
        }

        // It gets the error too, and if it lets it pass, nobody looks at it: who awaited it has
        // one.
        private void waitFor(Coroutine<?> main) {
            try {
                main.await();
            } catch (DeadlockError circle) {
                say("deadlock of " + circle.members().size());
            }
        }

        @Override
        void expect() {
            assertEquals("[deadlock of 2, deadlock of 2]", trail.toString());
        }
    }

    static final class PromiseThatNobodyKeeps extends Story {
        @Override
        Class<?> endsBy() {
            return DeadlockError.class;
        }

        @Override
        public void run(TestWorld world) {
            var promise = new Promise<String>();
            spawn(() -> busy(() -> delay(ms(5))));
            busy(() -> say(promise.deferred().await()));
        }

        @Override
        void expect() {
            assertEquals(2, begun());
            assertTrue(trail.isEmpty());
        }
    }

    static final class ManyWaitForOneThatWaitsForNothing extends Story {
        @Override
        Class<?> endsBy() {
            return DeadlockError.class;
        }

        @Override
        public void run(TestWorld world) {
            var never = new Promise<Integer>();
            Scope.run(
                    scope -> {
                        var stuck = scope.spawn("stuck", () -> never.deferred().await());
                        scope.spawn(() -> busy(() -> stuck.await()));
                        scope.spawn(() -> busy(() -> stuck.await()));
                    });
        }

        @Override
        void expect() {
            assertEquals(2, begun());
        }
    }
}
