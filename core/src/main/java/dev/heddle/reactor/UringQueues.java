package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Timespec;
import dev.heddle.sys.Uring;
import dev.heddle.sys.UringParams;
import dev.heddle.sys.UringWait;

import java.lang.foreign.MemorySegment;

/// An open ring: its descriptor, its two queues, and the one call that moves them.
///
/// **Thread:** owner (the thread that opened it; the kernel refuses others with `EEXIST`), except
/// [#close].
final class UringQueues {
    // A longer wait is for ever: the kernel adds the timeout to its clock without a check, and an
    // overflow would end the wait at once.
    private static final long NANOS_MAX = 1L << 61;

    private static final long TIMESPEC_SIZE = Timespec.LAYOUT.byteSize();

    private final Sys sys;
    private final CallState state;
    private final int fd;
    private final MemorySegment ring;
    private final MemorySegment sqes;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final MemorySegment block = Memory.allocate(TIMESPEC_SIZE + UringWait.SIZE);
    private final MemorySegment timespec = block.asSlice(0, TIMESPEC_SIZE);
    private final MemorySegment wait = block.asSlice(TIMESPEC_SIZE);
    private final int waitFlags;

    UringQueues(
            Sys sys,
            CallState state,
            int fd,
            MemorySegment ring,
            MemorySegment sqes,
            MemorySegment params) {
        this.sys = sys;
        this.state = state;
        this.fd = fd;
        this.ring = ring;
        this.sqes = sqes;
        submissions = new SubmissionQueue(ring, sqes, params);
        completions = new CompletionQueue(ring, params);
        UringWait.set(wait, timespec);
        // A loop that sleeps is idle, not waiting for a disk.
        boolean canSay = (UringParams.features(params) & Uring.IORING_FEAT_NO_IOWAIT) != 0;
        waitFlags = Uring.IORING_ENTER_GETEVENTS | (canSay ? Uring.IORING_ENTER_NO_IOWAIT : 0);
    }

    int fd() {
        return fd;
    }

    CompletionQueue completions() {
        return completions;
    }

    /// {@return whether something was left in the submission queue by the last call}
    boolean hasUnsubmitted() {
        return submissions.unsubmitted() != 0;
    }

    /// Makes room for one submission, if need be by submitting what is there.
    ///
    /// @return 0, or why the kernel takes nothing
    int makeRoom() {
        if (!submissions.isFull()) {
            return 0;
        }
        int result = submit();
        if (!submissions.isFull()) {
            return 0;
        }
        return result < 0 ? result : -Errno.EAGAIN;
    }

    /// {@return a zeroed submission with this `user_data`; room was made before}
    MemorySegment take(long userData) {
        var entry = submissions.take();
        Sqe.userData(entry, userData);
        return entry;
    }

    /// Queues the cancellation of everything with this `user_data`; room was made before.
    ///
    /// `ASYNC_CANCEL`, also for polls: `POLL_REMOVE` gives up with `EALREADY`, and leaves the poll
    /// armed, if an event has come that was not reported yet.
    void cancel(long target, int flags) {
        var entry = take(UserData.OF_REMOVAL);
        Sqe.asyncCancel(entry, target, flags);
        Sqe.flags(entry, Sqe.IOSQE_CQE_SKIP_SUCCESS);
    }

    /// Submits what is queued and lets the kernel complete what it can, without waiting.
    int submit() {
        return enter(0);
    }

    /// Submits what is queued and waits for a completion; see [Reactor#poll] for the timeout. The
    /// kernel does not wait if it cannot take every submission.
    ///
    /// @return `>= 0`, or `-errno`
    int enter(long timeoutNanos) {
        return enter(submissions.publish(), timeoutNanos);
    }

    /// Waits without submitting anything.
    int await(long timeoutNanos) {
        return enter(0, timeoutNanos);
    }

    /// Unmaps the queues and closes the ring, in this order: a mapping keeps the ring alive. What
    /// is still in flight is then cancelled by the kernel, in its own time. From any thread, once.
    void close() {
        sys.munmap(state, sqes.address(), sqes.byteSize());
        sys.munmap(state, ring.address(), ring.byteSize());
        sys.close(state, fd);
        Memory.free(block);
    }

    private int enter(int toSubmit, long timeoutNanos) {
        if (timeoutNanos == 0) {
            return sys.ioUringEnter(
                    state, fd, toSubmit, 0, Uring.IORING_ENTER_GETEVENTS, MemorySegment.NULL, 0);
        }
        if (timeoutNanos < 0 || timeoutNanos > NANOS_MAX) {
            return sys.ioUringEnter(state, fd, toSubmit, 1, waitFlags, MemorySegment.NULL, 0);
        }
        Timespec.set(timespec, timeoutNanos);
        int flags = waitFlags | Uring.IORING_ENTER_EXT_ARG;
        return sys.ioUringEnter(state, fd, toSubmit, 1, flags, wait, UringWait.SIZE);
    }
}
