package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Linux `io_uring(7)`: readiness by multishot polls, and a [Ring] for operations.
///
/// A poll is one `io_uring_enter`, which submits what was registered since the last one and waits.
/// Two events of one descriptor within a poll are reported as two, unless the kernel merged them.
///
/// **Thread:** loop, except [#wake]. The kernel holds the loop to it: the first [#poll] or [#fd]
/// makes the ring, and calls from other threads are refused from then on, unless that thread has
/// ended. [#close] is allowed from any, but only the loop's thread can wait there for what is in
/// flight; closed from another, the polls end a moment later, and until then keep their (possibly
/// closed) files open.
public final class UringReactor implements Reactor {
    // How long `close` waits for a completion before it gives up on the rest.
    private static final long SILENCE_NANOS = 1_000_000_000;

    // How long to wait before offering submissions again to a kernel that has no memory for them.
    private static final long RETRY_NANOS = 1_000_000;

    private final Sys sys;
    private final CallState state = new CallState();
    private final MemorySegment scratch = Memory.allocate(Stat.SIZE);
    private final UringPolls polls = new UringPolls();
    private final UringRing ring = new UringRing(this);
    private final Optional<Ring> offered = Optional.of(ring);
    private final UringWake wake;
    private final UringNotice notice;
    private final UringDispatch dispatch;
    private final LongSupplier clock;
    private @Nullable UringQueues queues;
    private @Nullable Thread poller;
    private boolean closed;

    public UringReactor(Sys sys) {
        this(sys, System::nanoTime);
    }

    /// @param clock monotonic nanoseconds, to go on waiting after a completion that concerns nobody
    UringReactor(Sys sys, LongSupplier clock) {
        this.sys = sys;
        this.clock = clock;
        wake = new UringWake(sys);
        notice = new UringNotice(sys, state, scratch);
        var urgent = new UrgentData(sys, state, scratch);
        dispatch = new UringDispatch(polls, ring, wake, urgent);
    }

