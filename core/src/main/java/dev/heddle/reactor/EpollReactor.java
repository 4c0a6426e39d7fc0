package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Timespec;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Linux `epoll(7)`, edge-triggered.
///
/// The kernel keeps the token, so an event of a descriptor that was closed without being
/// unregistered carries its old token and cannot reach a new owner of the same number.
///
/// The kernel watches files, not descriptors: what was closed too early it forgets only if there is
/// no other descriptor of the same file, and it cannot be told to, since the number is gone. Then
/// [#renew] makes a new epoll. **Weak spot:** not if [#fd] was handed out, which somebody watches.
///
/// **Thread:** loop, except [#wake].
public final class EpollReactor implements Reactor {
    private static final int EVENTS_MAX = 256;
    private static final long NANOS_PER_MILLI = 1_000_000;

    // Places in `block`, the reactor's one piece of native memory.
    private static final long ONE = 0;
    private static final long TIMESPEC = 8;
    private static final long EVENT = 24;
    private static final long EVENTS = 40;

    private final Sys sys;
    private final CallState state = new CallState();
    private final MemorySegment block = Memory.allocate(EVENTS + EVENTS_MAX * Epoll.EVENT_SIZE);
    private final MemorySegment timespec = block.asSlice(TIMESPEC, 16);
    private final MemorySegment event = block.asSlice(EVENT, Epoll.EVENT_SIZE);
    private final MemorySegment events = block.asSlice(EVENTS);
    private final FdTable table = new FdTable();
    private int epfd = -1;
    private boolean nanosecondTimeouts = true;
    private boolean embedded;
    private boolean closed;

    // Written by the loop, read by every thread that rings.
    private final Bell bell = new Bell(this::writeWake);
    private final CallState wakeState = new CallState();
    private volatile int wakeFd = -1;

    public EpollReactor(Sys sys) {
        this.sys = sys;
        block.set(JAVA_LONG, ONE, 1);
    }

    /// {@return why this kernel refuses, or nothing if it does not}
    static Optional<String> refusal(Sys sys) {
        try (var state = new CallState()) {
            int fd = sys.epollCreate1(state, Epoll.EPOLL_CLOEXEC);
            if (fd >= 0) {
                sys.close(state, fd);
                return Optional.empty();
            }
            // Out of descriptors is not a refusal: that passes, the choice of a backend does not.
            return fd == -Errno.EMFILE || fd == -Errno.ENFILE
                    ? Optional.empty()
                    : Optional.of("epoll_create1: " + Errno.describe(-fd));
        }
    }

    @Override
    public Backend backend() {
        return Backend.EPOLL;
    }

    @Override
    public void register(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        if (table.has(fd) && isParked(table.interest(fd))) {
            throw new ErrnoException("epoll_ctl(ADD, fd " + fd + ")", Errno.EEXIST);
        }
        // Also where the table knows the number: if its file was closed the kernel has forgotten
        // it, and the kernel's word counts.
        add(fd, token, interest);
        table.put(fd, token, interest);
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        table.checkPresent("epoll_ctl(MOD", fd);
        boolean wasParked = isParked(table.interest(fd));
        if (wasParked) {
            add(fd, token, interest);
        } else if (isParked(interest)) {
            control("MOD", Epoll.EPOLL_CTL_DEL, fd, token, 0);
        } else {
            control("MOD", Epoll.EPOLL_CTL_MOD, fd, token, mask(interest));
        }
        table.put(fd, token, interest);
    }

    @Override
    public void unregister(int fd) throws ErrnoException {
        ensureOpen();
        table.checkPresent("epoll_ctl(DEL", fd);
        if (!isParked(table.interest(fd))) {
            Epoll.set(event, 0, 0);
            int result = sys.epollCtl(state, epfd, Epoll.EPOLL_CTL_DEL, fd, event);
            // Closed before it was unregistered: the kernel has dropped it by itself.
            if (result < 0 && result != -Errno.EBADF && result != -Errno.ENOENT) {
                throw new ErrnoException("epoll_ctl(DEL, fd " + fd + ")", -result);
            }
        }
        // Not before: a descriptor that the kernel still watches stays registered.
        table.remove(fd);
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
    }

