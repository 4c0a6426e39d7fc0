package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.ErrnoException;
import dev.heddle.reactor.Interest;
import dev.heddle.sys.Errno;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// What a [PollEvent] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class PollEventContract extends PollTestCase {
    PollEventContract(Backend backend) {
        super(backend);
    }

    @Test
    void itFiresWithWhatIsReady() throws IOException {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ | WRITE);
        poll.subscribe(bits("p"));
        poll.start();
        assertEquals(List.of("p:WRITE"), turn());
        assertEquals(WRITE, poll.triggered());

        wire.send();
        turn();
        assertTrue((poll.triggered() & READ) != 0, trail.toString());
        poll.dispose();
    }

    @Test
    void whatIsNotStartedDoesNotFire() throws IOException {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.subscribe(bits("p"));
        wire.send();
        assertEquals(List.of(), turn());
        assertFalse(loop.alive());
        assertEquals("", asked());

        poll.start();
        assertEquals(List.of("p:READ"), turn());
        poll.stop();
        wire.send();
        assertEquals(List.of(), turn());
        poll.dispose();
    }

    @Test
    void aWaitEndsWhenTheDescriptorIsReady() {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        var sleeper = new Sleeper(loop);
        loop.post(wire::send);

        assertTrue(sleeper.begin().on(poll).suspend());

        assertEquals(READ, sleeper.result());
        assertEquals("", asked(), "the reactor has forgotten it");
        poll.dispose();
    }

    @Test
    void aWaitForALatchedDirectionIsAnsweredAtOnce() throws IOException {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.start();
        wire.send();
        loop.runNowait();
        assertEquals(READ, poll.latched());
        var sleeper = new Sleeper(loop);

        assertFalse(sleeper.begin().on(poll).suspend(), "no new edge would come");
        assertEquals(READ, sleeper.result());

        wire.drain();
        poll.consumed(READ);
        assertEquals(NONE, poll.latched());
        loop.post(wire::send);
        assertTrue(sleeper.begin().on(poll).suspend(), "it was consumed");
        assertEquals(READ, sleeper.result());
        poll.dispose();
    }

    @Test
    void whoSubscribesToALatchedDirectionStaysSubscribed() throws IOException {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.start();
        wire.send();
        loop.runNowait();

        poll.subscribe(bits("late"));
        assertTrail("late:READ");
        wire.drain();
        poll.consumed(READ);
        wire.send();
        assertEquals(List.of("late:READ"), turn());
        poll.dispose();
    }

    @Test
    void aHangUpIsToldWhateverWasAskedFor() throws IOException {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), PRIORITY);
        if (!startsWithPriority(poll)) {
            poll.dispose();
            Assumptions.abort("this kernel has no urgent data");
        }
        poll.subscribe(bits("p"));
        wire.hangUp();

        assertEquals(List.of("p:HUP"), turn());
        poll.dispose();
    }

    @Test
    void theMaskCanBeChangedWhileItIsStarted() throws IOException {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.subscribe(bits("p"));
        poll.start();
        assertEquals(List.of(), turn());

        poll.mask(WRITE);
        assertEquals(WRITE, poll.mask());
        assertEquals(List.of("p:WRITE"), turn());
        assertThrows(IllegalArgumentException.class, () -> poll.mask(1 << 20));
        assertEquals(WRITE, poll.mask());
        poll.dispose();
    }

    @Test
    void withLevelItFiresInEveryTurn() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        var poll = new PollEvent(loop, wire.fd(), READ | LEVEL);
        poll.subscribe(bits("p"));
        poll.start();

        assertEquals(List.of("p:READ"), turn());
        assertEquals(List.of("p:READ"), turn());
        wire.drain();
        assertEquals(List.of(), turn());
        poll.dispose();
    }

    @Test
    void hiddenItFiresButDoesNotKeepTheLoopAlive() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.hide();
        poll.subscribe(bits("p"));
        poll.start();

        assertFalse(loop.alive());
        assertEquals(List.of("p:READ"), turn());
        poll.dispose();
    }

    @Test
    void theDescriptorIsBorrowedUnlessItIsToldToCloseIt() {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.start();
        assertFalse(poll.is(Event.CLOSE_FD));
        poll.dispose();

        var again = new PollEvent(loop, wire.fd(), READ);
        again.start(); // still open
        again.dispose();
    }

    @Test
    void itClosesItsDescriptorOnceAfterTheReactorForgotIt() {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.closeFd(() -> trail.add("closed, " + (asked().isEmpty() ? "not watched" : asked())));
        assertTrue(poll.is(Event.CLOSE_FD));
        assertThrows(IllegalStateException.class, poll::closeFd);
        poll.retain();
        poll.start();
        poll.release();
        assertTrail();

        poll.release();
        poll.release();
        poll.dispose();

        assertTrail("closed, not watched");
    }

    @Test
    void aDescriptorThatCannotBeClosedIsReported() {
        var wire = descriptors.wire();
        var poll = new PollEvent(loop, wire.fd(), READ);
        poll.closeFd(
                () -> {
                    throw new IOException("will not close");
                });
        poll.dispose();

        assertEquals(List.of("will not close"), takeErrors());
    }

    @Test
    void theKernelsDescriptorIsClosedWhenItIsDisposedOf() throws IOException {
        Assumptions.assumeFalse(isSimulated(), "a real descriptor is needed");
        var pipe = Libc.pipe();
        var poll = new PollEvent(loop, pipe.first(), READ).closeFd();
        poll.start();
        loop.runNowait();

        poll.dispose();

        assertEquals(-Errno.EBADF, Libc.read(pipe.first(), 1));
        assertEquals(-Errno.EPIPE, Libc.write(pipe.second(), 1));
        Libc.close(pipe.second());
    }

    @Test
    void aStartThatTheKernelRefusesLeavesNothing() throws IOException {
        var wire = descriptors.wire();
        int file = descriptors.file();
        var poll = new PollEvent(loop, file, READ);
        var thrown = assertThrows(UncheckedIOException.class, poll::start);
        assertEquals(Errno.EPERM, ((ErrnoException) thrown.getCause()).errno());

        var first = new PollEvent(loop, wire.fd(), READ);
        first.subscribe(bits("first"));
        first.start();
        var second = new PollEvent(loop, wire.fd(), READ);
        assertThrows(UncheckedIOException.class, second::start);

        assertEquals(Life.CREATED, poll.life());
        assertEquals("Watch(fd " + wire.fd() + ", READ)", asked());
        wire.send();
        assertEquals(List.of("first:READ"), turn());
        List.of(poll, first, second).forEach(Event::dispose);
        assertFalse(loop.alive());
    }

    @Test
    void aWaitForWhatTheKernelRefusesFailsAtOnce() {
        var poll = new PollEvent(loop, descriptors.file(), READ);
        var sleeper = new Sleeper(loop);

        assertThrows(UncheckedIOException.class, () -> sleeper.begin().on(poll).suspend());

        assertFalse(poll.hasSubscribers());
        assertFalse(loop.alive());
        poll.dispose();
    }

    @Test
    void badArgumentsAreRefused() {
        var thrown =
                assertThrows(IllegalArgumentException.class, () -> new PollEvent(loop, -1, READ));
        assertEquals("a descriptor is not negative, but this is -1", thrown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new PollEvent(loop, 0, Interest.HUP));
    }

    @Test
    void itsDescriptorAndMaskAreInItsInfo() {
        var poll = new PollEvent(loop, 7, READ | WRITE);
        assertEquals("Poll(fd 7, READ|WRITE)", poll.info());
    }

    private static boolean startsWithPriority(PollEvent poll) {
        try {
            poll.start();
            return true;
        } catch (UncheckedIOException refused) {
            return false;
        }
    }
}
