package dev.heddle.scenarios;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.spawnCall;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

import java.util.ArrayList;
import java.util.List;

/// Coroutines that own a resource: it is closed once, to its end, whoever is cancelled.
final class Owning {
    private Owning() {}

    /// A resource whose close waits.
    private static final class Connection implements AutoCloseable {
        private int requests;
        private int closes;
        private int closed;

        @Override
        public void close() {
            closes++;
            suspend();
            delay(Story.ms(1));
            closed++;
        }
    }

    /// Hands connections over.
    abstract static class OfConnections extends Story {
        private final List<Connection> made = new ArrayList<>();

        final Connection connect() {
            var connection = new Connection();
            made.add(connection);
            return connection;
        }

        final int serve(Connection connection, int requests) {
            for (int i = 0; i < requests; i++) {
                delay(ms(1));
                connection.requests++;
            }
            return requests;
        }

        final int requests() {
            return made.stream().mapToInt(each -> each.requests).sum();
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            for (var each : made) {
                assertEquals(1, each.closes, "closes");
                assertEquals(1, each.closed, "closes that went to their end");
            }
        }
    }

    static final class ServerHandsItsConnectionsOver extends OfConnections {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        for (int i = 0; i < 3; i++) {
                            int requests = i;
                            spawn(connect(), mine -> serve(mine, requests));
                            scope.spawn("guest", connect(), mine -> serve(mine, requests));
                            suspend();
                        }
                        scope.spawn(connect(), mine -> serve(mine, 1));
                        spawn("last", connect(), mine -> serve(mine, 1));
                    });
        }

        @Override
        void expect() {
            assertEquals(8, requests());
        }
    }

    static final class OwnersGiveValues extends OfConnections {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        int sum = 0;
                        sum += await(spawnCall(connect(), mine -> serve(mine, 1)));
                        sum += await(spawnCall("two", connect(), mine -> serve(mine, 2)));
                        sum += await(scope.spawnCall(connect(), mine -> serve(mine, 3)));
                        sum += await(scope.spawnCall("four", connect(), mine -> serve(mine, 4)));
                        say("" + sum);
                    });
        }

        @Override
        void expect() {
            assertEquals("[10]", trail.toString());
        }
    }

    static final class SomeNeverBegin extends OfConnections {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        spawn(connect(), mine -> serve(mine, 5)).cancel("before it began");
                        spawn("second", connect(), mine -> serve(mine, 5)).cancel();
                        scope.spawnCall(connect(), mine -> serve(mine, 5)).cancel();
                        spawnCall("fourth", connect(), mine -> serve(mine, 5)).cancel();
                        spawnCall(connect(), mine -> serve(mine, 1));
                        scope.spawn(connect(), mine -> serve(mine, 1));
                        scope.spawn("seventh", connect(), mine -> serve(mine, 1)).cancel();
                        scope.spawnCall("eighth", connect(), mine -> serve(mine, 1));
                    });
        }

        @Override
        void expect() {
            assertEquals(3, requests());
        }
    }

    static final class ClosedScopeRefuses extends OfConnections {
        @Override
        public void run(TestWorld world) {
            var scope = newScope();
            try {
                scope.spawn(connect(), mine -> serve(mine, 2));
                suspend();
                scope.dispose();
                scope.spawn(connect(), mine -> serve(mine, 2));
            } catch (IllegalStateException refused) {
                say("refused");
            } finally {
                scope.dispose();
                scope.awaitAfterCancellation((_, _) -> {});
            }
        }

        @Override
        void expect() {
            assertEquals("[refused]", trail.toString());
        }

        // The spawner closes what was refused, and may be cancelled in that.
        @Override
        public void verify() {}
    }
}
