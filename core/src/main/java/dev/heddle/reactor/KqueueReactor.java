package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Kqueue;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Timespec;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// `kqueue(2)` of macOS and the BSDs, edge-triggered (`EV_CLEAR`).
///
/// **Batching.** Registrations of sockets and pipes wait for the next [#poll], which carries them
/// to the kernel in its one call. Their arguments are checked at once, with the table and
/// `fstat(2)`; what the kernel refuses all the same (a pipe that nobody reads, a descriptor closed
/// meanwhile) is reported by that poll as a hang-up, so that the owner looks and finds the reason.
/// Other kinds (terminals, devices) are submitted by the call itself, because only the kernel knows
/// whether it can watch them. Leaving is always at once: the owner may close the descriptor next.
///
/// **Tokens** travel in `udata`. The kernel drops a closed descriptor's filters by itself, and an
/// event carries the token that its filter was added with.
///
/// **Events.** The kernel has one filter, and one event, per direction; those of one descriptor are
/// merged. `EV_EOF` is a hang-up also when the peer has closed one direction only: `HUP` means
/// "look", not "dead".
///
/// **Priority** needs `EVFILT_EXCEPT`, which only macOS has. Elsewhere it is refused with `EINVAL`
/// instead of being accepted and never reported.
///
/// **Weak spot:** the number of a descriptor that was closed without being unregistered stays taken
/// (`EEXIST`) until it is unregistered.
///
/// **Thread:** loop, except [#wake].
public final class KqueueReactor implements Reactor {
    private static final int EVENTS_MAX = 256;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    // Places in `block`, the loop's piece of native memory.
    private static final long TIMESPEC = 0;
    private static final long STAT = 16;
    private static final long CHANGES = STAT + Stat.SIZE;
    private static final long LIST_SIZE = EVENTS_MAX * Kqueue.KEVENT_SIZE;
    private static final long EVENTS = CHANGES + LIST_SIZE;

    private final Sys sys;
    private final boolean urgent;
    private final CallState state = new CallState();
    private final MemorySegment block = Memory.allocate(EVENTS + LIST_SIZE);
    private final MemorySegment timespec = block.asSlice(TIMESPEC, 16);
    private final MemorySegment stat = block.asSlice(STAT, Stat.SIZE);
    private final MemorySegment changes = block.asSlice(CHANGES, LIST_SIZE);
    private final MemorySegment events = block.asSlice(EVENTS, LIST_SIZE);
    private final FdTable table = new FdTable();
    private final KqueueFilters filters = new KqueueFilters(table, changes);
    private final KqueueEvents decoder = new KqueueEvents(filters, events);
    private boolean embedded;
    private boolean closed;

    // Written by the loop, read by every thread that rings. `trigger` is a block of its own that is
    // never written again, so that ringing threads share nothing with the loop's change list.
    private final Bell bell = new Bell(this::trigger);
    private final CallState wakeState = new CallState();
    private final MemorySegment trigger = Memory.allocate(Kqueue.KEVENT_SIZE);
    private volatile int kq = -1;

    public KqueueReactor(Sys sys) {
        this(sys, Kqueue.hasExcept());
    }

    KqueueReactor(Sys sys, boolean urgent) {
        this.sys = sys;
        this.urgent = urgent;
        // Neither EV_ADD nor EV_CLEAR: on FreeBSD the latter would take the trigger back.
        Kqueue.set(trigger, 0, 0, Kqueue.EVFILT_USER, 0, Kqueue.NOTE_TRIGGER, 0, RESERVED_TOKEN);
    }

    /// {@return why this system refuses, or nothing if it does not}
    static Optional<String> refusal(Sys sys) {
        try (var state = new CallState()) {
            int fd = sys.kqueue(state);
            if (fd >= 0) {
                sys.close(state, fd);
                return Optional.empty();
            }
            // Out of descriptors is not a refusal: that passes, the choice of a backend does not.
            if (fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
                return Optional.empty();
            }
            Optional<String> missing = Kqueue.missing();
            return fd == -Errno.ENOSYS && missing.isPresent()
                    ? missing
                    : Optional.of("kqueue: " + Errno.describe(-fd));
        }
    }

