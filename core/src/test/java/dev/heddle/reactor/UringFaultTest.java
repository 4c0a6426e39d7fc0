package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Mmap;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Timespec;
import dev.heddle.sys.UringWait;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.test.kernel.DelegatingSys;
import dev.heddle.test.kernel.FaultySys;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What the kernel may answer, and what must not be lost, or spin, because of it.
final class UringFaultTest extends UringTestCase {
    private static final int EAGAIN = 11;
    private static final int ETIME = 62;

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINTR, Errno.EBUSY, EAGAIN, ETIME})
    void aPassingFaultOfTheCallLosesNoRegistration(int errno) throws IOException {
        var sys = new FaultySys();
        reopen(sys);
        registered(7, READ).send();
        sys.failOnce(1, errno, Set.of("io_uring_enter"));
        poll(0);
        assertEquals(1, sys.faults());

        assertEquals(List.of("7:READ"), next());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EBUSY, EAGAIN})
    void aKernelWithoutMemoryIsAskedAgainAtLeisure(int errno) throws IOException {
        var sys = new Forgetful(errno);
        reopen(sys);
        registered(7, READ).send();
        sys.refusing = true;
        for (int round = 0; round < 3; round++) {
            long start = descriptors.nanos();
            assertEquals(List.of(), poll(FOREVER));
            assertTrue(descriptors.nanos() - start >= 1_000_000, "the reactor spins");
        }
        sys.refusing = false;

        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void aRefusedRemovalIsMadeUpForByTheNextPoll() throws IOException {
        var sys = new FaultySys();
        reopen(sys);
        var pipe = pipe();
        reactor.register(pipe.second(), 7, WRITE);
        next();
        sys.failOnce(1, EAGAIN, Set.of("io_uring_enter"));
        reactor.unregister(pipe.second());
        descriptors.close(pipe.second());
        assertEquals(-EAGAIN, Libc.read(pipe.first(), 1));
        assertSilent();

        assertEndOfPipe(pipe.first());
    }

    @Test
    void aDescriptorThatWasClosedTooEarlyIsReportedOnce() throws IOException {
        // The reactor's own descriptors first, or one of them gets the number.
        poll(MOMENT_NANOS);
        var wire = registered(7, READ);
        wire.close();

        assertEquals(List.of("7:READ|WRITE|HUP"), next());
        assertSilent();
        reactor.unregister(wire.fd());
    }

    @Test
    void aPollThatSomebodyElseCancelsIsArmedAgain() throws IOException {
        var wire = registered(7, READ);
        poll(MOMENT_NANOS);
        Sqe.asyncCancel(
                ring().prepare(1), 0, Sqe.IORING_ASYNC_CANCEL_ANY | Sqe.IORING_ASYNC_CANCEL_ALL);
        reactor.poll(out, FOREVER);
        assertEquals(0, out.count());
        poll(MOMENT_NANOS);
        wire.send();
        assertEquals(List.of("7:READ"), next());

        reactor.wake();
        assertEquals(List.of(), poll(FOREVER));
    }

    @ParameterizedTest
    @ValueSource(ints = {WRITE, WRITE | LEVEL, PRIORITY | LEVEL, WRITE | PRIORITY})
    void aHalfCloseThatNobodyAskedForIsSilentAndDoesNotSpin(int interest) throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        var pair = Libc.tcpPair();
        try {
            while (Libc.write(pair.first(), 1 << 20) > 0) {}
            reactor.register(pair.first(), 7, interest);
            assertSilent();
            Libc.shutdownWrites(pair.second());
            assertSilent();
            sys.forget();
            assertSilent();
            assertTrue(sys.calls().size() <= 4, () -> "it spins: " + sys.calls().size());

            Libc.close(pair.second());
            assertTrue((bitsOfNext(7) & Interest.HUP) != 0);
        } finally {
            Libc.close(pair.first());
        }
    }

    @Test
    void aHalfClosedDescriptorIsStillWatchedByLevel() throws IOException {
        var pair = Libc.socketPair();
        try {
            while (Libc.write(pair.first(), 4096) > 0) {}
            Libc.shutdownWrites(pair.second());
            reactor.register(pair.first(), 7, WRITE | LEVEL);
            assertSilent();
            while (Libc.read(pair.second(), 1 << 16) > 0) {}

            for (int round = 0; round < 3; round++) {
                assertEquals(List.of("7:WRITE"), next());
            }
            while (Libc.write(pair.first(), 4096) > 0) {}
            poll(MOMENT_NANOS);
            assertSilent();
        } finally {
            Libc.close(pair.first());
            Libc.close(pair.second());
        }
    }

    @Test
    void aDeviceWithoutReadinessIsRefusedAndAFileWithItIsNot() throws IOException {
        int none = Libc.open("/dev/null");
        int mounts = Libc.open("/proc/self/mounts");
        try {
            assertErrno(Errno.EPERM, () -> reactor.register(none, 7, READ));
            assertEquals(0, reactor.registered());
            reactor.register(mounts, 8, READ);
            assertEquals(List.of("8:READ"), next());
            reactor.unregister(mounts);
        } finally {
            Libc.close(none);
            Libc.close(mounts);
        }
    }

    @Test
    void timeoutsReachTheKernelToTheNanosecond() throws IOException {
        var sys = new Timekeeper();
        reopen(sys);
        for (long timeout : List.of(1L, 999_999L, 1_000_000_001L, 86_400_000_000_007L)) {
            poll(timeout);
        }
        assertEquals(List.of(1L, 999_999L, 1_000_000_001L, 86_400_000_000_007L), sys.waits);

        sys.waits.clear();
        poll(-1);
        poll(Long.MIN_VALUE);
        poll(Long.MAX_VALUE);
        assertEquals(List.of(-1L, -1L, -1L), sys.waits);
    }

    /// Takes no submission, for want of memory.
    private static final class Forgetful extends DelegatingSys {
        private final int errno;
        private boolean refusing;

        Forgetful(int errno) {
            this.errno = errno;
        }

        @Override
        public int ioUringEnter(
                CallState state,
                int ring,
                int toSubmit,
                int minComplete,
                int flags,
                MemorySegment argument,
                long argumentSize) {
            return refusing && toSubmit > 0
                    ? -errno
                    : super.ioUringEnter(
                            state, ring, toSubmit, minComplete, flags, argument, argumentSize);
        }
    }

    /// Writes down how long it was told to wait, and lets that time pass at once. -1 is for ever.
    private static final class Timekeeper extends DelegatingSys {
        private final List<Long> waits = new ArrayList<>();

        @Override
        public int ioUringEnter(
                CallState state,
                int ring,
                int toSubmit,
                int minComplete,
                int flags,
                MemorySegment argument,
                long argumentSize) {
            if (minComplete == 0) {
                return super.ioUringEnter(state, ring, toSubmit, 0, flags, argument, 0);
            }
            waits.add(argumentSize == 0 ? -1 : nanos(argument));
            super.ioUringEnter(state, ring, toSubmit, 0, flags & 1, MemorySegment.NULL, 0);
            return -Errno.ETIME;
        }

        private static long nanos(MemorySegment argument) {
            assertEquals(24, UringWait.SIZE);
            long timespec = argument.get(JAVA_LONG, 16);
            return Timespec.nanos(Mmap.segment(timespec, Timespec.LAYOUT.byteSize()));
        }
    }
}
