package dev.heddle.reactor;

import dev.heddle.sys.Errno;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
/// The descriptors are its own, or those of a simulated kernel that has more to them than scripts:
/// [SimDescriptors].
///
/// **Thread:** owner (who polls, and scripts before and between polls), except [#wake] and
/// [#nanos]. Shared descriptors may tell their news from any thread.
public final class SimReactor implements Reactor {
    private static final int SCRIPTED = Interest.DIRECTIONS | Interest.HUP;
    private static final long FOREVER = Long.MAX_VALUE;

    private record News(SimFd descriptor, int bits) {}

    private final SimClock clock;
    private final SimDescriptors descriptors;
    private final FdTable table = new FdTable();
    private @Nullable SimFd[] views = new @Nullable SimFd[16];
    private final ArrayDeque<SimFd> queue = new ArrayDeque<>();
    private final ArrayDeque<SimFd> skipped = new ArrayDeque<>();
    private BooleanSupplier outsideWork = () -> false;
    private boolean closed;

    // Any adds, then releases; the owner takes.
    private final Queue<News> news = new ConcurrentLinkedQueue<>();

    // Any rings; the owner acquires and drains.
    private final Semaphore rings = new Semaphore(0);
    private final Bell bell = new Bell(rings::release);

    public SimReactor() {
        this(new SimClock());
    }

    /// A kernel that shares its time with others.
    public SimReactor(SimClock clock) {
        this(clock, new ScriptedDescriptors());
    }

    /// Watches descriptors of somebody else's.
    public SimReactor(SimClock clock, SimDescriptors descriptors) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.descriptors = Objects.requireNonNull(descriptors, "descriptors");
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
        return descriptors.open();
    }

    /// {@return a new descriptor that, like a regular file, has no readiness to wait for}
    public int openFile() {
        return descriptors.openFile();
    }

    /// Closes a simulated descriptor. As in a real kernel its registration, if it has one, is gone.
    public void close(int fd) {
        descriptors.close(fd);
    }

    /// Something happens at `fd`: these bits hold from now on, and each is an edge, also where it
    /// held before (more data, more room).
    public void ready(int fd, int bits) {
        checkScripted(bits);
        descriptors.ready(fd, bits);
    }

    /// These bits hold no longer: what was there has been read, the room has been filled.
    public void clear(int fd, int bits) {
        checkScripted(bits);
        descriptors.clear(fd, bits);
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
        int readiness = descriptors.readiness(fd);
        if (readiness == -Errno.EPERM) {
            throw new ErrnoException("register(fd " + fd + ", a simulated file)", Errno.EPERM);
        }
        ensureExists("register", fd);
        if (view(fd) != null) {
            throw new ErrnoException("register(fd " + fd + ")", Errno.EEXIST);
        }
        var descriptor = new SimFd(this, fd);
        descriptors.watch(fd, descriptor);
        table.put(fd, token, interest);
        keep(descriptor);
        reportAnew(descriptor);
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        table.checkPresent("modify", fd);
        ensureExists("modify", fd);
        var descriptor = view(fd);
        if (descriptor == null) {
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
        var descriptor = view(fd);
        if (descriptor != null) {
            descriptor.watched = false;
            descriptors.unwatch(fd, descriptor);
        }
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
        var descriptor = view(fd);
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
            // Before the looks: whoever tells or rings from here on leaves a permit.
            rings.drainPermits();
            takeNews();
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
        if (!closed) {
            closed = true;
            bell.close();
            for (var descriptor : views) {
                if (descriptor != null && descriptor.watched) {
                    descriptors.unwatch(descriptor.number, descriptor);
                }
            }
        }
    }

    /// Called by any thread.
    void tell(SimFd descriptor, int bits) {
        news.add(new News(descriptor, bits));
        rings.release();
    }

    private void takeNews() {
        for (var next = news.poll(); next != null; next = news.poll()) {
            next.descriptor().raise(next.bits());
            enqueue(next.descriptor());
        }
    }

    private void collect(ReadyEvents out) {
        for (int left = queue.size(); left > 0 && !out.isFull(); left--) {
            var descriptor = take(left);
            int number = descriptor.number;
            // Watched, so that the table knows it under this number.
            int interest = descriptor.watched ? table.interest(number) : Interest.NONE;
            int level = interest == Interest.NONE ? 0 : descriptors.readiness(number);
            int bits = level <= 0 ? 0 : descriptor.due(level, interest);
            if (bits == 0) {
                continue;
            }
            out.add(table.token(number), bits);
            if (SimFd.isLevel(interest)) {
                enqueue(descriptor);
            } else {
                descriptor.reported(bits);
            }
        }
    }

    // The first `waiting` of the queue have not been looked at yet.
    private SimFd take(int waiting) {
        int place = waiting > 1 ? descriptors.pick(waiting) : 0;
        for (int i = 0; i < place; i++) {
            skipped.add(queue.remove());
        }
        var taken = queue.remove();
        while (!skipped.isEmpty()) {
            queue.addFirst(skipped.removeLast());
        }
        taken.queued = false;
        return taken;
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

    // The permit that a slow ring leaves behind only makes the next wait look around once more.
    private boolean answer() {
        if (!bell.isPending()) {
            return false;
        }
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

    private void keep(SimFd descriptor) {
        int fd = descriptor.number;
        if (fd >= views.length) {
            views = Arrays.copyOf(views, Math.max(fd + 1, views.length * 2));
        }
        views[fd] = descriptor;
    }

    /// {@return what is registered under this number, and was not closed since}
    private @Nullable SimFd view(int fd) {
        var descriptor = fd >= 0 && fd < views.length ? views[fd] : null;
        return descriptor != null && descriptor.watched ? descriptor : null;
    }

    private void ensureExists(String call, int fd) throws ErrnoException {
        if (descriptors.readiness(fd) == -Errno.EBADF) {
            throw new ErrnoException(call + "(fd " + fd + ")", Errno.EBADF);
        }
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
