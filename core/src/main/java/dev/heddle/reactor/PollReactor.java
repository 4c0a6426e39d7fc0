package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Timespec;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// `poll(2)`: on every Unix, and the last resort, because each wait hands all descriptors over.
///
/// `poll(2)` reports levels. Edges are made by latching: a direction that was reported is not asked
/// for again before [#consumed] or [#modify]. A hang-up cannot be left out of the question, so
/// after it was reported the whole descriptor rests until then.
///
/// Weak spot: a descriptor that is closed without being unregistered is noticed only by the next
/// wait (`POLLNVAL`, reported once as a hang-up), and not at all if its number has a new owner.
///
/// **Thread:** loop, except [#wake].
public final class PollReactor implements Reactor {
    // Places in `block`.
    private static final long TIMESPEC = 0;
    private static final long PAIR = 16;
    private static final long WAKE_BYTE = 24;
    private static final long DRAINED = 32;
    private static final long DRAINED_SIZE = 64;
    private static final long STAT = DRAINED + DRAINED_SIZE;

    private static final int GONE = Poll.POLLERR | Poll.POLLHUP | Poll.POLLNVAL;

    private final Sys sys;
    private final CallState state = new CallState();
    private final MemorySegment block = Memory.allocate(STAT + Stat.SIZE);
    private final MemorySegment timespec = block.asSlice(TIMESPEC, Timespec.LAYOUT.byteSize());
    private final MemorySegment wakeByte = block.asSlice(WAKE_BYTE, 1);
    private final MemorySegment drained = block.asSlice(DRAINED, DRAINED_SIZE);
    private final MemorySegment stat = block.asSlice(STAT);
    private final FdTable table = new FdTable();
    private final PollSet set = new PollSet();
    // Where the next scan begins, so that a small buffer does not favour the low slots.
    private int cursor = PollSet.WAKE + 1;
    private int wakeSource = -1;
    private boolean nanosecondTimeouts = true;
    private boolean closed;

    // Written by the loop, read by every thread that rings.
    private final Bell bell = new Bell(this::writeWake);
    private final CallState wakeState = new CallState();
    private volatile int wakeSink = -1;

    public PollReactor(Sys sys) {
        this.sys = sys;
    }

    /// {@return why this kernel refuses, or nothing if it does not}
    static Optional<String> refusal(Sys sys) {
        try (var state = new CallState()) {
            int result = sys.poll(state, MemorySegment.NULL, 0, 0);
            // Interrupted is not refused: that passes, the choice of a backend does not.
            return result >= 0 || result == -Errno.EINTR
                    ? Optional.empty()
                    : Optional.of("poll: " + Errno.describe(-result));
        }
    }

    @Override
    public Backend backend() {
        return Backend.POLL;
    }

    @Override
    public void register(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        if (fd == wakeSource || fd == wakeSink) {
            // The caller's descriptor is closed, and its number has become ours.
            throw new ErrnoException("register(fd " + fd + ")", Errno.EBADF);
        }
        FdTable.checkPollable(sys, state, stat, fd);
        table.checkAbsent("register", fd);
        set.add(fd);
        table.put(fd, token, interest);
        arm(fd);
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        table.checkPresent("modify", fd);
        table.put(fd, token, interest);
        set.latch(set.slot(fd), 0);
        arm(fd);
    }

    @Override
    public void unregister(int fd) throws ErrnoException {
        ensureOpen();
        table.checkPresent("unregister", fd);
        table.remove(fd);
        set.remove(fd);
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
        if (table.has(fd)) {
            int slot = set.slot(fd);
            // The hang-up too: an error of a datagram socket passes, and the next one is news.
            set.latch(slot, set.latch(slot) & ~(directions | Interest.HUP));
            arm(fd);
        }
    }

