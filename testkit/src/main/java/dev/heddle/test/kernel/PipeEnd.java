package dev.heddle.test.kernel;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Stat;

import java.lang.foreign.MemorySegment;

/// One end of a pipe: `pipe(7)`.
///
/// Who is woken when is taken from Linux: every write wakes the reader once somebody has waited for
/// it, also one that finds no room; a read wakes the writer only if a full pipe got a free slot.
///
/// With chance in the game a transfer may stop short, as if the rest of the bytes, or of the room,
/// had come a moment later: and so that is an edge of its own. Code that takes a short read for the
/// last one (epoll(7) allows it) is not hurt. A write of up to `PIPE_BUF` bytes is never cut.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class PipeEnd extends OpenFile {
    private static final int WRITE_ONLY = 1; // O_WRONLY

    private final int pipe;
    private final boolean reads;
    private final PipeBuffer buffer;
    private final Chance chance;
    private PipeEnd other = this;
    private boolean open = true;

    /// Somebody has looked at this end's readiness since it was made.
    private boolean polled;

    private PipeEnd(
            Waits waits, int flags, int pipe, boolean reads, PipeBuffer buffer, Chance chance) {
        super(waits, flags);
        this.pipe = pipe;
        this.reads = reads;
        this.buffer = buffer;
        this.chance = chance;
    }

    /// {@return the end to read; [#other] is the end to write}
    ///
    /// @param number to tell pipes apart in messages
    static PipeEnd pair(Waits waits, int flags, int number, int capacity, Chance chance) {
        var buffer = new PipeBuffer(capacity);
        var reader = new PipeEnd(waits, flags, number, true, buffer, chance);
        var writer = new PipeEnd(waits, flags, number, false, buffer, chance);
        reader.other = writer;
        writer.other = reader;
        return reader;
    }

    PipeEnd other() {
        return other;
    }

    @Override
    int readiness() {
        polled = true;
        if (reads) {
            int bits = buffer.isEmpty() ? 0 : Poll.POLLIN;
            return other.open ? bits : bits | Poll.POLLHUP;
        }
        int bits = buffer.isFull() ? 0 : Poll.POLLOUT;
        return other.open ? bits : bits | Poll.POLLERR;
    }

    @Override
    int mode() {
        return Stat.S_IFIFO;
    }

    @Override
    int access() {
        return reads ? 0 : WRITE_ONLY;
    }

    @Override
    long read(int fd, MemorySegment target, long length) {
        if (!reads) {
            return -Errno.EBADF;
        }
        int most = (int) Math.min(buffer.available(), length);
        if (most == 0) {
            return length == 0 || !other.open ? 0 : wouldBlock("read", fd);
        }
        boolean wasFull = buffer.isFull();
        int count = chance.portion(most);
        buffer.take(target, count);
        if (wasFull && !buffer.isFull()) {
            other.wake(Poll.POLLOUT);
        }
        if (count < most) {
            wake(Poll.POLLIN);
        }
        return count;
    }

    @Override
    long write(int fd, MemorySegment source, long length) {
        if (reads) {
            return -Errno.EBADF;
        }
        if (length == 0) {
            return 0;
        }
        if (!other.open) {
            return -Errno.EPIPE;
        }
        boolean news = buffer.isEmpty() || polled || other.polled; // "poll_usage"
        int most = (int) buffer.room(length);
        int count = length <= buffer.atomic() ? most : chance.portion(most);
        buffer.put(source, length, count);
        if (news) {
            other.wake(Poll.POLLIN);
        }
        if (count == 0) {
            return wouldBlock("write", fd);
        }
        if (count < most) {
            wake(Poll.POLLOUT);
        }
        return count;
    }

    @Override
    void release() {
        open = false;
        if (other.open) {
            other.wake(EVERYTHING);
        }
    }

    @Override
    public String toString() {
        return "pipe " + pipe + (reads ? ", read end" : ", write end");
    }
}
