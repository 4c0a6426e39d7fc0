package dev.heddle.test.kernel;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;

/// The calls that [SimKernel] does not have: `-ENOSYS`, as from an older kernel.
///
/// **Thread:** any.
abstract sealed class MissingCalls implements Sys permits SimCalls {
    MissingCalls() {}

    @Override
    public int kqueue(CallState state) {
        return -Errno.ENOSYS;
    }

    @Override
    public int kevent(
            CallState state,
            int kq,
            MemorySegment changes,
            int changeCount,
            MemorySegment events,
            int eventCount,
            MemorySegment timespec) {
        return -Errno.ENOSYS;
    }

    @Override
    public int ioUringSetup(CallState state, int entries, MemorySegment params) {
        return -Errno.ENOSYS;
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
        return -Errno.ENOSYS;
    }

    @Override
    public int ioUringRegister(
            CallState state, int ring, int op, MemorySegment argument, int count) {
        return -Errno.ENOSYS;
    }

    @Override
    public long mmap(CallState state, long length, int protection, int flags, int fd, long offset) {
        return -Errno.ENOSYS;
    }

    @Override
    public int munmap(CallState state, long address, long length) {
        return -Errno.ENOSYS;
    }
}
