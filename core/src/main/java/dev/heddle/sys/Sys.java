package dev.heddle.sys;

import java.lang.foreign.MemorySegment;

/// The kernel, as everything above sees it: one method per system call, each `>= 0` or `-errno`.
///
/// The seam for tests: [#NATIVE] goes straight to the bindings, a wrapper may count calls, refuse
/// them or answer them itself. A caller is given a `Sys` and never names the bindings' methods;
/// their constants and struct accessors it may use.
///
/// **Thread:** any, each with its own [CallState].
public interface Sys {
    /// The real kernel.
    Sys NATIVE = new NativeSys();

    int close(CallState state, int fd);

    long read(CallState state, int fd, MemorySegment buffer, long length);

    long write(CallState state, int fd, MemorySegment buffer, long length);

    int pipe2(CallState state, MemorySegment pair, int flags);

    int fcntl(CallState state, int fd, int command, int argument);

    int fstat(CallState state, int fd, MemorySegment stat);

    int getrlimit(CallState state, int resource, MemorySegment rlimit);

    int eventfd(CallState state, int initial, int flags);

    int epollCreate1(CallState state, int flags);

    int epollCtl(CallState state, int epfd, int op, int fd, MemorySegment event);

    int epollWait(CallState state, int epfd, MemorySegment events, int max, int timeoutMillis);

    int epollPwait2(
            CallState state, int epfd, MemorySegment events, int max, MemorySegment timespec);

    int poll(CallState state, MemorySegment fds, long count, int timeoutMillis);

    int ppoll(CallState state, MemorySegment fds, long count, MemorySegment timespec);

    int kqueue(CallState state);

    int kevent(
            CallState state,
            int kq,
            MemorySegment changes,
            int changeCount,
            MemorySegment events,
            int eventCount,
            MemorySegment timespec);

    int ioUringSetup(CallState state, int entries, MemorySegment params);

    int ioUringEnter(
            CallState state,
            int ring,
            int toSubmit,
            int minComplete,
            int flags,
            MemorySegment argument,
            long argumentSize);

    int ioUringRegister(CallState state, int ring, int op, MemorySegment argument, int count);

    long mmap(CallState state, long length, int protection, int flags, int fd, long offset);

    int munmap(CallState state, long address, long length);
}
