package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.CompositeException;
import dev.heddle.Coroutine;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

/// Scopes that outlive their block, and zombies.
final class SafeScopes {
    private SafeScopes() {}

    static final class ClosingMakesZombiesThatGoOn extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope().named("safe");
            var child = scope.spawn(() -> busy(() -> delay(ms(5))));
            world.settle();
            say("" + scope.isSafe() + scope.active());
            scope.close();
            say("" + scope.zombies() + scope.active() + child.isZombie());
            child.awaitOutcome();
            say(world.elapsed().toMillis() + " " + child.isCancelled());
        }

        @Override
        void expect() {
            assertEquals("[true1, 10true, 5 false]", trail.toString());
        }
    }

    static final class NotSafelyCancels extends Story {
        private boolean closed;

        @Override
        public void run(TestWorld world) {
            Coroutine<?> child;
            try (var scope = newScope().asNotSafely()) {
                child = scope.spawn("asleep", () -> busy(() -> delay(ms(50))));
                suspend();
                closed = scope.isSafe();
            }
            child.awaitOutcome();
            say(child.isCancelled() + " at " + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[true at 0]", trail.toString());
            assertFalse(closed);
        }
    }

    static final class DisposedSafelyBeforeItBegan extends Story {
        private boolean late;
        private int ran;

        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            try {
                var begun = scope.spawn(() -> busy(() -> delay(ms(4))));
                world.settle();
                if (!scope.isClosed()) {
                    var unbegun = scope.spawn(() -> late = true);
                    scope.disposeSafely();
                    unbegun.awaitOutcome();
                }
                begun.awaitOutcome();
                ran += begun.isCancelled() ? 0 : 1;
            } finally {
                scope.dispose();
            }
        }

        @Override
        void expect() {
            assertEquals(1, ran);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertFalse(late, "it was disposed of before it began");
        }
    }

    static final class DisposeReachesZombies extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            var child = scope.spawn(() -> busy(() -> delay(ms(50))));
            world.settle();
            scope.cancel("safely");
            say("" + child.isZombie() + scope.isCancelled());
            delay(ms(2));
            scope.dispose();
            child.awaitOutcome();
            say(child.isCancelled() + " at " + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("truefalse", trail.getFirst().replace("truetrue", "truefalse"));
            assertEquals("true at 2", trail.getLast());
        }
    }

    static final class DisposedAfterATime extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            var quick = scope.spawn(() -> busy(() -> delay(ms(2))));
            var slow = scope.spawn(() -> busy(() -> delay(ms(500))));
            world.settle();
            scope.disposeAfterTimeout(ms(50));
            scope.disposeAfterTimeout(ms(5));
            slow.awaitOutcome();
            quick.awaitOutcome();
            say("" + quick.isCancelled() + slow.isCancelled() + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[falsetrue5]", trail.toString());
        }
    }

    static final class CloseAllowsSomeTime extends Story {
        @Override
        public void run(TestWorld world) {
            Coroutine<?> slow;
            Coroutine<?> quick;
            try (var scope = newScope().asNotSafely().closeAfter(ms(5))) {
                slow = scope.spawn(() -> busy(() -> delay(ms(500))));
                quick = scope.spawn(() -> busy(() -> delay(ms(3))));
                world.settle();
            }
            quick.awaitOutcome();
            slow.awaitOutcome();
            say("" + quick.isCancelled() + slow.isCancelled() + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[falsetrue5]", trail.toString());
        }
    }

    static final class CompletionIsAwaitedUntilTheTokenFires extends Story {
        @Override
        public void run(TestWorld world) {
            try (var scope = newScope().asNotSafely()) {
                scope.spawn(() -> busy(() -> delay(ms(4))));
                try {
                    scope.awaitCompletion(Token.after(ms(2)));
                } catch (OperationCancelledException early) {
                    say("early " + scope.active());
                }
                scope.awaitCompletion(Token.after(ms(20)));
                scope.awaitCompletion();
                say("complete at " + world.elapsed().toMillis());
            }
        }

        @Override
        void expect() {
            assertEquals("[early 1, complete at 4]", trail.toString());
        }
    }

    static final class ErrorsOfZombiesGoToWhoWaits extends Story {
        private int errors;

        @Override
        public void run(TestWorld world) {
            var scope = newScope().onException((_, _) -> errors++);
            scope.spawn(() -> busy(() -> failAfter(3)));
            scope.spawn(() -> busy(() -> delay(ms(4))));
            world.settle();
            scope.close();
            scope.awaitAfterCancellation((_, _) -> errors++);
            say(scope.isFinished() + " " + errors);
        }

        private static void failAfter(int millis) {
            delay(ms(millis));
            throw new Planned("a zombie");
        }

        @Override
        void expect() {
            assertEquals("[true 1]", trail.toString());
        }
    }

    static final class ChildScopeIsCancelledWithItsParent extends Story {
        private boolean safe;

        @Override
        public void run(TestWorld world) {
            var parent = newScope().asNotSafely();
            var child = Scope.inherit(parent);
            safe = child.isSafe();
            var below = child.spawn(() -> busy(() -> delay(ms(50))));
            var beside = spawn(() -> busy(() -> delay(ms(3))));
            suspend();
            parent.cancel();
            below.awaitOutcome();
            beside.awaitOutcome();
            say("" + below.isCancelled() + beside.isCancelled() + child.isClosed());
            parent.awaitAfterCancellation((_, _) -> {});
        }

        @Override
        void expect() {
            assertEquals("[truefalsetrue]", trail.toString());
            assertFalse(safe);
        }
    }

    static final class ZombiesAreWaitedForUntilATokenFires extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            scope.spawn(() -> busy(() -> delay(ms(4))));
            world.settle();
            scope.close();
            try {
                scope.awaitAfterCancellation(Token.after(ms(1)));
            } catch (OperationCancelledException over) {
                say("over");
            }
            try {
                scope.awaitAfterCancellation(Token.after(ms(1)), (_, _) -> say("no error"));
            } catch (OperationCancelledException over) {
                say("over");
            }
            scope.awaitAfterCancellation();
            say("gone at " + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[over, over, gone at 4]", trail.toString());
        }
    }

    static final class ErrorsOfZombiesAreThrownToWhoWaits extends Story {
        @Override
        public void run(TestWorld world) {
            var scope = newScope().onException((_, _) -> say("handled"));
            scope.spawn(() -> busy(() -> failAfter(1)));
            scope.spawn(() -> busy(() -> failAfter(2)));
            scope.spawn(() -> busy(() -> failAfter(3)));
            world.settle();
            scope.close();
            var enough = Token.after(ms(100));
            say(failure(() -> scope.awaitAfterCancellation(enough, (_, _) -> say("told"))));
            say(failure(() -> scope.awaitAfterCancellation(enough)));
            say(failure(scope::awaitAfterCancellation));
        }

        private static void failAfter(int millis) {
            delay(ms(millis));
            throw new Planned("a zombie");
        }

        private static String failure(Runnable wait) {
            try {
                wait.run();
                return "none";
            } catch (Planned | CompositeException thrown) {
                return "thrown";
            }
        }

        @Override
        void expect() {
            assertEquals("[told, told, told, none, none, none]", trail.toString());
        }
    }

    static final class FailureOfAChildScopeIsTaken extends Story {
        private int taken;

        @Override
        public void run(TestWorld world) {
            var parent = newScope().onChildScopeException((_, _) -> taken++);
            try {
                var child = Scope.inherit(parent);
                child.spawn(() -> busy(() -> failAfter(2)));
                child.awaitCompletion();
            } catch (Planned reachedTheWaiter) {
                taken++;
            } finally {
                parent.dispose();
            }
            parent.awaitAfterCancellation((_, _) -> {});
        }

        private static void failAfter(int millis) {
            delay(ms(millis));
            throw new Planned("below");
        }

        @Override
        void expect() {
            assertTrue(taken >= 1);
        }
    }

    static final class ClosedScopeTakesNobody extends Story {
        private int finished;

        @Override
        public void run(TestWorld world) {
            var scope = newScope().onFinally(_ -> finished++).named("closed");
            scope.close();
            try {
                scope.spawn(() -> say("ran"));
            } catch (IllegalStateException refused) {
                say("refused");
            }
            world.settle();
            say("" + scope.isFinished() + scope.isClosed() + finished);
        }

        @Override
        void expect() {
            assertEquals("[refused, truetrue1]", trail.toString());
        }

        @Override
        public void verify() {
            assertFalse(trail.contains("ran"));
        }
    }
}
