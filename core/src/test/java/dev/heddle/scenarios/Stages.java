package dev.heddle.scenarios;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Deferred;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.Token;
import dev.heddle.test.TestWorld;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/// Stages of other libraries, waited for and given up.
final class Stages {
    private Stages() {}

    static final class WaitsThatGiveUpLeaveTheStageAlone extends Story {
        private final CompletableFuture<String> stage = new CompletableFuture<>();

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        spawn(this::complete);
                        say(orLate(() -> say(await(stage, ms(1)))));
                        say(orLate(() -> say(await(stage, Token.after(ms(1))))));
                        say(orLate(() -> say(await(Deferred.from(stage), ms(1)))));
                        say(await(stage, ms(100)));
                        say(await(stage, Token.after(ms(0))));
                    });
        }

        private void complete() {
            try {
                delay(ms(10));
            } finally {
                stage.complete("done");
            }
        }

        private static String orLate(Runnable wait) {
            try {
                wait.run();
                return "in time";
            } catch (OperationCancelledException late) {
                return "late";
            }
        }

        @Override
        void expect() {
            assertEquals("[late, late, late, done, done]", trail.toString());
        }
    }

    static final class CancelledWaitsTakeTheirStagesAlong extends Story {
        private final List<CompletableFuture<String>> stages = new ArrayList<>();

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        spawn(() -> limited(() -> await(Deferred.owning(stage()))));
                        spawn(() -> limited(() -> await(stage(), ms(50))));
                        spawn(() -> limited(() -> await(stage(), Token.after(ms(50)))));
                    });
        }

        private CompletableFuture<String> stage() {
            var stage = new CompletableFuture<String>();
            stages.add(stage);
            return stage;
        }

        private void limited(Runnable wait) {
            try {
                within(ms(2), () -> busy(wait::run));
            } catch (OperationCancelledException over) {
                say("over");
            }
        }

        @Override
        void expect() {
            assertEquals("[over, over, over]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            for (var stage : stages) {
                assertTrue(stage.isCancelled(), "left: " + stage);
            }
        }
    }

    static final class OwnedStageThatSeveralWaitFor extends Story {
        private final CompletableFuture<String> stage = new CompletableFuture<>();

        @Override
        public void run(TestWorld world) {
            Deferred<String> owned = Deferred.owning(stage);
            Scope.run(
                    _ -> {
                        for (int i = 0; i < 3; i++) {
                            int millis = 1 + i;
                            spawn(() -> waitFor(owned, millis));
                        }
                    });
        }

        private void waitFor(Deferred<String> owned, int millis) {
            try {
                within(ms(millis), () -> owned.await());
            } catch (OperationCancelledException over) {
                say("over, " + (stage.isCancelled() ? "cancelled" : "goes on"));
            } catch (CancellationException cancelledByTheLast) {
                say("too late");
            }
        }

        @Override
        void expect() {
            assertEquals("[over, goes on, over, goes on, over, cancelled]", trail.toString());
        }
    }
}
