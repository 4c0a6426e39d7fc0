package dev.heddle.reactor;

import dev.heddle.sys.Cqe;
import dev.heddle.sys.Sqe;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/// The operations of a [UringReactor]'s users, beside its own polls in the same queues.
///
/// **Thread:** loop.
final class UringRing implements Ring {
    private final UringReactor reactor;
    private @Nullable Completions out;
    private int inFlight;

    UringRing(UringReactor reactor) {
        this.reactor = reactor;
    }

    @Override
    public MemorySegment prepare(long tag) throws ErrnoException {
        checkTag(tag);
        if (out == null) {
            throw new IllegalStateException(
                    "nobody would receive the completion: call deliverTo first");
        }
        var entry = reactor.queuesWithRoom().take(UserData.ofOperation(tag));
        inFlight++;
        return entry;
    }

    @Override
    public void cancel(long tag) throws ErrnoException {
        checkTag(tag);
        var queues = reactor.queuesWithRoom();
        queues.cancel(UserData.ofOperation(tag), Sqe.IORING_ASYNC_CANCEL_ALL);
    }

    @Override
    public void deliverTo(Completions completions) {
        out = completions;
    }

    @Override
    public int inFlight() {
        return inFlight;
    }

    /// {@return whether there is room for one completion more}
    boolean hasRoom() {
        return out != null && !out.isFull();
    }

    /// Takes a completion; without room it is only counted.
    void complete(long userData, int result, int flags) {
        if ((flags & Cqe.IORING_CQE_F_MORE) == 0) {
            inFlight--;
        }
        if (out != null && !out.isFull()) {
            out.add(UserData.tag(userData), result, flags);
        }
    }

    private static void checkTag(long tag) {
        if (tag < 0 || tag > TAG_MAX) {
            throw new IllegalArgumentException("tag must be 0 to " + TAG_MAX + ", but is " + tag);
        }
    }
}
