package dev.heddle.scenarios;

import static dev.heddle.Heddle.coroutines;
import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.snapshot;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.stackOf;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Outcome;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

/// What a handle tells of its coroutine, and what it can do to it.
final class Handles {
    private Handles() {}

    static final class StatesOfALife extends Story {
        @Override
        public void run(TestWorld world) {
            var child = spawn("child", () -> busy(() -> delay(ms(5))));
            tell(child);
            world.settle();
            tell(child);
            child.awaitOutcome();
            tell(child);
            say("" + child.outcome().isPresent());
        }

        private void tell(Coroutine<?> child) {
            say(
                    child.state()
                            + (child.isQueued() ? " queued" : "")
                            + (child.isRunning() ? " running" : "")
                            + (child.isSuspended() ? " suspended" : "")
                            + (child.isFinished() ? " finished" : ""));
        }

        @Override
        void expect() {
            assertEquals(
                    "[QUEUED queued, WAITING suspended, FINISHED finished, true]",
                    trail.toString());
        }
    }

    static final class WordsAboutAWait extends Story {
        @Override
        public void run(TestWorld world) {
            var child = spawn("child", () -> busy(() -> delay(ms(5))));
            say("" + child.stack().isEmpty());
            say("" + child.spawnedAt().contains("Handles"));
            world.settle();
            say(child.awaitingInfo());
            say("" + child.suspendedAt().contains("Handles"));
            say("" + (child.stack().size() == stackOf(child.id()).size()));
            say("" + child.info().contains("child"));
            child.awaitOutcome();
            say(child.awaitingInfo() + child.suspendedAt());
        }

        @Override
        void expect() {
            assertEquals(
                    "[true, true, Timer(5ms, once), true, true, true, nothing]", trail.toString());
        }
    }

    static final class WhoRunsAndWhoIsThere extends Story {
        @Override
        public void run(TestWorld world) {
            var self = current();
            say("" + (self.isRunning() && coroutines().contains(self)));
            var child = spawn("child", () -> current().id());
            say("" + coroutines().contains(child));
            say("" + (child.await() == child.id()));
            say("" + coroutines().contains(child));
            say("" + stackOf(child.id()).size());
        }

        @Override
        void expect() {
            assertEquals("[true, true, true, false, 0]", trail.toString());
        }
    }

    static final class SnapshotShowsEveryCoroutine extends Story {
        private int shown;
        private boolean inScope;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        for (int i = 0; i < 3; i++) {
                            spawn("sleeper", () -> busy(() -> delay(ms(5))));
                        }
                        suspend();
                        var seen = snapshot();
                        shown =
                                (int)
                                        seen.coroutines().stream()
                                                .filter(each -> each.name().equals("sleeper"))
                                                .count();
                        inScope = seen.scopes().size() >= 2 && scope.active() == 3;
                        say("" + !Heddle.snapshots().isEmpty());
                    });
        }

        @Override
        void expect() {
            assertEquals(3, shown);
            assertTrue(inScope);
            assertEquals("[true]", trail.toString());
        }
    }

    static final class CancelAndAwaitSaysHowItEnded extends Story {
        @Override
        public void run(TestWorld world) {
            var asleep = spawn(() -> busy(() -> delay(ms(50))));
            var done = spawn(() -> 5);
            world.settle();
            say(words(asleep.cancelAndAwait("enough")));
            say(words(done.cancelAndAwait("too late")));
        }

        private static String words(Outcome<?> outcome) {
            return switch (outcome) {
                case Outcome.Success<?>(var value) -> "value " + value;
                case Outcome.Failure<?>(var error) -> "failure " + error;
                case Outcome.Cancelled<?>(var why) -> "cancelled: " + why.reason();
            };
        }

        @Override
        void expect() {
            assertEquals("[cancelled: enough, value 5]", trail.toString());
        }
    }

    static final class FirstReasonWins extends Story {
        @Override
        public void run(TestWorld world) {
            var child = spawn(() -> busy(() -> delay(ms(50))));
            suspend();
            child.cancel("first");
            child.cancel();
            child.cancel("third");
            if (child.awaitOutcome() instanceof Outcome.Cancelled<?>(var why)) {
                say(why.reason());
            }
        }

        @Override
        void expect() {
            assertEquals("[first]", trail.toString());
        }
    }

    static final class EveryEndIsTold extends Story {
        private int spawned;
        private int told;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.onException((_, _) -> {});
                        for (int i = 0; i < 4; i++) {
                            int number = i;
                            var child = spawn(() -> busy(() -> endAs(number)));
                            spawned++;
                            child.onCompletion(_ -> told++).onCompletion(_ -> told++);
                        }
                        var last = spawn(() -> {});
                        spawned++;
                        last.awaitOutcome();
                        last.onCompletion(_ -> told += 2);
                    });
            world.settle();
        }

        private static void endAs(int number) {
            delay(ms(number));
            switch (number) {
                case 1 -> throw new Planned("one");
                case 2 -> current().cancel("two");
                default -> {}
            }
            suspend();
        }

        @Override
        void expect() {
            assertEquals(5, spawned);
            assertEquals(10, told);
        }
    }

    static final class HandlersRunInOrderAndAfterTheWaiters extends Story {
        @Override
        public void run(TestWorld world) {
            var done = new Promise<String>();
            var child = spawn(() -> busy(() -> delay(ms(1)))).observed();
            child.onCompletion(_ -> say("first"));
            child.onCompletion(_ -> say("second"));
            child.onCompletion(_ -> done.complete("told"));
            say(done.deferred().await());
        }

        @Override
        void expect() {
            assertEquals("[first, second, told]", trail.toString());
        }
    }

    static final class ObservedFailureStaysOnTheHandle extends Story {
        @Override
        public void run(TestWorld world) {
            var child =
                    spawn(
                                    () -> {
                                        suspend();
                                        throw new Planned("later");
                                    })
                            .observed();
            try {
                delay(ms(1));
            } finally {
                child.outcome().ifPresent(end -> say(end.getClass().getSimpleName()));
                child.onCompletion(_ -> say("told"));
            }
            child.awaitOutcome();
            world.settle();
        }

        @Override
        void expect() {
            assertEquals("[Failure, told]", trail.toString());
        }
    }
}