    @Override
    public Backend backend() {
        return Backend.KQUEUE;
    }

    @Override
    public void register(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        table.checkAbsent("register", fd);
        boolean atOnce = check(fd, interest);
        table.put(fd, token, interest);
        if (!atOnce) {
            filters.fallBehind(fd);
            return;
        }
        int errno = bringInLine(fd);
        if (errno != 0) {
            table.remove(fd);
            // Takes out the filters that were accepted. It cannot fail for another reason than the
            // first call did, and that one is told.
            bringInLine(fd);
            throw new ErrnoException("kevent(ADD, fd " + fd + ")", errno);
        }
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        table.checkPresent("modify", fd);
        boolean atOnce = check(fd, interest);
        long oldToken = table.token(fd);
        int oldInterest = table.interest(fd);
        table.put(fd, token, interest);
        if (!atOnce) {
            filters.fallBehind(fd);
            return;
        }
        int errno = bringInLine(fd);
        if (errno != 0) {
            table.put(fd, oldToken, oldInterest);
            filters.fallBehind(fd);
            throw new ErrnoException("kevent(ADD, fd " + fd + ")", errno);
        }
    }

    @Override
    public void unregister(int fd) throws ErrnoException {
        ensureOpen();
        table.checkPresent("unregister", fd);
        table.remove(fd);
        int errno = bringInLine(fd);
        // EBADF: closed before it was unregistered, and the kernel has dropped it by itself.
        if (errno != 0 && errno != Errno.EBADF) {
            throw new ErrnoException("kevent(DELETE, fd " + fd + ")", errno);
        }
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
    }

    @Override
    public int poll(ReadyEvents out, long timeoutNanos) throws ErrnoException {
        ensureOpen();
        out.clear();
        open();
        int max = Math.min(out.capacity(), EVENTS_MAX);
        int count = filters.encode(max, max, 0);
        while (!filters.encodedAll()) {
            // A refused change needs a place in the event list, or the kernel stops half way
            // without telling where. So more changes than places go before the wait, with
            // receipts. Every round takes a descriptor off the list, which bounds the rounds.
            count = filters.encode(EVENTS_MAX, max, Kqueue.EV_RECEIPT);
            take(sys.kevent(state, kq, changes, count, events, count, timeout(0)), out);
            if (out.count() > 0) {
                return out.count();
            }
            count = filters.encode(max, max, 0);
        }
        take(sys.kevent(state, kq, changes, count, events, max, timeout(timeoutNanos)), out);
        return out.count();
    }

    @Override
    public void wake() {
        bell.ring();
    }

    @Override
    public int registered() {
        ensureOpen();
        return table.count();
    }

    /// From now on changes are submitted by the call that makes them: whoever waits for this
    /// descriptor would never hear of a change that waits for a poll.
    @Override
    public int fd() throws ErrnoException {
        ensureOpen();
        open();
        embedded = true;
        for (int i = 0; i < filters.behindCount(); i++) {
            if (bringInLine(filters.behindAt(i)) != 0) {
                // Still behind: the poll that this asks for is refused too, and reports it.
                wake();
            }
        }
        return kq;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        bell.close();
        if (kq >= 0) {
            sys.close(state, kq);
        }
        Memory.free(block);
        Memory.free(trigger);
        wakeState.close();
        state.close();
    }

