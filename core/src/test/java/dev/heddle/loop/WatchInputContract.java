package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.ErrnoException;
import dev.heddle.sys.Errno;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;

/// What cannot be watched and what cannot be done to a watch, on every backend: refused with a
/// reason, and nothing is left half registered.
///
/// **Thread:** owner (the test runner).
abstract class WatchInputContract extends WatchTestCase {
    WatchInputContract(Backend backend) {
        super(backend);
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

    @Test
    void aWatchWhoseDescriptorWasClosedUnderItLeavesTheNumbersNextWatchAlone() throws IOException {
        var closed = descriptors.wire();
        int number = closed.fd();
        var old = loop.watch(number, READ, noting("old"));
        loop.runNowait();
        closed.close();
        var wire = descriptors.wireWithNumber(number);
        var next = loop.watch(number, noting("next"));
        if (!startsAtOnce(next)) {
            old.stop();
            next.start(READ);
        }

        assertFalse(old.isActive());
        assertFalse(old.stop());
        assertErrno(Errno.EEXIST, () -> old.start(WRITE));
        assertEquals(1, loop.stats().watches());
        wire.send();
        assertEquals(List.of("next:READ"), turn());
        end(loop, next);
    }

    // Some kernels can tell that the number has another file now, the others refuse it.
    private static boolean startsAtOnce(Watch watch) throws IOException {
        try {
            watch.start(READ);
            return true;
        } catch (ErrnoException refused) {
            assertEquals(Errno.EEXIST, refused.errno(), refused.getMessage());
            return false;
        }
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

    private void assertNothingStarted() {
        loop.walk(source -> trail.add("still there: " + source));
        assertEquals(List.of(), trail);
    }

    private static void assertWrongThread(Executable call) {
        var wrong = assertThrows(WrongThreadException.class, call);
        assertTrue(wrong.getMessage().contains("loop.post"), wrong.getMessage());
    }
}
