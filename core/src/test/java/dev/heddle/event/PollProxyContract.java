package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// What a [PollProxy] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class PollProxyContract extends PollTestCase {
    private Wire wire;
    private PollEvent poll;

    PollProxyContract(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void make() {
        wire = descriptors.wire();
        poll = new PollEvent(loop, wire.fd(), NONE);
    }

    @Test
    void onlyMatchingProxiesAreTold() throws IOException {
        var reader = proxy("reader", READ);
        var writer = proxy("writer", WRITE);
        reader.start();
        writer.start();
        assertEquals(List.of("writer:WRITE"), turn());
        poll.consumed(WRITE);

        wire.send();
        var told = turn();
        assertTrue(told.contains("reader:READ"), told.toString());
        assertEquals(READ, reader.triggered());
        poll.dispose();
    }

    @Test
    void theReactorIsAskedForTheUnionOfTheStartedOnes() {
        var reader = proxy("reader", READ);
        var another = proxy("another", READ);
        var writer = proxy("writer", WRITE);
        var all = proxy("all", READ | WRITE);
        assertEquals("", asked());

        reader.start();
        assertAsked("READ");
        another.start();
        assertAsked("READ");
        writer.start();
        assertAsked("READ|WRITE");
        all.start();
        reader.stop();
        another.stop();
        assertAsked("READ|WRITE");
        all.stop();
        assertAsked("WRITE");
        assertTrue(poll.isStarted());
        writer.stop();
        assertEquals("", asked(), "the last one has stopped the poll");
        assertFalse(poll.isStarted());
        assertFalse(loop.alive());
        poll.dispose();
    }

    // What is latched is forgotten when the reactor is told of a new interest, because it reports
    // anew then: so the latch shows whether it was told.
    @Test
    void theReactorIsToldOfAChangeOnly() throws IOException {
        var writer = proxy("writer", WRITE);
        writer.start();
        turn();
        assertEquals(WRITE, poll.latched());

        var another = proxy("another", WRITE);
        another.start();
        assertEquals(WRITE, poll.latched(), "the union is the same");
        another.stop();
        assertEquals(WRITE, poll.latched(), "and still is");

        var reader = proxy("reader", READ);
        reader.start();
        assertEquals(NONE, poll.latched(), "the union has grown");
        poll.dispose();
    }

    @Test
    void aHangUpWakesAll() throws IOException {
        var reader = proxy("reader", READ);
        var writer = proxy("writer", WRITE);
        var idle = proxy("idle", NONE);
        List.of(reader, writer, idle).forEach(Event::start);
        turn();
        poll.consumed(WRITE);
        wire.hangUp();

        assertEquals(List.of("reader:READ|HUP", "writer:WRITE|HUP", "idle:HUP"), turn());
        poll.dispose();
    }

    @Test
    void aProxyThatIsStoppedByAnotherInTheSameRoundIsNotTold() throws IOException {
        var first = new PollProxy(poll, WRITE);
        var second = proxy("second", WRITE);
        first.subscribe((_, _) -> second.stop());
        first.start();
        second.start();

        assertEquals(List.of(), turn());
        poll.dispose();
    }

    @Test
    void aWaitForALatchedDirectionIsAnsweredAtOnce() throws IOException {
        var holder = proxy("holder", READ);
        holder.start();
        wire.send();
        assertEquals(List.of("holder:READ"), turn());
        var reader = new PollProxy(poll, READ);
        var sleeper = new Sleeper(loop);

        assertFalse(sleeper.begin().on(reader).suspend());
        assertEquals(READ, sleeper.result());
        assertEquals(READ, reader.triggered());

        wire.drain();
        reader.consumed(READ);
        loop.post(wire::send);
        assertTrue(sleeper.begin().on(reader).suspend());
        poll.dispose();
    }

    @Test
    void oneThatSubscribedBeforeItWasLatchedAndStartsAfterIsToldToo() throws IOException {
        var late = proxy("late", READ);
        var holder = proxy("holder", READ);
        holder.start();
        wire.send();
        assertEquals(List.of("holder:READ"), turn());

        late.start();
        assertEquals(List.of("late:READ"), turn());
        assertEquals(List.of(), turn());
        poll.dispose();
    }

    @Test
    void thePollsOwnSubscribersAreToldOfItsOwnMaskOnly() throws IOException {
        poll.mask(READ);
        poll.subscribe(bits("poll"));
        var writer = proxy("writer", WRITE);
        writer.start();
        assertAsked("READ|WRITE");
        assertEquals(List.of("writer:WRITE"), turn());
        poll.consumed(WRITE);

        wire.send();
        assertTrue(turn().contains("poll:READ"));
        poll.dispose();
    }

    @Test
    void aReaderAndAWriterWaitForOneDescriptor() {
        wire.fill();
        var reader = new PollProxy(poll, READ);
        var writer = new PollProxy(poll, WRITE);
        var sleeper = new Sleeper(loop);
        loop.post(wire::makeRoom);

        sleeper.begin().on(reader).on(writer).suspend();
        assertEquals(List.of(writer), sleeper.triggered());
        loop.post(wire::send);
        sleeper.begin().on(reader).suspend();
        assertEquals(List.of(reader), sleeper.triggered());
        assertEquals("", asked());
        poll.dispose();
    }

    @Test
    void aProxyOwnsThePollWithTheOthers() {
        poll.closeFd(() -> trail.add("closed"));
        var reader = new PollProxy(poll, READ);
        var writer = new PollProxy(poll, WRITE);
        poll.release();
        reader.release();
        assertTrail();

        writer.release();
        assertTrail("closed");
    }

    @Test
    void whenThePollIsDisposedOfItsStartedProxiesAre() {
        poll.closeFd(() -> trail.add("closed"));
        var reader = proxy("reader", READ);
        reader.start();
        var stopped = proxy("stopped", READ);

        poll.dispose();

        assertTrail("reader gone", "closed");
        assertTrue(reader.isDisposed());
        assertThrows(IllegalStateException.class, stopped::start);
        assertThrows(IllegalStateException.class, () -> new PollProxy(poll, READ));
        assertEquals("", asked());
    }

    @Test
    void aStartThatTheKernelRefusesLeavesNothing() {
        var file = new PollEvent(loop, descriptors.file(), NONE);
        var reader = new PollProxy(file, READ);

        assertThrows(UncheckedIOException.class, reader::start);

        assertFalse(reader.isStarted());
        assertFalse(file.isStarted());
        assertEquals(NONE, file.mask());
        assertEquals("Poll(fd " + file.fd() + ", NONE)", file.info());
        assertEquals("", asked());
        reader.dispose();
        file.dispose();
        poll.dispose();
    }

    @Test
    void aHiddenPollHasHiddenProxies() {
        poll.hide();
        var reader = proxy("reader", READ);
        reader.start();

        assertTrue(reader.is(Event.HIDDEN));
        assertFalse(loop.alive());
        poll.dispose();
    }

    @Test
    void itsDescriptorAndMaskAreInItsInfo() {
        var reader = proxy("reader", READ);
        assertEquals("PollProxy(fd " + wire.fd() + ", READ)", reader.info());
        reader.start();
        assertEquals("Poll(fd " + wire.fd() + ", READ)", poll.info());
        poll.dispose();
    }

    private PollProxy proxy(String name, int mask) {
        var proxy = new PollProxy(poll, mask);
        proxy.subscribe(bits(name));
        return proxy;
    }

    private void assertAsked(String mask) {
        assertEquals("Watch(fd " + wire.fd() + ", " + mask + ")", asked());
    }
}
