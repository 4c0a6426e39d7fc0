package dev.heddle.reactor;

import static dev.heddle.sys.Uring.IORING_SETUP_COOP_TASKRUN;
import static dev.heddle.sys.Uring.IORING_SETUP_DEFER_TASKRUN;
import static dev.heddle.sys.Uring.IORING_SETUP_NO_SQARRAY;
import static dev.heddle.sys.Uring.IORING_SETUP_SINGLE_ISSUER;
import static dev.heddle.sys.Uring.IORING_SETUP_SUBMIT_ALL;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.UringParams;
import dev.heddle.test.kernel.DelegatingSys;
import dev.heddle.test.kernel.FaultySys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A kernel that refuses is left alone, with a reason; one that refuses only a flag is used
/// without.
final class UringRefusalTest extends UringTestCase {
    private static final long FEATURES =
            UringParams.LAYOUT.byteOffset(PathElement.groupElement("features"));

    @ParameterizedTest
    @CsvSource({
        "io_uring_setup, ENOSYS",
        "io_uring_setup, EPERM",
        "io_uring_setup, ENOMEM",
        "io_uring_enter, EPERM"
    })
    void aRefusalNamesTheCallAndTheError(String call, String error) {
        int errno =
                switch (error) {
                    case "ENOSYS" -> Errno.ENOSYS;
                    case "EPERM" -> Errno.EPERM;
                    default -> Errno.ENOMEM;
                };
        var refusal = UringReactor.refusal(new FaultySys().failAll(errno, call));

        assertEquals(Optional.of(call + ": " + Errno.describe(errno)), refusal);
        assertTrue(Errno.describe(errno).startsWith(error));
    }

    @Test
    void anInterruptedQuestionIsNoRefusal() {
        var sys = new FaultySys().failAll(Errno.EINTR, "io_uring_enter");

        assertEquals(Optional.empty(), UringReactor.refusal(sys));
    }

    @Test
    void memoryThatCannotBeMappedIsARefusal() {
        for (int nth = 1; nth <= 2; nth++) {
            var sys = new FaultySys();
            sys.failOnce(nth, Errno.ENOMEM, Set.of("mmap"));
            var refusal = UringReactor.refusal(sys).orElseThrow();

            assertTrue(refusal.startsWith("mmap(io_uring"), refusal);
            assertTrue(refusal.contains("ENOMEM"), refusal);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE})
    void beingOutOfDescriptorsForTheMomentIsNoRefusal(int errno) {
        var sys = new FaultySys().failAll(errno, "io_uring_setup");

        assertEquals(Optional.empty(), UringReactor.refusal(sys));
    }

    @Test
    void aKernelWithoutANeededFeatureIsTooOld() {
        var sys =
                new DelegatingSys() {
                    @Override
                    public int ioUringSetup(CallState state, int entries, MemorySegment params) {
                        int fd = super.ioUringSetup(state, entries, params);
                        params.set(JAVA_INT, FEATURES, 1);
                        return fd;
                    }
                };

        String refusal = UringReactor.refusal(sys).orElseThrow();
        assertTrue(refusal.contains("Linux 6.1"), refusal);
    }

    @Test
    void aKernelBefore61IsToldByItsOperations() {
        var sys =
                new OldKernel(IORING_SETUP_DEFER_TASKRUN) {
                    @Override
                    public int ioUringRegister(
                            CallState state, int ring, int op, MemorySegment probe, int count) {
                        int result = super.ioUringRegister(state, ring, op, probe, count);
                        probe.set(JAVA_BYTE, 0, (byte) 47);
                        return result;
                    }
                };

        String refusal = UringReactor.refusal(sys).orElseThrow();
        assertTrue(refusal.contains("Linux 6.1"), refusal);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                IORING_SETUP_NO_SQARRAY,
                IORING_SETUP_DEFER_TASKRUN,
                IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SINGLE_ISSUER,
                IORING_SETUP_COOP_TASKRUN | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SUBMIT_ALL
            })
    void withoutAFlagEverythingWorksAllTheSame(int refused) throws IOException {
        var sys = new OldKernel(refused);
        assertEquals(Optional.empty(), UringReactor.refusal(sys));
        reopen(sys);
        var edge = registered(7, READ);
        var level = registered(8, READ | LEVEL);
        assertSilent();
        edge.send();
        assertEquals(List.of("7:READ"), next());
        assertSilent();

        level.send();
        assertEquals(List.of("8:READ"), next());
        assertEquals(List.of("8:READ"), next());
        reactor.wake();
        level.drain();
        reactor.unregister(level.fd());
        edge.hangUp();
        assertEquals(List.of("7:READ|WRITE|HUP"), poll(PATIENCE_NANOS));
        nop(1);
        poll(FOREVER);
        assertEquals(List.of("1:0"), completed());
        assertEquals(0, sys.taken & refused);
    }

    /// Knows not these flags, and says so like the real one.
    private static class OldKernel extends DelegatingSys {
        private final int unknown;
        private int taken;

        OldKernel(int unknown) {
            this.unknown = unknown;
        }

        @Override
        public int ioUringSetup(CallState state, int entries, MemorySegment params) {
            if ((UringParams.flags(params) & unknown) != 0) {
                return -Errno.EINVAL;
            }
            taken = UringParams.flags(params);
            return super.ioUringSetup(state, entries, params);
        }
    }
}