    // Whether only the kernel can tell if it will watch this descriptor, so that it is asked at
    // once.
    private boolean check(int fd, int interest) throws ErrnoException {
        if ((interest & Interest.PRIORITY) != 0 && !urgent) {
            String why = "PRIORITY: this kqueue has no filter for urgent data";
            throw new ErrnoException("register(fd " + fd + ", " + why + ")", Errno.EINVAL);
        }
        FdTable.checkPollable(sys, state, stat, fd);
        if (fd == kq) {
            // The caller's descriptor is closed, and its number has become ours.
            throw new ErrnoException("register(fd " + fd + ")", Errno.EBADF);
        }
        int kind = Stat.mode(stat) & Stat.S_IFMT;
        boolean atOnce = embedded || (kind != Stat.S_IFSOCK && kind != Stat.S_IFIFO);
        if (atOnce) {
            open();
        }
        return atOnce;
    }

    // Submits the changes of one descriptor, and nothing else; 0 or the first errno. EV_RECEIPT: an
    // answer for each change, and no event is taken from the queue.
    private int bringInLine(int fd) {
        int count = filters.encodeOne(fd, Kqueue.EV_RECEIPT);
        if (count == 0) {
            return 0;
        }
        int found;
        do {
            // Never waits, so that an interrupt is rare and the next try meets no other.
            found = sys.kevent(state, kq, changes, count, events, count, timeout(0));
        } while (found == -Errno.EINTR);
        if (found < 0) {
            filters.unsure(fd);
            return -found;
        }
        filters.appliedOne(fd);
        int first = 0;
        for (int i = 0; i < found; i++) {
            int errno = (int) Kqueue.data(events, i);
            // ENOENT: a delete of what the kernel had dropped by itself.
            if (errno != 0 && errno != Errno.ENOENT) {
                filters.refused(fd, Kqueue.filter(events, i));
                first = first == 0 ? errno : first;
            }
        }
        return first;
    }

    private void take(int found, ReadyEvents out) throws ErrnoException {
        if (found < 0) {
            // EINTR comes after the changes (kqueue(2), ERRORS), other errors may come between
            // them.
            filters.unsure();
            if (found != -Errno.EINTR) {
                throw new ErrnoException("kevent", -found);
            }
            return;
        }
        filters.applied();
        if (decoder.decode(found, out)) {
            bell.answer();
        }
    }

    private MemorySegment timeout(long nanos) {
        if (nanos < 0 || nanos / NANOS_PER_SECOND >= Kqueue.TIMEOUT_SECONDS_MAX) {
            return MemorySegment.NULL;
        }
        Timespec.set(timespec, roundedUp(nanos, Kqueue.TIMEOUT_GRAIN_NANOS));
        return timespec;
    }

    static long roundedUp(long nanos, long grain) {
        return (nanos + grain - 1) / grain * grain;
    }

    private void open() throws ErrnoException {
        if (kq >= 0) {
            return;
        }
        int fd = sys.kqueue(state);
        if (fd < 0) {
            throw new ErrnoException("kqueue", -fd);
        }
        // The BSDs never hand a kqueue to a child; libkqueue's descriptor is an ordinary one.
        int result = sys.fcntl(state, fd, Fd.F_SETFD, Fd.FD_CLOEXEC);
        if (result >= 0) {
            int flags = Kqueue.EV_ADD | Kqueue.EV_CLEAR;
            Kqueue.set(changes, 0, 0, Kqueue.EVFILT_USER, flags, 0, 0, RESERVED_TOKEN);
            result = sys.kevent(state, fd, changes, 1, MemorySegment.NULL, 0, timeout(0));
        }
        if (result < 0) {
            sys.close(state, fd);
            throw new ErrnoException("kevent(ADD, wake)", -result);
        }
        kq = fd;
        // Published first: a ring that came too early to find it is seen here, a later one finds
        // it.
        if (bell.isPending()) {
            trigger();
        }
    }

    // Two threads can be here at once; they share `wakeState`, whose errno nobody reads. Without
    // room for events the call cannot block.
    private void trigger() {
        int fd = kq;
        if (fd >= 0) {
            sys.kevent(wakeState, fd, trigger, 1, MemorySegment.NULL, 0, MemorySegment.NULL);
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this reactor is closed");
        }
    }
}
