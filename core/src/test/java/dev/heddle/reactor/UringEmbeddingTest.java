package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Sys;
import dev.heddle.testing.Bystander;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/// The reactor inside another loop, which sleeps on [Reactor#fd].
final class UringEmbeddingTest extends UringTestCase {
    private static final int PATIENCE_MILLIS = 30_000;

    @Test
    void aSleeperOnTheDescriptorIsWokenByAnEvent() throws IOException {
        int fd = reactor.fd();
        var wire = registered(7, READ);
        poll(0);
        for (int round = 0; round < 3; round++) {
            try (var _ = Bystander.onceAsleepIn("sleepOn", wire::send)) {
                assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
            }
            assertEquals(List.of("7:READ"), poll(0));
            wire.drain();
            poll(0);
            assertEquals(0, sleepOn(fd, 0));
        }
    }

    @Test
    void aSleeperOnTheDescriptorIsWokenByAWake() throws IOException {
        int fd = reactor.fd();
        try (var _ = Bystander.onceAsleepIn("sleepOn", reactor::wake)) {
            assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
        }
        poll(0);
        reactor.wake();

        assertEquals(Poll.POLLIN, sleepOn(fd, 0));
    }

    @Test
    void whatIsRegisteredWithoutAPollIsWatched() throws IOException {
        int fd = reactor.fd();
        var wire = registered(7, READ);
        assertEquals(0, sleepOn(fd, 0));
        wire.send();

        assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
        assertEquals(List.of("7:READ"), poll(0));
    }

    @Test
    void whatWasRegisteredBeforeTheDescriptorWasAskedForIsWatched() throws IOException {
        registered(7, READ).send();
        int fd = reactor.fd();

        assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
        assertEquals(List.of("7:READ"), poll(0));
    }

    @Test
    void theDescriptorStaysReadableWhileEventsAreLeft() throws IOException {
        var wires = List.of(registered(1, READ), registered(2, READ), registered(3, READ));
        int fd = reactor.fd();
        wires.forEach(Wire::send);
        var one = new ReadyEvents(1);
        for (int round = 0; round < 3; round++) {
            assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
            assertEquals(1, reactor.poll(one, 0));
        }
        poll(0);

        assertEquals(0, sleepOn(fd, 0));
    }

    @Test
    void theDescriptorStaysReadableWhileALevelHolds() throws IOException {
        var wire = registered(7, READ | LEVEL);
        int fd = reactor.fd();
        wire.send();
        for (int round = 0; round < 3; round++) {
            assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
            assertEquals(List.of("7:READ"), poll(0));
        }
        wire.drain();
        poll(0);
        poll(0);

        assertEquals(0, sleepOn(fd, 0));
    }

    @Test
    void completedOperationsMakeTheDescriptorReadable() throws IOException {
        int fd = reactor.fd();
        ring().deliverTo(new Completions(1));
        nop(1);
        nop(2);
        poll(0);

        assertEquals(Poll.POLLIN, sleepOn(fd, PATIENCE_MILLIS));
    }

    private static int sleepOn(int fd, int millis) {
        var pollfd = Memory.allocate(Poll.POLLFD_SIZE);
        try (var state = new CallState()) {
            Poll.set(pollfd, 0, fd, Poll.POLLIN);
            Sys.NATIVE.poll(state, pollfd, 1, millis);
            return Poll.revents(pollfd, 0);
        } finally {
            Memory.free(pollfd);
        }
    }
}
