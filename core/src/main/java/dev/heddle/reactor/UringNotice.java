package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Uring;

import java.lang.foreign.MemorySegment;

/// Tells another loop that a ring has something to reap: an eventfd that the kernel writes to.
///
/// Not the ring's own descriptor: with `DEFER_TASKRUN` that is readable only in the eyes of
/// somebody who looks; whoever sleeps on it is not woken. Made only when asked for, as it makes
/// every completion dearer.
///
/// **Thread:** loop.
final class UringNotice {
    private final Sys sys;
    private final CallState state;
    private final MemorySegment scratch;
    private int fd = -1;

    /// @param scratch 8 bytes
    UringNotice(Sys sys, CallState state, MemorySegment scratch) {
        this.sys = sys;
        this.state = state;
        this.scratch = scratch;
    }

    boolean isOpen() {
        return fd >= 0;
    }

    int fd() {
        return fd;
    }

    int open(UringQueues queues) throws ErrnoException {
        if (fd < 0) {
            int made = sys.eventfd(state, 0, Fd.EFD_CLOEXEC | Fd.EFD_NONBLOCK);
            if (made < 0) {
                throw new ErrnoException("eventfd", -made);
            }
            try {
                attach(queues, made);
            } catch (ErrnoException refused) {
                sys.close(state, made);
                throw refused;
            }
            fd = made;
        }
        return fd;
    }

    /// Another ring is to give notice from now on.
    void move(UringQueues queues) throws ErrnoException {
        if (fd >= 0) {
            attach(queues, fd);
        }
    }

    /// Before the kernel is entered: what comes later is told again. (After it, a notice of work
    /// that the kernel has put off to the next entry would be lost.)
    void clear() {
        if (fd >= 0) {
            sys.read(state, fd, scratch, 8);
        }
    }

    /// For what the kernel told of already, and was left in the queue.
    void raise() {
        if (fd >= 0) {
            scratch.set(JAVA_LONG, 0, 1);
            sys.write(state, fd, scratch, 8);
        }
    }

    void close() {
        if (fd >= 0) {
            sys.close(state, fd);
        }
    }

    private void attach(UringQueues queues, int target) throws ErrnoException {
        scratch.set(JAVA_INT, 0, target);
        int op = Uring.IORING_REGISTER_EVENTFD;
        int result = sys.ioUringRegister(state, queues.fd(), op, scratch, 1);
        if (result < 0) {
            throw new ErrnoException("io_uring_register(EVENTFD)", -result);
        }
    }
}
