package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.DelegatingSys;
import dev.heddle.testing.Bystander;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The end: of one registration, and of all. The kernel lets go of files, buffers and memory.
final class UringCloseTest extends UringTestCase {
    @Test
    void afterUnregisterThePeerSeesACloseAtOnce() throws IOException {
        var pipe = pipe();
        reactor.register(pipe.second(), 7, WRITE);
        next();
        reactor.unregister(pipe.second());
        descriptors.close(pipe.second());

        assertEndOfPipe(pipe.first());
    }

    @Test
    void anEventThatIsOnItsWayDoesNotKeepAFileOpen() throws IOException {
        var pipe = pipe();
        Libc.write(pipe.second(), 1 << 16);
        reactor.register(pipe.second(), 7, WRITE);
        assertSilent();
        Libc.read(pipe.first(), 1 << 16);
        reactor.unregister(pipe.second());
        descriptors.close(pipe.second());

        assertEndOfPipe(pipe.first());
    }

    @Test
    void afterCloseThePeersOfAllPollsSeeACloseAtOnce() throws IOException {
        var pipes = List.of(pipe(), pipe(), pipe());
        for (var pipe : pipes) {
            reactor.register(pipe.second(), 7, WRITE);
        }
        poll(0);
        reactor.close();
        for (var pipe : pipes) {
            descriptors.close(pipe.second());
            assertEndOfPipe(pipe.first());
        }
    }

    @Test
    void aClosedReactorDoesNotTouchTheNextOwnerOfItsDescriptors() throws IOException {
        var wire = registered(7, READ);
        poll(MOMENT_NANOS);
        reactor.close();
        int number = wire.fd();
        wire.close();
        var fresh = descriptors.wireWithNumber(number);
        try (var other = new UringReactor(Sys.NATIVE)) {
            other.register(number, 8, READ);
            fresh.send();
            reactor.wake();

            assertEquals(1, other.poll(out, PATIENCE_NANOS));
            assertEquals(8, out.token(0));
        }
        assertEquals(1, Libc.read(number, 8));
    }

    @Test
    void closeGivesBackTheMappings() throws IOException {
        long before = ringMappings();
        poll(MOMENT_NANOS);
        assertEquals(before + 2, ringMappings());
        reactor.close();

        assertEquals(before, ringMappings());
    }

    @Test
    void closeWaitsForOperationsAndDeliversThem() throws Exception {
        var pipe = pipe();
        withBuffer(
                16,
                buffer -> {
                    read(5, pipe.first(), buffer);
                    poll(0);
                    nop(6);
                    reactor.close();

                    assertEquals(0, ring().inFlight());
                    assertEquals(
                            List.of("5:" + -Errno.ECANCELED, "6:0"),
                            completed().stream().sorted().toList());
                });
    }

    @Test
    void closeGivesUpOnAKernelThatIsSilentAndSaysSo() throws Exception {
        var sys = new Silent();
        reopen(sys);
        var pipe = pipe();
        withBuffer(
                16,
                buffer -> {
                    read(5, pipe.first(), buffer);
                    poll(0);
                    sys.silent = true;
                    reactor.close();

                    assertEquals(1, ring().inFlight());
                    assertEquals(List.of(), completed());
                    // Only for this test: what waits on a pipe is gone when its ring is, and has
                    // not touched the buffer. Who reads from a disk must not free it.
                });
    }

    @Test
    void closeFromAnotherThreadSaysWhatItLeavesInFlight() throws Exception {
        var pipe = pipe();
        withBuffer(
                16,
                buffer -> {
                    read(5, pipe.first(), buffer);
                    poll(0);
                    nop(6);
                    poll(0);
                    assertEquals(List.of("6:0"), completed());
                    Bystander.doing(reactor::close).close();

                    assertEquals(1, ring().inFlight());
                });
    }

    @Test
    void closeFromAnotherThreadCountsWhatHadCompleted() throws Exception {
        ring().deliverTo(new Completions(1));
        nop(1);
        nop(2);
        poll(0);
        Bystander.doing(reactor::close).close();

        assertEquals(0, ring().inFlight());
    }

    @Test
    void anInterruptedCloseGoesOn() throws Exception {
        var sys = new Interrupted();
        reopen(sys);
        var pipe = pipe();
        reactor.register(pipe.second(), 7, WRITE);
        poll(0);
        sys.left = 3;
        reactor.close();
        descriptors.close(pipe.second());

        assertEquals(0, sys.left);
        assertEndOfPipe(pipe.first());
    }

    private static long ringMappings() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("io_uring")).count();
        }
    }

    /// Once silent, nothing is submitted and nothing ever completes.
    private static final class Silent extends DelegatingSys {
        private boolean silent;

        @Override
        public int ioUringEnter(
                CallState state,
                int ring,
                int toSubmit,
                int minComplete,
                int flags,
                MemorySegment argument,
                long argumentSize) {
            return silent
                    ? -Errno.ETIME
                    : super.ioUringEnter(
                            state, ring, toSubmit, minComplete, flags, argument, argumentSize);
        }
    }

    /// The next calls that wait are interrupted.
    private static final class Interrupted extends DelegatingSys {
        private int left;

        @Override
        protected int before(String call, int fd) {
            return call.equals("io_uring_enter") && left > 0 && left-- > 0 ? -Errno.EINTR : 0;
        }
    }
}
