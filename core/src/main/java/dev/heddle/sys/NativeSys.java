package dev.heddle.sys;

import java.lang.foreign.MemorySegment;

/// The real kernel: every method hands on to the binding of the same name.
///
/// What makes a kernel object of Linux answers `-ENOSYS` elsewhere: a backend is chosen by trying,
/// its symbols are not there to be bound, and its system call numbers mean something else.
///
/// **Thread:** any.
final class NativeSys implements Sys {
    @Override
    public int close(CallState state, int fd) {
        return Fd.close(state, fd);
    }

    @Override
    public long read(CallState state, int fd, MemorySegment buffer, long length) {
        return Fd.read(state, fd, buffer, length);
    }

    @Override
    public long write(CallState state, int fd, MemorySegment buffer, long length) {
        return Fd.write(state, fd, buffer, length);
    }

    @Override
    public int pipe2(CallState state, MemorySegment pair, int flags) {
        return Fd.pipe2(state, pair, flags);
    }

    @Override
    public int fcntl(CallState state, int fd, int command, int argument) {
        return Fd.fcntl(state, fd, command, argument);
    }

    @Override
    public int fstat(CallState state, int fd, MemorySegment stat) {
        return Stat.fstat(state, fd, stat);
    }

    @Override
    public int getrlimit(CallState state, int resource, MemorySegment rlimit) {
        return Limits.getrlimit(state, resource, rlimit);
    }

    @Override
    public int eventfd(CallState state, int initial, int flags) {
        return Platform.isLinux() ? Fd.eventfd(state, initial, flags) : -Errno.ENOSYS;
    }

    @Override
    public int epollCreate1(CallState state, int flags) {
        return Platform.isLinux() ? Epoll.create1(state, flags) : -Errno.ENOSYS;
    }

    @Override
    public int epollCtl(CallState state, int epfd, int op, int fd, MemorySegment event) {
        return Epoll.ctl(state, epfd, op, fd, event);
    }

    @Override
    public int epollWait(
            CallState state, int epfd, MemorySegment events, int max, int timeoutMillis) {
        return Epoll.wait(state, epfd, events, max, timeoutMillis);
    }

    @Override
    public int epollPwait2(
            CallState state, int epfd, MemorySegment events, int max, MemorySegment timespec) {
        return Epoll.pwait2(state, epfd, events, max, timespec);
    }

    @Override
    public int poll(CallState state, MemorySegment fds, long count, int timeoutMillis) {
        return Poll.poll(state, fds, count, timeoutMillis);
    }

    @Override
    public int ppoll(CallState state, MemorySegment fds, long count, MemorySegment timespec) {
        return Poll.ppoll(state, fds, count, timespec);
    }

    @Override
    public int kqueue(CallState state) {
        return Kqueue.kqueue(state);
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
        return Kqueue.kevent(state, kq, changes, changeCount, events, eventCount, timespec);
    }

    @Override
    public int ioUringSetup(CallState state, int entries, MemorySegment params) {
        return Platform.isLinux() ? Uring.setup(state, entries, params) : -Errno.ENOSYS;
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
        return Uring.enter(state, ring, toSubmit, minComplete, flags, argument, argumentSize);
    }

    @Override
    public int ioUringRegister(
            CallState state, int ring, int op, MemorySegment argument, int count) {
        return Uring.register(state, ring, op, argument, count);
    }

    @Override
    public long mmap(CallState state, long length, int protection, int flags, int fd, long offset) {
        return Mmap.mmap(state, length, protection, flags, fd, offset);
    }

    @Override
    public int munmap(CallState state, long address, long length) {
        return Mmap.munmap(state, address, length);
    }
}
