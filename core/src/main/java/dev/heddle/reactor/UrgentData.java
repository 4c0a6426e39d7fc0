package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;

/// Whether there really is urgent data, which a poll request of io_uring does not tell.
///
/// A socket wakes its waiters with the same key for urgent and for ordinary data, and io_uring
/// hands on the key without looking at the socket. So ask `poll(2)`, for the few descriptors that
/// want to know.
///
/// **Thread:** loop.
final class UrgentData {
    private final Sys sys;
    private final CallState state;
    private final MemorySegment pollfd;

    /// @param scratch [Poll#POLLFD_SIZE] bytes
    UrgentData(Sys sys, CallState state, MemorySegment scratch) {
        this.sys = sys;
        this.state = state;
        pollfd = scratch;
    }

    /// {@return `events` with the truth about `POLLPRI`}
    int verify(int fd, int events) {
        if ((events & Poll.POLLPRI) == 0) {
            return events;
        }
        Poll.set(pollfd, 0, fd, Poll.POLLPRI);
        // A failure leaves `revents` as it was: nothing.
        sys.poll(state, pollfd, 1, 0);
        return (events & ~Poll.POLLPRI) | (Poll.revents(pollfd, 0) & Poll.POLLPRI);
    }
}