    @Override
    public int poll(ReadyEvents out, long timeoutNanos) throws ErrnoException {
        ensureOpen();
        out.clear();
        openEpoll();
        if (timeoutNanos != 0) {
            openWake();
        } else if (wakeFd < 0 && bell.isPending()) {
            bell.answer();
        }
        int max = Math.min(out.capacity(), EVENTS_MAX);
        int found = waitFor(max, timeoutNanos);
        if (found < 0) {
            if (found == -Errno.EINTR) {
                return 0;
            }
            throw new ErrnoException("epoll_wait", -found);
        }
        for (int i = 0; i < found; i++) {
            long token = Epoll.data(events, i);
            if (token == RESERVED_TOKEN) {
                bell.answer();
            } else {
                out.add(token, ready(Epoll.events(events, i)));
            }
        }
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
    public int fd() throws ErrnoException {
        ensureOpen();
        openEpoll();
        openWake();
        embedded = true;
        return epfd;
    }

    @Override
    public boolean renew() {
        ensureOpen();
        if (embedded || epfd < 0) {
            return false;
        }
        int fresh = sys.epollCreate1(state, Epoll.EPOLL_CLOEXEC);
        if (fresh < 0) {
            return false;
        }
        if (!watchAllBy(fresh)) {
            closeFd(fresh);
            return false;
        }
        closeFd(epfd);
        epfd = fresh;
        return true;
    }

    private boolean watchAllBy(int fresh) {
        if (wakeFd >= 0 && watchWake(fresh, wakeFd) < 0) {
            return false;
        }
        for (int fd = 0; fd < table.end(); fd++) {
            if (table.has(fd) && !isParked(table.interest(fd)) && !watchBy(fresh, fd)) {
                return false;
            }
        }
        return true;
    }

    private boolean watchBy(int fresh, int fd) {
        Epoll.set(event, mask(table.interest(fd)), table.token(fd));
        // The number may be another file's by now: the old epoll tells, for it knows the file.
        int same = sys.epollCtl(state, epfd, Epoll.EPOLL_CTL_MOD, fd, event);
        if (same == -Errno.EBADF || same == -Errno.ENOENT) {
            return true;
        }
        return same >= 0 && sys.epollCtl(state, fresh, Epoll.EPOLL_CTL_ADD, fd, event) >= 0;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        bell.close();
        closeFd(wakeFd);
        closeFd(epfd);
        Memory.free(block);
        wakeState.close();
        state.close();
    }

    private int waitFor(int max, long timeoutNanos) {
        if (timeoutNanos <= 0) {
            return sys.epollWait(state, epfd, events, max, timeoutNanos == 0 ? 0 : -1);
        }
        if (nanosecondTimeouts) {
            Timespec.set(timespec, timeoutNanos);
            int found = sys.epollPwait2(state, epfd, events, max, timespec);
            // EPERM: a seccomp filter that is older than the call.
            if (found != -Errno.ENOSYS && found != -Errno.EPERM) {
                return found;
            }
            nanosecondTimeouts = false;
        }
        return sys.epollWait(state, epfd, events, max, millisRoundedUp(timeoutNanos));
    }

    // Up, so that a short timeout does not become a busy poll and no timer is early.
    static int millisRoundedUp(long nanos) {
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    private void add(int fd, long token, int interest) throws ErrnoException {
        openEpoll();
        if (fd == epfd || fd == wakeFd) {
            // The caller's descriptor is closed, and its number has become ours.
            throw new ErrnoException("epoll_ctl(ADD, fd " + fd + ")", Errno.EBADF);
        }
        control("ADD", Epoll.EPOLL_CTL_ADD, fd, token, mask(interest));
        if (isParked(interest)) {
            // Checked by the kernel, then taken out: an empty mask would still report hang-ups.
            control("ADD", Epoll.EPOLL_CTL_DEL, fd, token, 0);
        }
    }

    private void control(String name, int op, int fd, long token, int mask) throws ErrnoException {
        Epoll.set(event, mask, token);
        int result = sys.epollCtl(state, epfd, op, fd, event);
        if (result == -Errno.EPERM) {
            String what = ", a file or directory, which have no readiness)";
            throw new ErrnoException("epoll_ctl(" + name + ", fd " + fd + what, Errno.EPERM);
        }
        if (result < 0) {
            throw new ErrnoException("epoll_ctl(" + name + ", fd " + fd + ")", -result);
        }
    }

    private void openEpoll() throws ErrnoException {
        if (epfd < 0) {
            int fd = sys.epollCreate1(state, Epoll.EPOLL_CLOEXEC);
            if (fd < 0) {
                throw new ErrnoException("epoll_create1", -fd);
            }
            epfd = fd;
        }
    }

    private void openWake() throws ErrnoException {
        if (wakeFd >= 0) {
            return;
        }
        int fd = sys.eventfd(state, 0, Fd.EFD_CLOEXEC | Fd.EFD_NONBLOCK);
        if (fd < 0) {
            throw new ErrnoException("eventfd", -fd);
        }
        int result = watchWake(epfd, fd);
        if (result < 0) {
            closeFd(fd);
            throw new ErrnoException("epoll_ctl(ADD, wake fd " + fd + ")", -result);
        }
        wakeFd = fd;
        // A ring so early that it found no descriptor. Published first: whoever rings later finds
        // it.
        if (bell.isPending()) {
            writeWake();
        }
    }

    private int watchWake(int epoll, int fd) {
        // Edge-triggered and never read: every write is a new edge, so a wake costs two system
        // calls instead of three. The counter cannot overflow in the life of a machine.
        Epoll.set(event, Epoll.EPOLLIN | Epoll.EPOLLET, RESERVED_TOKEN);
        return sys.epollCtl(state, epoll, Epoll.EPOLL_CTL_ADD, fd, event);
    }

    // Two threads can be here at once; they share `wakeState`, whose errno nobody reads.
    private void writeWake() {
        int fd = wakeFd;
        long result = fd < 0 ? 0 : -Errno.EINTR;
        while (result == -Errno.EINTR) {
            result = sys.write(wakeState, fd, block, 8);
        }
    }

    private void closeFd(int fd) {
        if (fd >= 0) {
            // Never retried: on Linux the descriptor is gone even after EINTR.
            sys.close(state, fd);
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this reactor is closed");
        }
    }

    private static boolean isParked(int interest) {
        return (interest & Interest.DIRECTIONS) == 0;
    }

    private static int mask(int interest) {
        int mask = (interest & Interest.LEVEL) == 0 ? Epoll.EPOLLET : 0;
        mask |= (interest & Interest.READ) == 0 ? 0 : Epoll.EPOLLIN;
        mask |= (interest & Interest.WRITE) == 0 ? 0 : Epoll.EPOLLOUT;
        return mask | ((interest & Interest.PRIORITY) == 0 ? 0 : Epoll.EPOLLPRI);
    }

    private static int ready(int events) {
        int bits = (events & Epoll.EPOLLIN) == 0 ? 0 : Interest.READ;
        bits |= (events & Epoll.EPOLLOUT) == 0 ? 0 : Interest.WRITE;
        bits |= (events & Epoll.EPOLLPRI) == 0 ? 0 : Interest.PRIORITY;
        return (events & (Epoll.EPOLLERR | Epoll.EPOLLHUP)) == 0 ? bits : bits | Interest.HUNG_UP;
    }
}
