package dev.heddle.test.kernel;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;

/// A kernel in front of another one. Override single calls, or [#before], which sees them all.
///
/// **Thread:** any, as far as the subclass allows it.
public class DelegatingSys implements Sys {
    private final Sys next;

    /// In front of the real kernel.
    public DelegatingSys() {
        this(Sys.NATIVE);
    }

    public DelegatingSys(Sys next) {
        this.next = next;
    }

    /// Comes before every call that goes on to the next kernel.
    ///
    /// @param call the name of the system call, as in the manual
    /// @param fd the descriptor that it is about, -1 if there is none
    /// @return 0 to let the call through, or `-errno` to be its answer
    protected int before(String call, int fd) {
        return 0;
    }

    @Override
    public int close(CallState state, int fd) {
        int fault = before("close", fd);
        return fault == 0 ? next.close(state, fd) : fault;
    }

    @Override
    public long read(CallState state, int fd, MemorySegment buffer, long length) {
        int fault = before("read", fd);
        return fault == 0 ? next.read(state, fd, buffer, length) : fault;
    }

    @Override
    public long write(CallState state, int fd, MemorySegment buffer, long length) {
        int fault = before("write", fd);
        return fault == 0 ? next.write(state, fd, buffer, length) : fault;
    }

    @Override
    public int pipe2(CallState state, MemorySegment pair, int flags) {
        int fault = before("pipe2", -1);
        return fault == 0 ? next.pipe2(state, pair, flags) : fault;
    }

    @Override
    public int fcntl(CallState state, int fd, int command, int argument) {
        int fault = before("fcntl", fd);
        return fault == 0 ? next.fcntl(state, fd, command, argument) : fault;
    }

    @Override
    public int fstat(CallState state, int fd, MemorySegment stat) {
        int fault = before("fstat", fd);
        return fault == 0 ? next.fstat(state, fd, stat) : fault;
    }

    @Override
    public int getrlimit(CallState state, int resource, MemorySegment rlimit) {
        int fault = before("getrlimit", -1);
        return fault == 0 ? next.getrlimit(state, resource, rlimit) : fault;
    }

    @Override
    public int eventfd(CallState state, int initial, int flags) {
        int fault = before("eventfd", -1);
        return fault == 0 ? next.eventfd(state, initial, flags) : fault;
    }

    @Override
    public int epollCreate1(CallState state, int flags) {
        int fault = before("epoll_create1", -1);
        return fault == 0 ? next.epollCreate1(state, flags) : fault;
    }

    @Override
    public int epollCtl(CallState state, int epfd, int op, int fd, MemorySegment event) {
        int fault = before("epoll_ctl", epfd);
        return fault == 0 ? next.epollCtl(state, epfd, op, fd, event) : fault;
    }

    @Override
    public int epollWait(
            CallState state, int epfd, MemorySegment events, int max, int timeoutMillis) {
        int fault = before("epoll_wait", epfd);
        return fault == 0 ? next.epollWait(state, epfd, events, max, timeoutMillis) : fault;
    }

    @Override
    public int epollPwait2(
            CallState state, int epfd, MemorySegment events, int max, MemorySegment timespec) {
        int fault = before("epoll_pwait2", epfd);
        return fault == 0 ? next.epollPwait2(state, epfd, events, max, timespec) : fault;
    }

    @Override
    public int poll(CallState state, MemorySegment fds, long count, int timeoutMillis) {
        int fault = before("poll", -1);
        return fault == 0 ? next.poll(state, fds, count, timeoutMillis) : fault;
    }

    @Override
    public int ppoll(CallState state, MemorySegment fds, long count, MemorySegment timespec) {
        int fault = before("ppoll", -1);
        return fault == 0 ? next.ppoll(state, fds, count, timespec) : fault;
    }

    @Override
    public int kqueue(CallState state) {
        int fault = before("kqueue", -1);
        return fault == 0 ? next.kqueue(state) : fault;
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
        int fault = before("kevent", kq);
        return fault == 0
                ? next.kevent(state, kq, changes, changeCount, events, eventCount, timespec)
                : fault;
    }

    @Override
    public int ioUringSetup(CallState state, int entries, MemorySegment params) {
        int fault = before("io_uring_setup", -1);
        return fault == 0 ? next.ioUringSetup(state, entries, params) : fault;
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
        int fault = before("io_uring_enter", ring);
        return fault == 0
                ? next.ioUringEnter(
                        state, ring, toSubmit, minComplete, flags, argument, argumentSize)
                : fault;
    }

    @Override
    public int ioUringRegister(
            CallState state, int ring, int op, MemorySegment argument, int count) {
        int fault = before("io_uring_register", ring);
        return fault == 0 ? next.ioUringRegister(state, ring, op, argument, count) : fault;
    }

    @Override
    public long mmap(CallState state, long length, int protection, int flags, int fd, long offset) {
        int fault = before("mmap", fd);
        return fault == 0 ? next.mmap(state, length, protection, flags, fd, offset) : fault;
    }

    @Override
    public int munmap(CallState state, long address, long length) {
        int fault = before("munmap", -1);
        return fault == 0 ? next.munmap(state, address, length) : fault;
    }
}
