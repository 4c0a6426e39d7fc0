package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;

/// Whether a descriptor has readiness at all, for io_uring, which accepts a poll of anything and
/// then says that a file is always ready, again and again.
///
/// **Thread:** loop.
final class Pollable {
    private Pollable() {}

    /// @param stat [Stat#SIZE] bytes of scratch
    /// @throws ErrnoException `EBADF` for a closed descriptor, `EPERM` for one without readiness
    static void check(Sys sys, CallState state, MemorySegment stat, int fd) throws ErrnoException {
        int result = sys.fstat(state, fd, stat);
        if (result < 0) {
            throw new ErrnoException("fstat(fd " + fd + ")", -result);
        }
        int kind = Stat.mode(stat) & Stat.S_IFMT;
        if (kind != Stat.S_IFSOCK && kind != Stat.S_IFIFO) {
            askEpoll(sys, state, stat, fd);
        }
    }

    // The kind does not tell: some devices have readiness and some have not, and a pidfd calls
    // itself a regular file on some kernels. epoll refuses exactly what has none.
    private static void askEpoll(Sys sys, CallState state, MemorySegment event, int fd)
            throws ErrnoException {
        int epfd = sys.epollCreate1(state, Epoll.EPOLL_CLOEXEC);
        if (epfd < 0) {
            throw new ErrnoException("epoll_create1", -epfd);
        }
        Epoll.set(event, 0, 0);
        int result = sys.epollCtl(state, epfd, Epoll.EPOLL_CTL_ADD, fd, event);
        sys.close(state, epfd);
        if (result == -Errno.EPERM) {
            throw new ErrnoException(
                    "register(fd " + fd + ", which has no readiness, like a file)", Errno.EPERM);
        }
        if (result < 0) {
            throw new ErrnoException("register(fd " + fd + ")", -result);
        }
    }
}
