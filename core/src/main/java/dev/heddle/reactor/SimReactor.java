package dev.heddle.reactor;

import dev.heddle.sys.Errno;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/// A kernel that is made of scripts: simulated descriptors, and a virtual clock that only waiting
/// moves, so that hours pass in no time and every run is the same.
///
/// It reports the least that the contract allows: a direction only after a new edge *and* only
/// after the last report of it was [consumed][#consumed]. Code that works here works on kernels
/// with edges and on `poll(2)`. Descriptors are reported in the order in which they became ready.
///
/// A wait that nothing can end is a deadlock and throws. Real threads beside the loop are announced
/// with [#holdTimeWhile]. The simulated descriptors outlive the reactor, as real ones do: scripting
/// goes on after [#close()].
///
/// **Thread:** owner (who polls, and scripts before and between polls), except [#wake] and
/// [#nanos].
public final class SimReactor implements Reactor {
    private static final int FIRST_NUMBER = 3; // 0 to 2 are spoken for in every process
    private static final int SCRIPTED = Interest.DIRECTIONS | Interest.HUP;
    private static final long FOREVER = Long.MAX_VALUE;

    private final SimClock clock;
    private final List<@Nullable SimFd> descriptors = new ArrayList<>();
    private final FdTable table = new FdTable();
    private final ArrayDeque<SimFd> queue = new ArrayDeque<>();
    private BooleanSupplier outsideWork = () -> false;
    private boolean closed;

    // Any rings; the owner acquires and drains.
    private final Semaphore rings = new Semaphore(0);
    private final Bell bell = new Bell(rings::release);

    public SimReactor() {
        this(new SimClock());
    }

