package dev.heddle.test.kernel;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Poll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `eventfd(2)`, without its semaphore mode.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class EventCounter extends OpenFile {
    private static final int READ_AND_WRITE = 2; // O_RDWR
    private static final long SIZE = Long.BYTES;
    private static final long MOST = -2; // unsigned: one less than can be written

    private long count; // unsigned

    EventCounter(Waits waits, int flags, int initial) {
        super(waits, flags);
        count = Integer.toUnsignedLong(initial);
    }

    @Override
    int readiness() {
        int bits = count == 0 ? 0 : Poll.POLLIN;
        return Long.compareUnsigned(count, MOST) < 0 ? bits | Poll.POLLOUT : bits;
    }

    @Override
    int mode() {
        return 0; // an anonymous inode has no kind
    }

    @Override
    int access() {
        return READ_AND_WRITE;
    }

    @Override
    long read(int fd, MemorySegment target, long length) {
        if (length < SIZE) {
            return -Errno.EINVAL;
        }
        if (count == 0) {
            return wouldBlock("read", fd);
        }
        target.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, count);
        count = 0;
        wake(Poll.POLLOUT);
        return SIZE;
    }

    @Override
    long write(int fd, MemorySegment source, long length) {
        if (length != SIZE) {
            return -Errno.EINVAL;
        }
        long more = source.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        if (more == -1) {
            return -Errno.EINVAL;
        }
        if (Long.compareUnsigned(more, MOST - count) > 0) {
            return wouldBlock("write", fd);
        }
        count += more;
        wake(Poll.POLLIN);
        return SIZE;
    }

    @Override
    public String toString() {
        return "eventfd, count " + Long.toUnsignedString(count);
    }
}
