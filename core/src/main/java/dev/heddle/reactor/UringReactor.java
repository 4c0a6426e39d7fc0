package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Linux `io_uring(7)`: readiness by multishot polls, and a [Ring] for operations.
///
/// A poll is one `io_uring_enter`, which submits what was registered since the last one and waits.
/// Two events of one descriptor within a poll are reported as two, unless the kernel merged them.
///
/// A poll may also return early with nothing to report if the peer of a descriptor that is only
/// watched for writing has shut down its side: the kernel tells, nobody asked.
///
/// **Thread:** loop, except [#wake]. The kernel holds the loop to it: the first [#poll] or [#fd] makes
/// the ring, and calls from other threads are refused from then on. [#close] is allowed from any,
/// but only the loop's thread can wait there for what is in flight; closed from another, the polls
/// end a moment later, and until then keep their (possibly closed) files open.
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
    private @Nullable UringQueues queues;
    private boolean closed;

    // What the poll under way has to tell: events, completions and wake-ups.
    private int news;

    public UringReactor(Sys sys) {
        this.sys = sys;
        wake = new UringWake(sys);
        notice = new UringNotice(sys, state, scratch);
    }

    /// {@return why this kernel refuses, or nothing if it does not}
    static Optional<String> refusal(Sys sys) {
        try (var state = new CallState()) {
            var queues = UringSetup.open(sys, state);
            // A filter may know the first call and not the second.
            int result = queues.submit();
            queues.close();
            return result < 0
                    ? Optional.of("io_uring_enter: " + Errno.describe(-result))
                    : Optional.empty();
        } catch (ErrnoException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
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
        Pollable.check(sys, state, scratch, fd);
        polls.table().checkAbsent("register", fd);
        polls.put(fd, token, interest);
        submitIfEmbedded();
    }

    @Override
    public void modify(int fd, long token, int interest) throws ErrnoException {
        ensureOpen();
        FdTable.checkArguments(fd, token, interest);
        polls.table().checkPresent("modify", fd);
        Pollable.check(sys, state, scratch, fd);
        polls.put(fd, token, interest);
        submitIfEmbedded();
    }

    @Override
    public void unregister(int fd) throws ErrnoException {
        ensureOpen();
        polls.table().checkPresent("unregister", fd);
        if (!polls.isArmed(fd)) {
            polls.forget(fd);
            return;
        }
        var open = queuesWithRoom();
        polls.remove(fd, open);
        // At once: the request holds on to the file, whose peer would not see it closed.
        int result = open.submit();
        reap(open, null);
        checkEntered(open, result);
    }

    @Override
    public void consumed(int fd, int directions) {
        ensureOpen();
    }

    @Override
    public int poll(ReadyEvents out, long timeoutNanos) throws ErrnoException {
        ensureOpen();
        out.clear();
        news = 0;
        var open = openQueues();
        long timeout = wake.prepare(state, timeoutNanos);
        notice.clear();
        // What did not fit into the buffers of the last poll.
        reap(open, out);
        polls.arm(open);
        wake.arm(open);
        // What a removal ends completes at once, which is nothing to wake up for.
        boolean removals = open.hasRemovals();
        enter(open, out, removals ? 0 : timeout);
        if (removals && timeout != 0 && isIdle(open)) {
            enter(open, out, timeout);
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
        return polls.table().count();
    }

    /// {@return an eventfd that is readable when [#poll] would return events}
    ///
    /// Once this was called, registrations go to the kernel at once, and each poll costs a system call
    /// more. After a poll that found something it may be readable once without need.
    @Override
    public int fd() throws ErrnoException {
        ensureOpen();
        var open = openQueues();
        wake.open(state);
        int fd = notice.open(open);
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
        var open = openQueues();
        int result = open.makeRoom();
        if (result < 0) {
            throw failure(open, result);
        }
        return open;
    }

    private UringQueues openQueues() throws ErrnoException {
        if (queues == null) {
            queues = UringSetup.open(sys, state);
        }
        return queues;
    }

    private void enter(UringQueues open, ReadyEvents out, long timeout) throws ErrnoException {
        int result = open.enter(isIdle(open) ? timeout : 0);
        if (timeout != 0 && open.hasUnsubmitted() && isHarmless(result) && isIdle(open)) {
            // The kernel could not take everything, and so did not wait. The next poll tries again.
            open.await(timeout < 0 ? RETRY_NANOS : Math.min(timeout, RETRY_NANOS));
        }
        reap(open, out);
        if (news == 0) {
            checkEntered(open, result);
        }
    }

    private boolean isIdle(UringQueues open) {
        return news == 0 && open.completions().isEmpty();
    }

    /// Takes completions off the queue until one has nowhere to go.
    ///
    /// @param out where events go; without it only what concerns nobody is taken
    private void reap(UringQueues open, @Nullable ReadyEvents out) {
        var completions = open.completions();
        while (!completions.isEmpty() && take(completions, out)) {
            completions.advance();
        }
    }

    private boolean take(CompletionQueue completions, @Nullable ReadyEvents out) {
        long userData = completions.userData();
        int result = completions.result();
        int flags = completions.flags();
        switch (UserData.kind(userData)) {
            case UserData.POLL:
                return takePoll(userData, result, flags, out);
            case UserData.OPERATION:
                if (out == null || !ring.hasRoom()) {
                    return false;
                }
                ring.complete(userData, result, flags);
                news++;
                return true;
            case UserData.WAKE:
                if (out == null) {
                    return false;
                }
                wake.complete(flags);
                news++;
                return true;
            default:
                return true; // a removal that found nothing to remove
        }
    }

    private boolean takePoll(long userData, int result, int flags, @Nullable ReadyEvents out) {
        if (polls.isCurrent(userData) && (out == null || out.isFull())) {
            return false;
        }
        int ready = polls.complete(userData, result, flags);
        if (ready != 0 && out != null) {
            out.add(polls.table().token(UserData.fd(userData)), ready);
            news++;
        }
        return true;
    }

    /// In an embedded loop nobody may poll for long: the kernel must know now what to give notice of,
    /// and what waits in the queue needs a notice too.
    private void submitIfEmbedded() {
        if (queues == null || !notice.isOpen()) {
            return;
        }
        polls.arm(queues);
        if (queues.hasUnsubmitted()) {
            queues.submit();
        }
        reap(queues, null);
        if (!queues.completions().isEmpty()) {
            notice.raise();
        }
    }

    /// Cancels everything and waits until it is back, so that the kernel lets go of files and buffers. A
    /// second without a completion ends it, as does a ring that belongs to another thread: closing
    /// it then does the rest, in the kernel's own time.
    private void drain(UringQueues open) {
        if (inFlight() != 0 && open.makeRoom() == 0) {
            open.cancel(0, Sqe.IORING_ASYNC_CANCEL_ANY | Sqe.IORING_ASYNC_CANCEL_ALL);
        }
        while (inFlight() != 0) {
            int result = open.enter(SILENCE_NANOS);
            if (settle(open.completions()) == 0 && result != -Errno.EINTR) {
                return;
            }
        }
    }

    private int settle(CompletionQueue completions) {
        int count = 0;
        for (; !completions.isEmpty(); count++) {
            long userData = completions.userData();
            int flags = completions.flags();
            switch (UserData.kind(userData)) {
                case UserData.POLL -> polls.complete(userData, completions.result(), flags);
                case UserData.OPERATION -> ring.complete(userData, completions.result(), flags);
                case UserData.WAKE -> wake.complete(flags);
                default -> {}
            }
            completions.advance();
        }
        return count;
    }

    private int inFlight() {
        return polls.inFlight() + ring.inFlight() + wake.inFlight();
    }

    private void checkEntered(UringQueues open, int result) throws ErrnoException {
        if (!isHarmless(result)) {
            throw failure(open, result);
        }
    }

    /// Out of time, interrupted, or out of memory or room for the moment: then what was not taken waits
    /// for the next poll.
    private static boolean isHarmless(int result) {
        return result >= 0
                || result == -Errno.ETIME
                || result == -Errno.EINTR
                || result == -Errno.EAGAIN
                || result == -Errno.EBUSY;
    }

    private static ErrnoException failure(UringQueues open, int result) {
        if (result == -Errno.EEXIST) {
            throw open.wrongThread();
        }
        return new ErrnoException("io_uring_enter", -result);
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this reactor is closed");
        }
    }
}
