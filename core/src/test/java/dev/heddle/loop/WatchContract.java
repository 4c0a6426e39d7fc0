package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.sys.Errno;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// What a [Watch] promises, on every backend. What happens inside one batch of events is in
/// [WatchBatchContract].
///
/// **Thread:** owner (the test runner).
abstract class WatchContract extends WatchTestCase {
    WatchContract(Backend backend) {
        super(backend);
    }

    // L66
    @Test
    void withLevelUnreadDataIsReportedInEveryTurn() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), READ | LEVEL, noting("level"));
        assertEquals(List.of(), turn());

        wire.send();
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("level:READ"), turn());
        }
        wire.drain();
        assertEquals(List.of(), turn());

        end(loop, watch);
    }

    // L66
    @Test
    void withoutLevelUnreadDataIsReportedOnceAndNewDataOnceMore() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), READ, noting("edge"));
        wire.send();

        assertEquals(List.of("edge:READ"), turn());
        assertEquals(List.of(), turn());
        assertEquals(READ, watch.latched());

        wire.drain();
        watch.consumed(READ);
        assertEquals(0, watch.latched());
        assertEquals(List.of(), turn());
        wire.send();
        assertEquals(List.of("edge:READ"), turn());

        end(loop, watch);
    }

    // L67
    @Test
    void aTurnThatDoesNotWaitReportsWhatIsPending() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        var watch = loop.watch(wire.fd(), READ, noting("pending"));

        assertEquals(1, loop.runNowait());

        assertEquals(List.of("pending:READ"), trail);
        assertEquals(1, loop.stats().events());
        end(loop, watch);
    }

    @Test
    void dataThatComesLaterEndsTheWait() throws IOException {
        var wire = descriptors.wire();
        var threads = new ArrayList<Thread>();
        var watch = loop.watch(wire.fd(), READ, (_, _) -> threads.add(Thread.currentThread()));

        if (fixture.isSimulated()) {
            fixture.sim().at(1000, wire::send);
            loop.runOnce();
        } else {
            whileAsleep(wire::send, () -> loop.runOnce());
        }

        assertEquals(List.of(Thread.currentThread()), threads);
        end(loop, watch);
    }

    // L68
    @Test
    void whatCannotBeWatchedIsRefusedAndLeavesNoTrace() throws IOException {
        var closed = descriptors.wire();
        int number = closed.fd();
        closed.close();

        assertErrno(Errno.EBADF, () -> loop.watch(number, READ, noting("closed")));
        int file = descriptors.file();
        int directory = descriptors.directory();
        assertErrno(Errno.EPERM, () -> loop.watch(file, READ, noting("file")));
        assertErrno(Errno.EPERM, () -> loop.watch(directory, READ, noting("directory")));
        assertErrno(Errno.EBADF, () -> loop.watch(1_000_000, READ, noting("unknown")));
        for (int negative : new int[] {-1, Integer.MIN_VALUE}) {
            var refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> loop.watch(negative, READ, noting("negative")));
            assertTrue(refused.getMessage().endsWith("" + negative), refused.getMessage());
        }

        assertFalse(loop.alive());
        assertEquals(0, loop.stats().watches());
        assertNothingStarted();
        assertEquals(List.of(), turn());
    }

    // L68
    @Test
    void aNumberThatWasRefusedCanBeWatchedWhenItIsOpen() throws IOException {
        var closed = descriptors.wire();
        int number = closed.fd();
        closed.close();
        var watch = loop.watch(number, noting("again"));
        assertErrno(Errno.EBADF, () -> watch.start(READ));
        assertFalse(watch.isActive());

        var wire = descriptors.wireWithNumber(number);
        assertSame(watch, watch.start(READ));
        wire.send();

        assertEquals(List.of("again:READ"), turn());
        end(loop, watch);
    }

    // L69
    @Test
    void aDescriptorHasOneWatchAtATime() throws IOException {
        var wire = descriptors.wire();
        var first = loop.watch(wire.fd(), READ, noting("first"));
        var second = loop.watch(wire.fd(), noting("second"));

        assertErrno(Errno.EEXIST, () -> second.start(READ));
        assertFalse(second.isActive());
        wire.send();
        assertEquals(List.of("first:READ"), turn());

        assertTrue(first.stop());
        second.start(READ);
        assertEquals(List.of("second:READ"), turn());
        first.close();
        assertEquals(List.of(), turn());
        assertTrue(second.isActive());
        wire.drain();
        second.consumed(READ);
        wire.send();
        assertEquals(List.of("second:READ"), turn());

        end(loop, second);
    }

    // L71
    @Test
    void closingManyWatchesTellsEachOfThem() throws IOException {
        var watches = new ArrayList<Watch>();
        for (int i = 0; i < 64; i++) {
            watches.add(loop.watch(descriptors.wire().fd(), READ, noting("watch " + i)));
        }
        assertEquals(64, loop.stats().watches());
        var closed = new AtomicInteger();

        watches.forEach(watch -> watch.close(closed::incrementAndGet));
        assertEquals(0, closed.get());
        assertFalse(loop.run());

        assertEquals(64, closed.get());
        assertEquals(List.of(), trail);
        assertEquals(0, loop.stats().watches());
    }

    // L74
    @Test
    void urgentDataIsPriorityAndOrdinaryDataIsRead() throws IOException {
        var wire = descriptors.urgentWire();
        var watch = loop.watch(wire.fd(), READ | PRIORITY, noting("wire"));

        wire.sendUrgent();
        assertTrue(turnBits() >= PRIORITY, trail.toString());
        wire.send();
        assertEquals(READ, turnBits() & READ, trail.toString());

        end(loop, watch);
    }

    // L76
    @Test
    void stoppingWhatIsNotStartedSaysSoAndChangesNothing() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), noting("never"));

        assertFalse(watch.stop());
        watch.consumed(READ);
        assertEquals(0, watch.latched());
        watch.start(READ);
        assertTrue(watch.stop());
        assertFalse(watch.stop());
        wire.send();

        assertEquals(List.of(), turn());
        assertFalse(loop.alive());
        end(loop, watch);
        assertFalse(watch.stop());
    }

    @Test
    void startingAgainChangesTheInterest() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        var watch = loop.watch(wire.fd(), READ, noting("wire"));
        assertEquals(List.of("wire:READ"), turn());

        watch.start(WRITE);
        assertEquals(WRITE, watch.interest());
        assertEquals(List.of("wire:WRITE"), turn());
        watch.start(READ | WRITE);
        assertEquals(List.of("wire:READ|WRITE"), turn());
        watch.start(NONE);
        assertEquals(List.of(), turn());
        assertTrue(watch.isActive());
        watch.start(READ);
        assertEquals(List.of("wire:READ"), turn());

        end(loop, watch);
    }

    @ParameterizedTest
    @ValueSource(ints = {HUP, 32, -1, READ | 64})
    void unknownInterestIsRefusedAndNothingChanges(int interest) throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), READ, noting("wire"));
        var other = loop.watch(descriptors.wire().fd(), noting("other"));

        assertThrows(IllegalArgumentException.class, () -> watch.start(interest));
        assertThrows(IllegalArgumentException.class, () -> other.start(interest));

        assertEquals(READ, watch.interest());
        assertFalse(other.isActive());
        assertEquals(1, loop.stats().watches());
        wire.send();
        assertEquals(List.of("wire:READ"), turn());
        end(loop, watch);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, WRITE, PRIORITY})
    void aHangUpIsReportedWhateverIsAskedFor(int interest) throws IOException {
        var wire = descriptors.wire();
        wire.fill();
        var watch = loop.watch(wire.fd(), interest, noting("wire"));
        assertEquals(List.of(), turn());

        wire.hangUp();

        assertEquals(HUP, turnBits() & HUP, trail.toString());
        end(loop, watch);
    }

    @Test
    void aHangUpThatNobodyAsksForIsNotReportedAndDoesNotSpin() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), NONE, noting("wire"));
        wire.hangUp();

        for (int i = 0; i < 3; i++) {
            assertEquals(0, loop.runNowait());
        }

        assertEquals(List.of(), trail);
        end(loop, watch);
    }

    @Test
    void aStartedWatchKeepsTheLoopAliveUntilItIsStoppedOrUnreferenced() throws IOException {
        var watch = loop.watch(descriptors.wire().fd(), noting("wire"));
        assertFalse(loop.alive());
        watch.start(READ);
        assertTrue(loop.alive());

        watch.unref();
        assertFalse(loop.run());
        watch.ref();
        assertTrue(loop.alive());
        watch.stop();
        assertFalse(loop.run());
    }

    @Test
    void aWatchOfADescriptorThatWasClosedFirstCanBeStoppedAndTheNumberWatchedAgain()
            throws IOException {
        var wire = descriptors.wire();
        int number = wire.fd();
        var watch = loop.watch(number, READ, noting("old"));
        assertEquals(List.of(), turn());
        wire.close();

        assertTrue(watch.stop());
        var successor = descriptors.wireWithNumber(number);
        var next = loop.watch(number, READ, noting("new"));
        successor.send();

        assertEquals(List.of("new:READ"), turn());
        end(loop, next);
    }

    @Test
    void aClosedWatchCannotBeStarted() throws IOException {
        var watch = loop.watch(descriptors.wire().fd(), noting("wire"));
        watch.close();
        loop.run();

        var refused = assertThrows(IllegalStateException.class, () -> watch.start(READ));

        assertTrue(refused.getMessage().startsWith("closed: Watch"), refused.getMessage());
        assertFalse(loop.alive());
    }

    @Test
    void noListenerAndTheWrongThreadAreRefused() throws IOException {
        int fd = descriptors.wire().fd();
        var watch = loop.watch(fd, READ, noting("wire"));
        assertThrows(NullPointerException.class, () -> loop.watch(fd, null));
        assertThrows(NullPointerException.class, () -> loop.watch(fd, READ, null));
        fixture.outside(
                        () -> {
                            assertWrongThread(() -> loop.watch(fd, noting("other")));
                            assertWrongThread(() -> loop.watch(fd, READ, noting("other")));
                            assertWrongThread(() -> watch.start(WRITE));
                            assertWrongThread(watch::stop);
                            assertWrongThread(() -> watch.consumed(READ));
                            assertWrongThread(watch::close);
                        })
                .awaitEnd();

        assertEquals(READ, watch.interest());
        assertTrue(watch.isActive());
        end(loop, watch);
    }

    @Test
    void itSaysWhatItWatches() throws IOException {
        int fd = descriptors.wire().fd();
        var watch = loop.watch(fd, READ | LEVEL, noting("wire"));
        assertEquals("Watch(fd " + fd + ", READ|LEVEL)", watch.toString());
        assertEquals(fd, watch.fd());
        watch.stop();
        assertEquals("Watch(fd " + fd + ", stopped)", watch.toString());
    }

    private void assertNothingStarted() {
        loop.walk(source -> trail.add("still there: " + source));
        assertEquals(List.of(), trail);
    }

    // Of one event, which the trail shows as name:BITS.
    private int turnBits() throws IOException {
        var seen = turn();
        assertEquals(1, seen.size(), seen.toString());
        int bits = 0;
        for (var name : seen.getFirst().substring(seen.getFirst().indexOf(':') + 1).split("\\|")) {
            for (int bit : new int[] {READ, WRITE, PRIORITY, HUP}) {
                bits |= Interest.describe(bit).equals(name) ? bit : 0;
            }
        }
        return bits;
    }

    private static void assertWrongThread(org.junit.jupiter.api.function.Executable call) {
        var wrong = assertThrows(WrongThreadException.class, call);
        assertTrue(wrong.getMessage().contains("loop.post"), wrong.getMessage());
    }
}