    /// {@return why this kernel refuses, or nothing if it does not}
    static Optional<String> refusal(Sys sys) {
        try (var state = new CallState()) {
            var queues = UringSetup.open(sys, state);
            // A filter may know the first call and not the second.
            int result = queues.submit();
            queues.close();
            return isHarmless(result)
                    ? Optional.empty()
                    : Optional.of("io_uring_enter: " + Errno.describe(-result));
        } catch (ErrnoException refused) {
            // Out of descriptors is not a refusal: that passes, the choice of a backend does not.
            return refused.errno() == Errno.EMFILE || refused.errno() == Errno.ENFILE
                    ? Optional.empty()
                    : Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public Backend backend() {
        return Backend.URING;
    }

    @Override
    public void register(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        checkPollable(fd);
        polls.table().checkAbsent("register", fd);
        polls.put(fd, token, interest);
        submitIfEmbedded();
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        polls.table().checkPresent("modify", fd);
        checkPollable(fd);
        polls.put(fd, token, interest);
        submitIfEmbedded();
    }

    @Override
    public void unregister(int fd) throws ErrnoException {
        ensureOpen();
        polls.table().checkPresent("unregister", fd);
        releaseOrphan();
        if (!polls.isArmed(fd)) {
            polls.forget(fd);
            return;
        }
        var open = queuesWithRoom();
        polls.remove(fd, open);
        // At once: the request holds on to the file, whose peer would not see it closed.
        int result = open.submit();
        dispatch.reap(open.completions(), null);
        checkEntered(result);
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
    }

    @Override
    public int poll(ReadyEvents out, long timeoutNanos) throws ErrnoException {
        ensureOpen();
        out.clear();
        dispatch.begin();
        claim();
        wake.prepare(state, timeoutNanos);
        notice.clear();
        var open = openQueues();
        polls.arm(open);
        // What did not fit into the buffers of the last poll.
        dispatch.reap(open.completions(), out);
        long start = timeoutNanos > 0 ? clock.getAsLong() : 0;
        long left = timeoutNanos;
        while (enter(open, out, left) && left != 0) {
            // Ended by a completion that concerns nobody, such as that of a removed poll.
            left = timeoutNanos < 0 ? timeoutNanos : remaining(timeoutNanos, start);
        }
        submitIfEmbedded();
        return out.count();
    }

    @Override
    public void wake() {
        wake.ring();
    }

    @Override
    public int registered() {
        ensureOpen();
        return polls.table().count();
    }

    /// {@return an eventfd that is readable when [#poll] would return events}
    ///
    /// Once this was called, registrations go to the kernel at once, and each poll costs a system
    /// call more. After a poll that found something it may be readable once without need.
    @Override
    public int fd() throws ErrnoException {
        ensureOpen();
        releaseOrphan();
        var open = openQueues();
        wake.open(state);
        int fd = notice.open(open);
        wake.alsoTell(fd);
        wake.arm(open);
        submitIfEmbedded();
        return fd;
    }

    @Override
    public Optional<Ring> ring() {
        return offered;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        wake.close();
        if (queues != null) {
            drain(queues);
            queues.close();
        }
        notice.close();
        wake.free(state);
        Memory.free(scratch);
        state.close();
    }

    /// {@return the ring, made if need be, with room for one submission}
    UringQueues queuesWithRoom() throws ErrnoException {
        ensureOpen();
        releaseOrphan();
        var open = openQueues();
        int result = open.makeRoom();
        if (result < 0) {
            throw failure(result);
        }
        return open;
    }

    private UringQueues openQueues() throws ErrnoException {
        if (queues == null) {
            var made = UringSetup.open(sys, state);
            try {
                notice.move(made);
            } catch (ErrnoException refused) {
                made.close();
                throw refused;
            }
            queues = made;
        }
        return queues;
    }

    private void claim() {
        releaseOrphan();
        var current = Thread.currentThread();
        if (queues != null && poller != null && poller != current) {
            throw wrongThread();
        }
        poller = current;
    }

    /// A ring dies with its thread: the next one that polls needs a new one, with the same polls.
    /// What is ready is then reported anew, so that no edge is lost.
    private void releaseOrphan() {
        if (queues == null || poller == null || poller.isAlive()) {
            return;
        }
        if (ring.inFlight() != 0) {
            throw new IllegalStateException(
                    poller
                            + " has ended with "
                            + ring.inFlight()
                            + " operations in flight, which no other thread can take over");
        }
        polls.restart();
        wake.restart();
        queues.close();
        queues = null;
    }

    private WrongThreadException wrongThread() {
        return new WrongThreadException(
                "this ring belongs to "
                        + (poller == null ? "the thread that made it" : poller)
                        + ", but was used by "
                        + Thread.currentThread());
    }

    private void checkPollable(int fd) throws ErrnoException {
        boolean isOurs =
                fd == wake.fd() || fd == notice.fd() || (queues != null && fd == queues.fd());
        if (isOurs) {
            // The caller's descriptor is closed, and its number has become ours.
            throw new ErrnoException("register(fd " + fd + ")", Errno.EBADF);
        }
        Pollable.check(sys, state, scratch, fd);
    }

    /// {@return whether to wait again: there was something, but nothing to tell}
    private boolean enter(UringQueues open, ReadyEvents out, long timeout) throws ErrnoException {
        if (!dispatch.hasNews()) {
            // Not after a report: a level would be reported twice in one poll.
            polls.arm(open);
        }
        wake.arm(open);
        int result = open.enter(isIdle(open) ? timeout : 0);
        if (timeout != 0 && open.hasUnsubmitted() && isHarmless(result) && isIdle(open)) {
            // The kernel could not take everything, and so did not wait. The next poll tries again.
            open.await(timeout < 0 ? RETRY_NANOS : Math.min(timeout, RETRY_NANOS));
        }
        int taken = dispatch.reap(open.completions(), out);
        if (!dispatch.hasNews()) {
            checkEntered(result);
        }
        return taken != 0 && isIdle(open);
    }

    private long remaining(long timeoutNanos, long start) {
        return Math.max(0, timeoutNanos - (clock.getAsLong() - start));
    }

    private boolean isIdle(UringQueues open) {
        return !dispatch.hasNews() && open.completions().isEmpty();
    }

    /// In an embedded loop nobody may poll for long: the kernel must know now what to give notice
    /// of, and what waits in the queue needs a notice too.
    private void submitIfEmbedded() {
        if (queues == null || !notice.isOpen()) {
            return;
        }
        polls.arm(queues);
        if (queues.hasUnsubmitted()) {
            queues.submit();
        }
        dispatch.reap(queues.completions(), null);
        if (!queues.completions().isEmpty()) {
            notice.raise();
        }
    }

    /// Cancels everything and waits until it is back, so that the kernel lets go of files and
    /// buffers. A second without a completion ends it, as does a ring that belongs to another
    /// thread: closing it then does the rest, in the kernel's own time.
    private void drain(UringQueues open) {
        if (inFlight() != 0 && open.makeRoom() == 0) {
            open.cancel(0, Sqe.IORING_ASYNC_CANCEL_ANY | Sqe.IORING_ASYNC_CANCEL_ALL);
        }
        while (inFlight() != 0) {
            int result = open.enter(SILENCE_NANOS);
            if (dispatch.settle(open.completions()) == 0 && result != -Errno.EINTR) {
                return;
            }
        }
    }

    private int inFlight() {
        return polls.inFlight() + ring.inFlight() + wake.inFlight();
    }

    private void checkEntered(int result) throws ErrnoException {
        if (!isHarmless(result)) {
            throw failure(result);
        }
    }

    /// Out of time, interrupted, or out of memory or room for the moment: then what was not taken
    /// waits for the next poll.
    private static boolean isHarmless(int result) {
        return result >= 0
                || result == -Errno.ETIME
                || result == -Errno.EINTR
                || result == -Errno.EAGAIN
                || result == -Errno.EBUSY;
    }

    private ErrnoException failure(int result) {
        if (result == -Errno.EEXIST) {
            throw wrongThread();
        }
        return new ErrnoException("io_uring_enter", -result);
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this reactor is closed");
        }
    }
}
