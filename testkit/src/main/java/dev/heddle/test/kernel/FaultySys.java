package dev.heddle.test.kernel;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A kernel that fails on demand: always, or only the nth time.
///
/// **Thread:** owner (the test).
public final class FaultySys extends DelegatingSys {
    /// The calls that wait.
    public static final Set<String> WAITS =
            Set.of("epoll_wait", "epoll_pwait2", "poll", "ppoll", "kevent", "io_uring_enter");

    /// The calls that make a new descriptor.
    public static final Set<String> MAKERS =
            Set.of("epoll_create1", "eventfd", "pipe2", "kqueue", "io_uring_setup");

    private final Sys next;
    private Set<String> targets = Set.of();
    private int errno;
    private int spared;
    private boolean once;
    private int faults;

    public FaultySys() {
        this(Sys.NATIVE);
    }

    public FaultySys(Sys next) {
        super(next);
        this.next = next;
    }

    /// From now on all these calls fail.
    public FaultySys failAll(int errno, Set<String> calls) {
        return plan(errno, calls, 1, false);
    }

    public FaultySys failAll(int errno, String... calls) {
        return failAll(errno, Set.of(calls));
    }

    /// The `nth` of these calls from now on fails, 1 being the next one; no other.
    public FaultySys failOnce(int nth, int errno, Set<String> calls) {
        return plan(errno, calls, nth, true);
    }

    /// Nothing fails any more.
    public void heal() {
        targets = Set.of();
    }

    /// {@return how many calls failed on demand, since the last plan was made}
    public int faults() {
        return faults;
    }

    @Override
    protected int before(String call, int fd) {
        if (!targets.contains(call) || (once && faults > 0)) {
            return 0;
        }
        if (spared > 0) {
            spared--;
            return 0;
        }
        faults++;
        return -errno;
    }

    /// An interrupted `kevent` has applied its changes: kqueue(2), ERRORS.
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
        if (fault == -Errno.EINTR && changeCount > 0) {
            next.kevent(state, kq, changes, changeCount, MemorySegment.NULL, 0, timespec);
        }
        return fault != 0
                ? fault
                : next.kevent(state, kq, changes, changeCount, events, eventCount, timespec);
    }

    private FaultySys plan(int number, Set<String> calls, int nth, boolean single) {
        errno = number;
        targets = calls;
        spared = nth - 1;
        once = single;
        faults = 0;
        return this;
    }
}
