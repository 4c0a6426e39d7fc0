package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.sys.Sqe;
import dev.heddle.sys.Uring;
import dev.heddle.sys.UringParams;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The ring of submissions that we write and the kernel reads.
///
/// **Thread:** loop; the kernel reads only inside `io_uring_enter`, as there is no SQPOLL thread.
final class SubmissionQueue {
    private static final VarHandle INT = JAVA_INT.varHandle();

    private final MemorySegment ring;
    private final long headAt;
    private final long tailAt;
    private final int mask;

    // One slice per entry, made once, so that taking one allocates nothing.
    private final MemorySegment[] entries;

    // Ours; the kernel sees it when `publish` has stored it.
    private int tail;

    SubmissionQueue(MemorySegment ring, MemorySegment sqes, MemorySegment params) {
        this.ring = ring;
        headAt = UringParams.sqOffset(params, "head");
        tailAt = UringParams.sqOffset(params, "tail");
        entries = new MemorySegment[UringParams.sqEntries(params)];
        mask = entries.length - 1;
        for (int i = 0; i < entries.length; i++) {
            entries[i] = sqes.asSlice(i * Sqe.SIZE, Sqe.SIZE);
        }
        if ((UringParams.flags(params) & Uring.IORING_SETUP_NO_SQARRAY) == 0) {
            // An indirection that nobody needs, on kernels that have no way to leave it out.
            int array = UringParams.sqOffset(params, "array");
            for (int i = 0; i < entries.length; i++) {
                ring.set(JAVA_INT, array + i * 4L, i);
            }
        }
    }

    boolean isFull() {
        return unsubmitted() == entries.length;
    }

    /// {@return how many entries the kernel has not taken yet}
    int unsubmitted() {
        // Acquire: the kernel is done with an entry before it moves the head past it.
        return tail - (int) INT.getAcquire(ring, headAt);
    }

    /// {@return the next entry, zeroed; there must be room}
    MemorySegment take() {
        assert !isFull() : "the submission queue is full";
        var entry = entries[tail & mask];
        entry.fill((byte) 0);
        tail++;
        return entry;
    }

    /// Shows the kernel what was taken since the last time.
    ///
    /// @return how many entries it has to submit
    int publish() {
        // Release: the entries are filled before the kernel can see the tail behind them.
        INT.setRelease(ring, tailAt, tail);
        return unsubmitted();
    }
}
