package dev.heddle.scenarios;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAnyOf;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.coroutines;
import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.snapshot;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.CoroutineState;
import dev.heddle.Deferred;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Several operations at once, as programs have them.
final class Combinations {
    private Combinations() {}

    static final class MonitorOfWorkers extends Story {
        private int seen;
        private boolean odd;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        for (int i = 0; i < 3; i++) {
                            scope.spawn("worker " + i, () -> slow(10));
                        }
                        delay(ms(5));
                        coroutines().forEach(this::look);
                    });
        }

        private int slow(int millis) {
            busy(() -> delay(ms(millis)));
            return millis;
        }

        private void look(Coroutine<?> each) {
            boolean waits = each.state() == CoroutineState.WAITING;
            odd |= waits != (each.isSuspended() && !each.isQueued() && each.hasStarted());
            odd |= waits && (each.suspendedAt().isEmpty() || each.stack().isEmpty());
            odd |= each.info().isEmpty() || each.spawnedAt().isEmpty();
            odd |= each.scope().isFinished();
            if (each.name().startsWith("worker") && each.awaitingInfo().startsWith("Timer")) {
                seen++;
            }
        }

        @Override
        void expect() {
            assertEquals(3, seen);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertTrue(!odd, "what a handle says of one coroutine does not fit together");
        }
    }

    static final class TwoAnswersAreEnough extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        var replicas =
                                List.of(
                                        scope.spawn("near", () -> ask(1)),
                                        scope.spawn("far", () -> ask(90)),
                                        scope.spawn("middle", () -> ask(2)));
                        var results = awaitAnyOf(2, replicas);
                        for (int index : results.pending()) {
                            replicas.get(index).cancelAndAwait("two are enough");
                        }
                        var all = awaitSettled(replicas, Token.after(ms(1)));
                        say(results.values() + " " + all.errors().keySet());
                    });
            say("" + world.elapsed().toMillis());
        }

        private int ask(int millis) {
            busy(() -> delay(ms(millis)));
            return millis;
        }

        @Override
        void expect() {
            assertEquals("[{0=1, 2=2} [1], 2]", trail.toString());
        }
    }

    static final class FailuresOfManyKinds extends Story {
        @Override
        public void run(TestWorld world) {
            // Ignored, because who is cancelled before it looks has not seen it.
            var early = Deferred.<String>failed(new PlannedChecked("early")).ignore();
            var stage = new CompletableFuture<String>();
            world.at(ms(2), () -> stage.completeExceptionally(new PlannedChecked("late")));
            Deferred<String> late = Deferred.<String>from(stage).ignore();
            say(reasonOf(early));
            say(reasonOf(late));
            say("" + late.outcome().isPresent() + early.outcome().isPresent());
            say(await(CompletableFuture.completedStage("no failure")));
        }

        private static String reasonOf(Deferred<String> one) {
            try {
                return await(one, PlannedChecked.class);
            } catch (PlannedChecked failure) {
                return String.valueOf(failure.getMessage());
            }
        }

        @Override
        void expect() {
            assertEquals("[early, late, truetrue, no failure]", trail.toString());
        }
    }

    static final class ProgramInAProgram extends Story {
        @Override
        public void run(TestWorld world) {
            int value =
                    Heddle.<Integer, RuntimeException>run(
                            () -> {
                                Heddle.run(() -> spawn(() -> work(4)));
                                say("inner " + world.elapsed().toMillis());
                                spawn(() -> work(3));
                                return Scope.current().active();
                            });
            Heddle.run(() -> say(value + " " + world.elapsed().toMillis()));
        }

        private void work(int millis) {
            busy(() -> delay(ms(millis)));
        }

        @Override
        void expect() {
            assertEquals("[inner 4, 1 7]", trail.toString());
        }
    }

    static final class PagesOfASnapshot extends Story {
        private boolean whole;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.named("watched").spawn("one", () -> busy(() -> delay(ms(3))));
                        world.settle();
                        var shown = snapshot();
                        // Not awaited: they complete on a thread of the JDK.
                        int others = Heddle.snapshots().size();
                        whole =
                                shown.coroutines().size() == coroutines().size()
                                        && others >= 1
                                        && scope.name().equals("watched")
                                        && scope.info().contains("watched");
                    });
        }

        @Override
        void expect() {
            assertTrue(whole);
        }
    }

    static final class ServiceIsStoppedInSteps extends Story {
        @Override
        public void run(TestWorld world) {
            var service = newScope().named("service").closeAfter(ms(8));
            var quick = service.spawn(() -> busy(() -> delay(ms(5))));
            var slow = service.spawn(() -> busy(() -> delay(ms(500))));
            try {
                service.awaitCompletion(Token.when(quick));
            } catch (OperationCancelledException oneHasEnded) {
                say("one at " + world.elapsed().toMillis());
            } finally {
                service.close();
                service.disposeAfterTimeout(ms(100));
            }
            service.awaitAfterCancellation((_, _) -> {});
            say(slow.isCancelled() + " at " + world.elapsed().toMillis());
            service.cancel("again");
            service.cancel();
            say("" + service.isCancelled() + service.scope().isFinished());
        }

        @Override
        void expect() {
            assertEquals("[one at 5, true at 13, truetrue]", trail.toString());
        }
    }

    static final class ParentHearsOfItsChildren extends Story {
        private int failures;
        private int heard;

        @Override
        public void run(TestWorld world) {
            var parent = newScope().asNotSafely().onChildScopeException((_, _) -> heard++);
            try {
                for (int i = 1; i <= 3; i++) {
                    int millis = i;
                    Scope.inherit(parent).spawn(() -> failAfter(millis));
                }
                parent.awaitCompletion(Token.after(ms(20)));
            } finally {
                parent.close();
            }
            parent.awaitAfterCancellation((_, _) -> {});
        }

        private void failAfter(int millis) {
            busy(() -> delay(ms(millis)));
            failures++;
            throw new Planned("after " + millis);
        }

        @Override
        void expect() {
            assertEquals(3, failures);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(failures, heard);
        }
    }

    static final class AccountsAreNeverHalfBooked extends Story {
        private int mine = 100;
        private int yours;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        for (int i = 0; i < 4; i++) {
                            spawn(() -> busy(this::transfer));
                        }
                    });
        }

        private void transfer() {
            var limit = spawn(() -> busy(() -> delay(ms(9))));
            int moved =
                    protect(
                            () -> {
                                mine -= 10;
                                delay(ms(1));
                                yours += 10;
                                return 10;
                            });
            try {
                await(limit, ms(2));
            } catch (OperationCancelledException late) {
                limit.cancelAndAwait("moved " + moved);
            }
        }

        @Override
        void expect() {
            assertEquals("60 40", mine + " " + yours);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(100, mine + yours);
        }
    }

    static final class ShutdownByAChild extends Story {
        private boolean wentOn;

        @Override
        public void run(TestWorld world) {
            var main = current();
            spawn(() -> busy(() -> stopAfter(2, main)));
            busy(() -> delay(ms(1_000)));
            wentOn = true;
        }

        private static void stopAfter(int millis, Coroutine<?> main) {
            delay(ms(millis));
            if (!main.isCancellationRequested()) {
                Heddle.shutdown();
            }
        }

        @Override
        void expect() {
            assertTrue(!wentOn);
        }
    }

    static final class ShutdownWhileAWorkerWorks extends Story {
        private boolean wentOn;

        @Override
        public void run(TestWorld world) {
            var main = current();
            world.at(
                    ms(1).dividedBy(2),
                    () -> {
                        if (!main.isCancellationRequested() && !main.isFinished()) {
                            Heddle.shutdown();
                        }
                    });
            for (int i = 0; i < 50; i++) {
                busy(() -> offload(() -> {}));
            }
            delay(ms(1));
            wentOn = true;
        }

        @Override
        void expect() {
            assertTrue(!wentOn);
        }
    }
}
