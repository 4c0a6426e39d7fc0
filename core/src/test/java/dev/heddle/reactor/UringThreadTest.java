package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Sys;
import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A ring belongs to one thread, until that ends.
final class UringThreadTest extends UringTestCase {
    @Test
    void registrationsOfAnotherThreadBeforeTheFirstPollCount() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        elsewhere(() -> reactor.register(wire.fd(), 7, READ));

        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void aSecondThreadIsRefusedByName() throws IOException {
        poll(0);
        String owner = Thread.currentThread().getName();
        elsewhere(
                () -> {
                    var thrown =
                            assertThrows(WrongThreadException.class, () -> reactor.poll(out, 0));
                    assertTrue(thrown.getMessage().contains(owner), thrown.getMessage());
                    assertTrue(thrown.getMessage().contains("bystander"), thrown.getMessage());
                });
    }

    @Test
    void theNextThreadTakesOverFromOneThatHasEnded() throws IOException {
        var edge = registered(7, READ);
        var level = registered(8, READ | LEVEL);
        elsewhere(
                () -> {
                    level.send();
                    assertEquals(List.of("8:READ"), next());
                    level.drain();
                });
        edge.send();
        assertEquals(List.of("7:READ"), next());

        assertEquals(List.of(), poll(0));
        level.send();
        assertEquals(List.of("8:READ"), next());
        reactor.wake();
        level.drain();
        poll(0);
        assertSilent();
    }

    @Test
    void theDescriptorForEmbeddingIsTakenOverToo() throws IOException {
        var wire = registered(7, READ);
        var given = new AtomicInteger();
        elsewhere(
                () -> {
                    given.set(reactor.fd());
                    poll(0);
                });
        poll(0);
        assertEquals(given.get(), reactor.fd());
        try (var sys = new CallState()) {
            var pollfd = Memory.allocate(Poll.POLLFD_SIZE);
            wire.send();
            Poll.set(pollfd, 0, given.get(), Poll.POLLIN);
            assertEquals(1, Sys.NATIVE.poll(sys, pollfd, 1, 30_000));
            Memory.free(pollfd);
        }

        assertEquals(List.of("7:READ"), poll(0));
    }

    @Test
    void aDescriptorOfADeadThreadsRingCanBeUnregistered() throws IOException {
        var wire = registered(7, READ);
        elsewhere(() -> poll(0));
        reactor.unregister(wire.fd());
        wire.send();

        assertSilent();
    }

    @Test
    void operationsOfADeadThreadAreNotForgottenSilently() throws IOException {
        var pipe = pipe();
        var buffer = Memory.allocate(16);
        try {
            elsewhere(
                    () -> {
                        read(5, pipe.first(), buffer);
                        poll(0);
                    });

            var thrown = assertThrows(IllegalStateException.class, () -> reactor.poll(out, 0));
            assertTrue(thrown.getMessage().contains("1 operations"), thrown.getMessage());
            reactor.close();
            assertEquals(1, ring().inFlight());
        } finally {
            Memory.free(buffer);
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    /// Runs `body` in a thread of its own, which has ended afterwards.
    private static void elsewhere(Body body) {
        Runnable task =
                () -> {
                    try {
                        body.run();
                    } catch (IOException cause) {
                        throw new UncheckedIOException(cause);
                    }
                };
        Bystander.doing(task).close();
    }
}
