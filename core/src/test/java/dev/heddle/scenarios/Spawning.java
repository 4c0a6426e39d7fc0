package dev.heddle.scenarios;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.spawnWith;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Scope;
import dev.heddle.SpawnStrategy;
import dev.heddle.test.TestWorld;

import java.util.Optional;

/// How coroutines begin, and what their spawner sees of it.
final class Spawning {
    private Spawning() {}

    static final class EverySpawnedOneRuns extends Story {
        private int ran;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        for (int i = 0; i < 5; i++) {
                            spawn(() -> ran++);
                        }
                        spawn(() -> busy(Heddle::suspend)).named("sixth");
                    });
        }

        @Override
        void expect() {
            assertEquals(5, ran);
            assertEquals(1, begun());
        }
    }

    static final class TreeOfSpawners extends Story {
        private int leaves;

        @Override
        public void run(TestWorld world) {
            Scope.run(_ -> grow(3));
        }

        private void grow(int depth) {
            if (depth == 0) {
                leaves++;
                return;
            }
            spawn("left", () -> grow(depth - 1));
            suspend();
            spawn("right", () -> grow(depth - 1));
        }

        @Override
        void expect() {
            assertEquals(8, leaves);
        }
    }

    static final class NamesAreTold extends Story {
        @Override
        public void run(TestWorld world) {
            var value = spawn("with a value", () -> 7);
            var action = spawn("without", () -> busy(() -> delay(ms(1))));
            var renamed = spawn(() -> 8).named("renamed");
            say(value.name());
            say(action.name());
            say(renamed.name());
            say("" + (await(value) + await(renamed)));
            action.awaitOutcome();
        }

        @Override
        void expect() {
            assertEquals("[with a value, without, renamed, 15]", trail.toString());
        }
    }

    static final class StrategyIsAskedAroundTheSpawn extends Story {
        private int before;
        private int after;

        @Override
        public void run(TestWorld world) {
            var strategy =
                    new SpawnStrategy() {
                        @Override
                        public void before(Scope scope) {
                            before++;
                        }

                        @Override
                        public void after(Coroutine<?> coroutine, Scope scope) {
                            after += coroutine.hasStarted() ? 0 : 1;
                        }
                    };
            var one = spawnWith(strategy, () -> "one");
            var two = spawnWith(strategy, () -> "two");
            say(one.await() + two.await());
        }

        @Override
        void expect() {
            assertEquals("[onetwo]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(before, after);
        }
    }

    static final class StrategyChoosesTheScope extends Story {
        private boolean inside;

        @Override
        public void run(TestWorld world) {
            try (var scope = newScope().asNotSafely()) {
                var strategy =
                        new SpawnStrategy() {
                            @Override
                            public Optional<Scope> scope() {
                                return Optional.of(scope);
                            }
                        };
                var child = spawnWith(strategy, () -> Scope.current().equals(scope));
                inside = child.await() && child.scope().equals(scope);
                scope.awaitCompletion();
            }
        }

        @Override
        void expect() {
            assertTrue(inside);
        }
    }

    static final class UrgentOneGoesFirst extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        spawn(() -> say("patient"));
                        spawn(() -> say("patient"));
                        spawn(() -> say("urgent")).asHighPriority();
                    });
        }

        @Override
        void expect() {
            assertEquals("[urgent, patient, patient]", trail.toString());
        }
    }

    static final class UrgentOneOvertakesAtEveryWait extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.spawn(() -> steps("a"));
                        scope.spawn(() -> steps("b"));
                        scope.spawn("first", () -> steps("!")).asHighPriority();
                    });
        }

        private void steps(String name) {
            for (int i = 0; i < 3; i++) {
                say(name);
                suspend();
            }
        }

        @Override
        void expect() {
            assertEquals("!", trail.getFirst());
            assertEquals(9, trail.size());
        }
    }

    static final class CancelledBeforeItBeganNeverRuns extends Story {
        private boolean ran;
        private boolean cancelled;
        private boolean started = true;

        @Override
        public void run(TestWorld world) {
            Coroutine<?> child = spawn(() -> ran = true);
            child.cancel("not needed");
            cancelled = child.isCancellationRequested();
            child.awaitOutcome();
            started = child.hasStarted();
            cancelled &= child.isCancelled() && child.isFinished();
        }

        @Override
        void expect() {
            assertTrue(cancelled);
            assertFalse(started);
        }

        @Override
        public void verify() {
            assertFalse(ran, "it was cancelled before it could begin");
        }
    }

    static final class SpawnerEndsBeforeItsChildren extends Story {
        private int done;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var spawner =
                                spawn(
                                        () -> {
                                            for (int i = 0; i < 3; i++) {
                                                spawn(() -> busy(() -> work(5)));
                                            }
                                        });
                        spawner.awaitOutcome();
                        say("spawner ended");
                    });
        }

        private void work(int millis) {
            delay(ms(millis));
            done++;
        }

        @Override
        void expect() {
            assertEquals(3, done);
            assertEquals("[spawner ended]", trail.toString());
        }
    }
}