    @Override
    public int poll(ReadyEvents out, long timeoutNanos) throws ErrnoException {
        ensureOpen();
        out.clear();
        if (timeoutNanos != 0) {
            openWake();
        } else if (wakeSink < 0 && bell.isPending()) {
            bell.answer();
        }
        int found = waitFor(timeoutNanos);
        if (found < 0) {
            if (found == -Errno.EINTR) {
                return 0;
            }
            throw new ErrnoException("poll(" + set.count() + " descriptors)", -found);
        }
        if (found > 0 && set.revents(PollSet.WAKE) != 0) {
            drainWake();
            found--;
        }
        scan(out, found);
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

    @Override
    public int fd() {
        ensureOpen();
        return -1;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        bell.close();
        closeFd(wakeSink);
        closeFd(wakeSource);
        set.free();
        Memory.free(block);
        wakeState.close();
        state.close();
    }

    // Asks the kernel for what is wanted and was not reported since it was last consumed.
    private void arm(int fd) {
        int slot = set.slot(fd);
        int latch = set.latch(slot);
        int interest = table.interest(fd);
        if ((interest & Interest.DIRECTIONS) == 0 || (latch & Interest.HUP) != 0) {
            set.rest(slot, fd);
        } else {
            set.watch(slot, fd, mask(interest & ~latch));
        }
    }

    private int waitFor(long timeoutNanos) {
        if (timeoutNanos <= 0) {
            return sys.poll(state, set.array(), set.count(), timeoutNanos == 0 ? 0 : -1);
        }
        if (nanosecondTimeouts) {
            Timespec.set(timespec, timeoutNanos);
            int found = sys.ppoll(state, set.array(), set.count(), timespec);
            // EPERM: a seccomp filter that does not know the call.
            if (found != -Errno.ENOSYS && found != -Errno.EPERM) {
                return found;
            }
            nanosecondTimeouts = false;
        }
        int millis = EpollReactor.millisRoundedUp(timeoutNanos);
        return sys.poll(state, set.array(), set.count(), millis);
    }

    private void scan(ReadyEvents out, int found) {
        int slots = set.count();
        int slot = cursor;
        int left = found;
        for (int seen = 1; seen < slots && left > 0 && !out.isFull(); seen++) {
            if (slot >= slots) {
                slot = PollSet.WAKE + 1;
            }
            int revents = set.revents(slot);
            if (revents != 0) {
                report(out, slot, revents);
                left--;
            }
            slot++;
        }
        cursor = slot;
    }

    private void report(ReadyEvents out, int slot, int revents) {
        int fd = set.fd(slot);
        int bits = ready(revents);
        boolean level = (table.interest(fd) & Interest.LEVEL) != 0;
        // A closed descriptor would end every wait at once, also one watched by level.
        if (!level || (revents & Poll.POLLNVAL) != 0) {
            set.latch(slot, set.latch(slot) | bits);
            arm(fd);
        }
        out.add(table.token(fd), bits);
    }

    private void openWake() throws ErrnoException {
        if (wakeSink >= 0) {
            return;
        }
        var pair = block.asSlice(PAIR, 8);
        int result = sys.pipe2(state, pair, Fd.O_CLOEXEC | Fd.O_NONBLOCK);
        if (result < 0) {
            throw new ErrnoException("pipe", -result);
        }
        wakeSource = pair.getAtIndex(JAVA_INT, 0);
        set.watch(PollSet.WAKE, wakeSource, Poll.POLLIN);
        wakeSink = pair.getAtIndex(JAVA_INT, 1);
        // A ring so early that it found no pipe. Published first: whoever rings later finds it.
        if (bell.isPending()) {
            writeWake();
        }
    }

    // Two threads can be here at once; they share `wakeState`, whose errno nobody reads.
    private void writeWake() {
        int fd = wakeSink;
        long result = fd < 0 ? 0 : -Errno.EINTR;
        while (result == -Errno.EINTR) {
            result = sys.write(wakeState, fd, wakeByte, 1);
        }
    }

    // Empties the pipe, then answers. The other order could swallow the byte of a ring that came in
    // between, and that ring would stay pending for ever.
    private void drainWake() {
        long count;
        do {
            count = sys.read(state, wakeSource, drained, DRAINED_SIZE);
        } while (count == DRAINED_SIZE);
        bell.answer();
    }

    private void closeFd(int fd) {
        if (fd >= 0) {
            // Never retried: the descriptor may be gone even after EINTR.
            sys.close(state, fd);
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this reactor is closed");
        }
    }

    private static int mask(int interest) {
        int mask = (interest & Interest.READ) == 0 ? 0 : Poll.POLLIN;
        mask |= (interest & Interest.WRITE) == 0 ? 0 : Poll.POLLOUT;
        return mask | ((interest & Interest.PRIORITY) == 0 ? 0 : Poll.POLLPRI);
    }

    private static int ready(int revents) {
        int bits = (revents & Poll.POLLIN) == 0 ? 0 : Interest.READ;
        bits |= (revents & Poll.POLLOUT) == 0 ? 0 : Interest.WRITE;
        bits |= (revents & Poll.POLLPRI) == 0 ? 0 : Interest.PRIORITY;
        return (revents & GONE) == 0 ? bits : bits | Interest.HUNG_UP;
    }
}