    /// A kernel that shares its time with others.
    public SimReactor(SimClock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /// {@return the virtual time: nanoseconds since this reactor was made}
    public long nanos() {
        return clock.nanos();
    }

    /// Runs `script` inside the [#poll] that reaches this virtual time, before it looks at the
    /// descriptors. Equal times run in the order of these calls; a time that has passed means the
    /// next poll. The script plays the outside world: it may use the scripting methods and [#wake].
    public void at(long nanos, Runnable script) {
        clock.at(nanos, script);
    }

    /// Says when other threads are at work that will [#wake] this loop. Waiting is real then: it
    /// blocks until a wake and the clock stands still, so that no timeout overtakes work that takes
    /// real time.
    ///
    /// @param outsideWork asked by every poll. A thread that it counts wakes the loop before it
    ///   stops being counted, so that what it did is seen, and again afterwards, so that a loop
    ///   that went back to its wait meanwhile asks anew.
    public void holdTimeWhile(BooleanSupplier outsideWork) {
        this.outsideWork = outsideWork;
    }

    /// {@return a new descriptor with nothing ready: the lowest free number, as in a real kernel}
    public int open() {
        return open(true);
    }

    /// {@return a new descriptor that, like a regular file, has no readiness to wait for}
    public int openFile() {
        return open(false);
    }

    /// Closes a simulated descriptor. As in a real kernel its registration, if it has one, is gone.
    public void close(int fd) {
        var descriptor = scripted(fd);
        descriptor.watched = false;
        descriptors.set(fd - FIRST_NUMBER, null);
    }

    /// Something happens at `fd`: these bits hold from now on, and each is an edge, also where it
    /// held before (more data, more room).
    public void ready(int fd, int bits) {
        var descriptor = scripted(fd);
        checkScripted(bits);
        descriptor.raise(bits);
        enqueue(descriptor);
    }

    /// These bits hold no longer: what was there has been read, the room has been filled.
    public void clear(int fd, int bits) {
        var descriptor = scripted(fd);
        checkScripted(bits);
        descriptor.drop(bits);
    }

    /// The peer is gone.
    public void hangUp(int fd) {
        ready(fd, Interest.HUP);
    }

    @Override
    public Backend backend() {
        return Backend.SIM;
    }

    @Override
    public void register(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        var descriptor = existing("register", fd);
        if (!descriptor.pollable) {
            throw new ErrnoException("register(fd " + fd + ", a simulated file)", Errno.EPERM);
        }
        if (descriptor.watched) {
            throw new ErrnoException("register(fd " + fd + ")", Errno.EEXIST);
        }
        descriptor.watched = true;
        table.put(fd, token, interest);
        reportAnew(descriptor);
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        table.checkPresent("modify", fd);
        var descriptor = existing("modify", fd);
        if (!descriptor.watched) {
            throw new ErrnoException("modify(fd " + fd + ")", Errno.ENOENT);
        }
        table.put(fd, token, interest);
        reportAnew(descriptor);
    }

    @Override
    public void unregister(int fd) throws ErrnoException {
        ensureOpen();
        table.checkPresent("unregister", fd);
        table.remove(fd);
        var descriptor = find(fd);
        if (descriptor != null) {
            descriptor.watched = false;
        }
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
        var descriptor = find(fd);
        if (descriptor != null) {
            descriptor.consume(directions);
            enqueue(descriptor);
        }
    }

    /// @throws IllegalStateException if the wait is for ever and neither a script nor another
    ///   thread ([#holdTimeWhile]) can end it
    @Override
    public int poll(ReadyEvents out, long timeoutNanos) {
        ensureOpen();
        out.clear();
        long end = endOf(timeoutNanos);
        while (true) {
            clock.runDue();
            collect(out);
            // Asked before the bell is looked at: who is not counted any more has rung already.
            boolean held = outsideWork.getAsBoolean();
            boolean rung = answer();
            if (rung || out.count() > 0 || clock.nanos() >= end) {
                return out.count();
            }
            if (held) {
                rings.acquireUninterruptibly();
            } else {
                moveOn(end);
            }
        }
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
        closed = true;
        bell.close();
    }

    private void collect(ReadyEvents out) {
        for (int left = queue.size(); left > 0 && !out.isFull(); left--) {
            var descriptor = queue.remove();
            descriptor.queued = false;
            // Watched, so that the table knows it under this number.
            int interest = descriptor.watched ? table.interest(descriptor.number) : Interest.NONE;
            int bits = descriptor.due(interest);
            if (bits == 0) {
                continue;
            }
            out.add(table.token(descriptor.number), bits);
            if (SimFd.isLevel(interest)) {
                enqueue(descriptor);
            } else {
                descriptor.reported(bits);
            }
        }
    }

    private void reportAnew(SimFd descriptor) {
        descriptor.renew();
        enqueue(descriptor);
    }

    private void enqueue(SimFd descriptor) {
        if (descriptor.watched && !descriptor.queued) {
            descriptor.queued = true;
            queue.add(descriptor);
        }
    }

    // Drains, then answers: a ring in between finds itself pending and is answered too. The permit
    // that a slow ring leaves behind only makes the next wait look around once more.
    private boolean answer() {
        if (!bell.isPending()) {
            return false;
        }
        rings.drainPermits();
        bell.answer();
        return true;
    }

    private void moveOn(long end) {
        if (end == FOREVER && !clock.hasScripts()) {
            throw new IllegalStateException("deadlock: nothing can wake this loop");
        }
        clock.advance(end);
    }

    private long endOf(long timeoutNanos) {
        long end = clock.nanos() + timeoutNanos;
        return timeoutNanos < 0 || end < 0 ? FOREVER : end;
    }

    private int open(boolean pollable) {
        int free = descriptors.indexOf(null);
        int index = free >= 0 ? free : descriptors.size();
        var descriptor = new SimFd(index + FIRST_NUMBER, pollable);
        if (free >= 0) {
            descriptors.set(free, descriptor);
        } else {
            descriptors.add(descriptor);
        }
        return descriptor.number;
    }

    private @Nullable SimFd find(int fd) {
        int index = fd - FIRST_NUMBER;
        return index >= 0 && index < descriptors.size() ? descriptors.get(index) : null;
    }

    private SimFd existing(String call, int fd) throws ErrnoException {
        var descriptor = find(fd);
        if (descriptor == null) {
            throw new ErrnoException(call + "(fd " + fd + ")", Errno.EBADF);
        }
        return descriptor;
    }

    private SimFd scripted(int fd) {
        var descriptor = find(fd);
        if (descriptor == null) {
            throw new IllegalArgumentException("no simulated descriptor " + fd + " is open");
        }
        return descriptor;
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this reactor is closed");
        }
    }

    private static void checkScripted(int bits) {
        if ((bits & ~SCRIPTED) != 0) {
            throw new IllegalArgumentException(
                    "a script may set READ (1), WRITE (2), PRIORITY (4) and HUP (8), not " + bits);
        }
    }
}
