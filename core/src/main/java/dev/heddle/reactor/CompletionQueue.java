package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.sys.Cqe;
import dev.heddle.sys.UringParams;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The ring of completions that the kernel writes and we read. The first one is looked at in place,
/// and stays until [#advance].
///
/// **Thread:** loop.
final class CompletionQueue {
    private static final VarHandle INT = JAVA_INT.varHandle();

    private final MemorySegment ring;
    private final long headAt;
    private final long tailAt;
    private final long cqes;
    private final int mask;
    private int head;
    private int seenTail;

    CompletionQueue(MemorySegment ring, MemorySegment params) {
        this.ring = ring;
        headAt = UringParams.cqOffset(params, "head");
        tailAt = UringParams.cqOffset(params, "tail");
        cqes = UringParams.cqOffset(params, "cqes");
        mask = UringParams.cqEntries(params) - 1;
    }

    boolean isEmpty() {
        if (head != seenTail) {
            return false;
        }
        // Acquire: the completions were written before the tail was moved behind them.
        seenTail = (int) INT.getAcquire(ring, tailAt);
        return head == seenTail;
    }

    long userData() {
        return Cqe.userData(ring, at());
    }

    int result() {
        return Cqe.result(ring, at());
    }

    int flags() {
        return Cqe.flags(ring, at());
    }

    /// Gives the first completion's place back to the kernel.
    void advance() {
        head++;
        // Release: it was read before the kernel may write there again.
        INT.setRelease(ring, headAt, head);
    }

    private long at() {
        return cqes + (head & mask) * Cqe.SIZE;
    }
}
