package dev.heddle.scenarios;

import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.reactor.Interest.READ;
import static dev.heddle.reactor.Interest.WRITE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.OperationCancelledException;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.event.Event;
import dev.heddle.event.EventHandle;
import dev.heddle.event.PollEvent;
import dev.heddle.event.PollProxy;
import dev.heddle.event.SignalEvent;
import dev.heddle.test.TestWorld;
import dev.heddle.test.kernel.SimPipe;

/// Simulated descriptors and signals.
final class Descriptors {
    private Descriptors() {}

    /// Waits for `event` at most 50 ms, and takes the interest in it back whatever happens.
    private static <T> T next(Event<T> event) {
        Promise<T> fired = Promise.external();
        var callback = event.subscribe((value, _) -> fired.complete(value));
        event.start();
        try {
            return fired.deferred().await(Story.ms(50));
        } finally {
            event.stop();
            event.unsubscribe(callback);
        }
    }

    static final class ReadyWhenTheKernelSaysSo extends Story {
        @Override
        public void run(TestWorld world) {
            int fd = world.kernel().scripted();
            var poll =
                    new PollEvent(current().loop(), fd, READ)
                            .closeFd(() -> world.kernel().close(fd));
            try (var owner = new EventHandle<>(poll)) {
                world.at(ms(4), () -> world.kernel().ready(fd, READ));
                say(next(owner.event()) + " at " + world.elapsed().toMillis());
            }
        }

        @Override
        void expect() {
            assertEquals("[" + READ + " at 4]", trail.toString());
        }
    }

    static final class ReaderAndWriterOfOneDescriptor extends Story {
        @Override
        public void run(TestWorld world) {
            int fd = world.kernel().scripted();
            var poll =
                    new PollEvent(current().loop(), fd, 0).closeFd(() -> world.kernel().close(fd));
            try (var owner = new EventHandle<>(poll)) {
                Scope.run(
                        _ -> {
                            spawn(() -> busy(() -> waitFor(owner.event(), READ)));
                            spawn(() -> busy(() -> waitFor(owner.event(), WRITE)));
                            world.at(ms(2), () -> world.kernel().ready(fd, WRITE));
                            world.at(ms(3), () -> world.kernel().ready(fd, READ));
                        });
            }
        }

        private void waitFor(PollEvent poll, int direction) {
            try (var proxy = new EventHandle<>(new PollProxy(poll, direction))) {
                say("" + next(proxy.event()));
            } catch (OperationCancelledException closed) {
                say("nothing");
            }
        }

        @Override
        void expect() {
            assertEquals("[" + WRITE + ", " + READ + "]", trail.toString());
        }
    }

    static final class BytesThroughAPipe extends Story {
        private static final int BYTES = 300;
        private int sent;
        private int received;

        @Override
        public void run(TestWorld world) throws Exception {
            try (var pipe = world.kernel().pipe()) {
                var loop = current().loop();
                try (var readable = new EventHandle<>(new PollEvent(loop, pipe.readEnd(), READ))) {
                    Scope.run(
                            _ -> {
                                spawn(() -> send(pipe)).onCompletion(_ -> pipe.closeWriteEnd());
                                receive(pipe, readable.event());
                            });
                }
            }
        }

        private void send(SimPipe pipe) {
            while (sent < BYTES) {
                int done = pipe.write(new byte[Math.min(100, BYTES - sent)]);
                sent += Math.max(done, 0);
                delay(ms(1));
            }
        }

        private void receive(SimPipe pipe, PollEvent readable) {
            var buffer = new byte[64];
            while (true) {
                int count = pipe.read(buffer);
                if (count == 0) {
                    return;
                }
                if (count > 0) {
                    received += count;
                } else {
                    readable.consumed(READ);
                    next(readable);
                }
            }
        }

        @Override
        void expect() {
            assertEquals(BYTES, received);
        }

        @Override
        public void verify() {
            assertTrue(received <= sent, received + " of " + sent);
        }
    }

    static final class SignalWakesWhoWaitsForIt extends Story {
        @Override
        public void run(TestWorld world) {
            try (var signal = new EventHandle<>(new SignalEvent(current().loop(), "USR1"))) {
                spawn(() -> busy(() -> raiseAfter(world, 3))).named("raiser");
                try {
                    say(next(signal.event()) + " at " + world.elapsed().toMillis());
                } catch (OperationCancelledException nobodyRaisedIt) {
                    say("nothing");
                }
            }
            world.settle();
        }

        private static void raiseAfter(TestWorld world, int millis) {
            delay(ms(millis));
            try {
                world.raise("USR1");
            } catch (IllegalStateException nobodyListens) {
                // The waiter was cancelled, and has taken its interest back.
            }
        }

        @Override
        void expect() {
            assertEquals("[USR1 at 3]", trail.toString());
        }
    }
}
