package dev.heddle.reactor;

import static dev.heddle.sys.Uring.IORING_SETUP_CLAMP;
import static dev.heddle.sys.Uring.IORING_SETUP_COOP_TASKRUN;
import static dev.heddle.sys.Uring.IORING_SETUP_CQSIZE;
import static dev.heddle.sys.Uring.IORING_SETUP_DEFER_TASKRUN;
import static dev.heddle.sys.Uring.IORING_SETUP_NO_SQARRAY;
import static dev.heddle.sys.Uring.IORING_SETUP_SINGLE_ISSUER;
import static dev.heddle.sys.Uring.IORING_SETUP_SUBMIT_ALL;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Cqe;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Mmap;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Uring;
import dev.heddle.sys.UringParams;

import java.lang.foreign.MemorySegment;

/// Makes a ring: tries the flags from the best set down, and maps the two queues.
///
/// **Thread:** the one that makes a ring is the only one that may use it (`SINGLE_ISSUER`).
final class UringSetup {
    private static final int SQ_ENTRIES = 256;
    private static final int CQ_ENTRIES = 4096;

    private static final int BASE = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
    private static final int ISSUER = BASE | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER;

    // Each step gives up what the kernel may refuse. Never SQPOLL: it burns a core.
    private static final int[] LADDER = {
        ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_NO_SQARRAY,
        ISSUER | IORING_SETUP_DEFER_TASKRUN,
        ISSUER | IORING_SETUP_COOP_TASKRUN,
        BASE | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN,
        BASE
    };

    // SINGLE_MMAP: one mapping holds both queues. NODROP: a full completion queue loses nothing.
    private static final int NEEDED =
            Uring.IORING_FEAT_SINGLE_MMAP
                    | Uring.IORING_FEAT_NODROP
                    | Uring.IORING_FEAT_EXT_ARG
                    | Uring.IORING_FEAT_CQE_SKIP;

    // struct io_uring_probe without its array: the first byte is the last operation.
    private static final long PROBE_SIZE = 16;

    private UringSetup() {}

    /// {@return an open ring, which belongs to the calling thread}
    ///
    /// @throws ErrnoException if the kernel refuses or is older than 6.1; nothing is left behind
    static UringQueues open(Sys sys, CallState state) throws ErrnoException {
        var params = Memory.allocate(UringParams.SIZE);
        try {
            int fd = climbDown(sys, state, params);
            try {
                checkAge(sys, state, fd, params);
                return map(sys, state, fd, params);
            } catch (ErrnoException | OutOfMemoryError refused) {
                sys.close(state, fd);
                throw refused;
            }
        } finally {
            Memory.free(params);
        }
    }

    private static int climbDown(Sys sys, CallState state, MemorySegment params)
            throws ErrnoException {
        int fd = -Errno.EINVAL;
        for (int step = 0; step < LADDER.length && fd == -Errno.EINVAL; step++) {
            UringParams.ask(params, LADDER[step], CQ_ENTRIES);
            fd = sys.ioUringSetup(state, SQ_ENTRIES, params);
        }
        if (fd < 0) {
            throw new ErrnoException("io_uring_setup", -fd);
        }
        return fd;
    }

    private static void checkAge(Sys sys, CallState state, int fd, MemorySegment params)
            throws ErrnoException {
        int missing = NEEDED & ~UringParams.features(params);
        if (missing != 0) {
            throw tooOld("features 0x" + Integer.toHexString(missing));
        }
        // DEFER_TASKRUN came with 6.1; without it, look for an operation that did.
        if ((UringParams.flags(params) & IORING_SETUP_DEFER_TASKRUN) == 0
                && lastOperation(sys, state, fd) < Sqe.IORING_OP_SENDMSG_ZC) {
            throw tooOld("operation " + Sqe.IORING_OP_SENDMSG_ZC);
        }
    }

    private static ErrnoException tooOld(String missing) {
        return new ErrnoException(
                "io_uring_setup (Linux 6.1 or later is needed, this one lacks " + missing + ")",
                Errno.ENOSYS);
    }

    private static int lastOperation(Sys sys, CallState state, int fd) {
        var probe = Memory.allocate(PROBE_SIZE);
        try {
            int result = sys.ioUringRegister(state, fd, Uring.IORING_REGISTER_PROBE, probe, 0);
            return result < 0 ? -1 : Byte.toUnsignedInt(probe.get(JAVA_BYTE, 0));
        } finally {
            Memory.free(probe);
        }
    }

    private static UringQueues map(Sys sys, CallState state, int fd, MemorySegment params)
            throws ErrnoException {
        long sqBytes = UringParams.sqOffset(params, "array") + UringParams.sqEntries(params) * 4L;
        long cqBytes =
                UringParams.cqOffset(params, "cqes") + UringParams.cqEntries(params) * Cqe.SIZE;
        var ring = map(sys, state, fd, Uring.IORING_OFF_SQ_RING, Math.max(sqBytes, cqBytes));
        try {
            long bytes = UringParams.sqEntries(params) * Sqe.SIZE;
            var sqes = map(sys, state, fd, Uring.IORING_OFF_SQES, bytes);
            return new UringQueues(sys, state, fd, ring, sqes, params);
        } catch (ErrnoException | OutOfMemoryError refused) {
            sys.munmap(state, ring.address(), ring.byteSize());
            throw refused;
        }
    }

    private static MemorySegment map(Sys sys, CallState state, int fd, long offset, long bytes)
            throws ErrnoException {
        int protection = Mmap.PROT_READ | Mmap.PROT_WRITE;
        int flags = Mmap.MAP_SHARED | Mmap.MAP_POPULATE;
        long address = sys.mmap(state, bytes, protection, flags, fd, offset);
        if (address < 0) {
            throw new ErrnoException("mmap(io_uring, " + bytes + " bytes)", (int) -address);
        }
        return Mmap.segment(address, bytes);
    }
}
