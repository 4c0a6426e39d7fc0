package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Cqe;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;

/// Wakes a ring's thread: an eventfd with a multishot poll on it.
///
/// The eventfd is never read: every write is a new edge, so a wake costs two system calls instead
/// of three. Its counter cannot overflow in the life of a machine.
///
/// **Thread:** any rings; the rest is the loop's.
final class UringWake {
    private final Sys sys;

    // Any thread that rings. Two can be in `write` at once; they share `state`, whose errno nobody
    // reads.
    private final Bell bell = new Bell(this::write);
    private final CallState state = new CallState();
    private final MemorySegment one = Memory.allocate(8);

    // Written by the loop, read by every thread that rings.
    private volatile int fd = -1;
    private volatile int noticeFd = -1;

    // Loop only.
    private boolean armed;

    UringWake(Sys sys) {
        this.sys = sys;
        one.set(JAVA_LONG, 0, 1);
    }

    void ring() {
        bell.ring();
    }

    /// Before a poll: a wait needs the eventfd, a look does not, but must not miss a ring.
    void prepare(CallState loopState, long timeoutNanos) throws ErrnoException {
        if (timeoutNanos != 0) {
            open(loopState);
        } else if (fd < 0 && bell.isPending()) {
            bell.answer();
        }
    }

    void open(CallState loopState) throws ErrnoException {
        if (fd >= 0) {
            return;
        }
        int made = sys.eventfd(loopState, 0, Fd.EFD_CLOEXEC | Fd.EFD_NONBLOCK);
        if (made < 0) {
            throw new ErrnoException("eventfd", -made);
        }
        fd = made;
        // A ring so early that it found no descriptor. Published first: whoever rings later finds
        // it.
        if (bell.isPending()) {
            write();
        }
    }

    int fd() {
        return fd;
    }

    /// A wake-up is to be written to this eventfd too, by which another loop learns of it. The
    /// kernel would tell it, but milliseconds later: from one eventfd to the next it takes a
    /// detour.
    void alsoTell(int fd) {
        noticeFd = fd;
    }

    /// The ring with the poll request is gone: the next one needs another.
    void restart() {
        armed = false;
    }

    /// {@return 1 if its poll request is in the kernel, else 0}
    int inFlight() {
        return armed ? 1 : 0;
    }

    void arm(UringQueues queues) {
        if (fd >= 0 && !armed && queues.makeRoom() == 0) {
            var entry = queues.take(UserData.OF_WAKE);
            Sqe.pollAdd(entry, fd, Epoll.EPOLLIN, Sqe.IORING_POLL_ADD_MULTI);
            armed = true;
        }
    }

    /// Takes a completion of the poll request. The loop calls this before it looks at what the ring
    /// was about.
    void complete(int flags) {
        bell.answer();
        armed = (flags & Cqe.IORING_CQE_F_MORE) != 0;
    }

    /// From now on nobody is in a write, or will be. The memory stays until [#free].
    void close() {
        bell.close();
    }

    void free(CallState loopState) {
        if (fd >= 0) {
            sys.close(loopState, fd);
        }
        Memory.free(one);
        state.close();
    }

    private void write() {
        write(fd);
        write(noticeFd);
    }

    private void write(int target) {
        long result = target < 0 ? 0 : -Errno.EINTR;
        while (result == -Errno.EINTR) {
            result = sys.write(state, target, one, 8);
        }
    }
}
