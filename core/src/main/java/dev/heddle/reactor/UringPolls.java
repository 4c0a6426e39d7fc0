package dev.heddle.reactor;

import dev.heddle.sys.Cqe;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sqe;

import java.util.Arrays;

/// Which descriptors are registered, and the poll request that stands for each in the kernel.
///
/// A change is only noted here, and told to the kernel by the next [#arm]: many changes of one
/// descriptor cost one request. Only a removal goes to the kernel at once.
///
/// **Thread:** loop.
final class UringPolls {
    /*
     * A descriptor's poll request:
     *
     *   none ──arm──▶ armed, at the current generation ──last completion──▶ none
     *   armed ──modify, unregister──▶ armed, at an old generation ──cancel──▶ gone
     *
     * Edges are a multishot request, which ends only if the kernel must (its queue is full): then it
     * is armed again, and what is ready at that moment is reported, so no edge is lost between.
     *
     * Level is a one-shot request, armed again by the poll after each report. One thing would spin:
     * some conditions complete a request though nobody asked (RDHUP, which cannot be masked). While
     * there is only that to tell, the descriptor is NOISY, and has a multishot request instead.
     *
     * An ended request with an error is not armed again: its owner was told, and would be told for ever.
     */
    private static final int QUEUED = 1; // in `queue`
    private static final int ARMED = 2;
    private static final int NOISY = 4;

    private final FdTable table = new FdTable();

    // By descriptor. `armedAt` is the generation of the request in the kernel, if there is one.
    private int[] generations = new int[16];
    private int[] armedAt = new int[16];
    private int[] states = new int[16];

    // Descriptors whose request is to be made, replaced or cancelled; each is in it at most once.
    private int[] queue = new int[16];
    private int queued;

    // Requests whose last completion has not come, also those that were cancelled.
    private int inFlight;

    FdTable table() {
        return table;
    }

    int inFlight() {
        return inFlight;
    }

    boolean hasQueued() {
        return queued != 0;
    }

    /// Adds `fd`, or replaces what was known of it; completions of before find nobody from now on.
    void put(int fd, long token, int interest) {
        table.put(fd, token, interest);
        if (fd >= states.length) {
            int size = Math.max(fd + 1, states.length * 2);
            generations = Arrays.copyOf(generations, size);
            armedAt = Arrays.copyOf(armedAt, size);
            states = Arrays.copyOf(states, size);
        }
        generations[fd] = UserData.next(generations[fd]);
        states[fd] &= ~NOISY;
        enqueue(fd);
    }

    boolean isArmed(int fd) {
        return (states[fd] & ARMED) != 0;
    }

    /// Forgets `fd`. If it is armed, room for one submission was made before.
    void remove(int fd, UringQueues queues) {
        cancelIfArmed(fd, queues);
        forget(fd);
    }

    /// Forgets `fd`, of which the kernel knows nothing.
    void forget(int fd) {
        assert !isArmed(fd) : "descriptor " + fd + " is still armed";
        table.remove(fd);
        generations[fd] = UserData.next(generations[fd]);
    }

    /// The ring is gone, and every request with it: all are to be made again.
    void restart() {
        inFlight = 0;
        for (int fd = 0; fd < states.length; fd++) {
            if (isArmed(fd)) {
                states[fd] &= ~(ARMED | NOISY);
                generations[fd] = UserData.next(generations[fd]);
                enqueue(fd);
            }
        }
    }

    /// Queues a submission for everything that changed. What the kernel does not take now stays for
    /// the next time.
    void arm(UringQueues queues) {
        int done = 0;
        while (done < queued && armOne(queue[done], queues)) {
            done++;
        }
        queued -= done;
        System.arraycopy(queue, done, queue, 0, queued);
    }

    /// {@return whether this completion belongs to a registration of today}
    boolean isCurrent(long userData) {
        int fd = UserData.fd(userData);
        return table.has(fd) && generations[fd] == UserData.generation(userData);
    }

    /// Takes a completion, of whatever age.
    ///
    /// @return the ready bits to report, 0 for none
    int complete(long userData, int result, int flags) {
        int fd = UserData.fd(userData);
        boolean last = (flags & Cqe.IORING_CQE_F_MORE) == 0;
        if (last) {
            inFlight--;
            if (isArmed(fd) && armedAt[fd] == UserData.generation(userData)) {
                states[fd] &= ~ARMED;
            }
        }
        if (!isCurrent(userData)) {
            return 0;
        }
        if (result == -Errno.ECANCELED) {
            // Not by us: what we cancel is not current any more. Somebody cancelled by descriptor.
            enqueue(fd);
            return 0;
        }
        if (result < 0) {
            return Interest.HUNG_UP;
        }
        int ready = ready(result, table.interest(fd));
        if ((table.interest(fd) & Interest.LEVEL) != 0) {
            askAgain(fd, ready);
        } else if (last) {
            enqueue(fd);
        }
        return ready;
    }

    private void askAgain(int fd, int ready) {
        boolean wasNoisy = (states[fd] & NOISY) != 0;
        if (ready == 0 && wasNoisy && isArmed(fd)) {
            return;
        }
        if (ready != 0) {
            states[fd] &= ~NOISY;
        } else {
            states[fd] |= NOISY;
        }
        enqueue(fd);
    }

    private boolean armOne(int fd, UringQueues queues) {
        if (isArmed(fd)) {
            if (queues.makeRoom() < 0) {
                return false;
            }
            cancelIfArmed(fd, queues);
        }
        if (table.has(fd) && (table.interest(fd) & Interest.DIRECTIONS) != 0) {
            if (queues.makeRoom() < 0) {
                return false;
            }
            request(fd, queues);
        }
        states[fd] &= ~QUEUED;
        return true;
    }

    private void request(int fd, UringQueues queues) {
        int interest = table.interest(fd);
        boolean once = (interest & Interest.LEVEL) != 0 && (states[fd] & NOISY) == 0;
        var entry = queues.take(UserData.ofPoll(fd, generations[fd]));
        Sqe.pollAdd(entry, fd, mask(interest), once ? 0 : Sqe.IORING_POLL_ADD_MULTI);
        armedAt[fd] = generations[fd];
        states[fd] |= ARMED;
        inFlight++;
    }

    private void cancelIfArmed(int fd, UringQueues queues) {
        if (isArmed(fd)) {
            queues.cancel(UserData.ofPoll(fd, armedAt[fd]), 0);
            states[fd] &= ~ARMED;
            if (armedAt[fd] == generations[fd]) {
                generations[fd] = UserData.next(generations[fd]);
            }
        }
    }

    private void enqueue(int fd) {
        if ((states[fd] & QUEUED) == 0) {
            states[fd] |= QUEUED;
            if (queued == queue.length) {
                queue = Arrays.copyOf(queue, queued * 2);
            }
            queue[queued++] = fd;
        }
    }

    // The numbers of poll(2) and epoll(7) are the same. PRIORITY needs EPOLLIN beside it, or the
    // kernel does not wake the request (it strips EPOLLPRI from what may).
    private static int mask(int interest) {
        int mask = (interest & Interest.READ) == 0 ? 0 : Epoll.EPOLLIN;
        mask |= (interest & Interest.WRITE) == 0 ? 0 : Epoll.EPOLLOUT;
        return mask | ((interest & Interest.PRIORITY) == 0 ? 0 : Epoll.EPOLLPRI | Epoll.EPOLLIN);
    }

    private static int ready(int events, int interest) {
        int bits = (events & Epoll.EPOLLIN) == 0 ? 0 : Interest.READ;
        bits |= (events & Epoll.EPOLLOUT) == 0 ? 0 : Interest.WRITE;
        bits |= (events & Epoll.EPOLLPRI) == 0 ? 0 : Interest.PRIORITY;
        bits &= interest;
        return (events & (Epoll.EPOLLERR | Epoll.EPOLLHUP)) == 0 ? bits : bits | Interest.HUNG_UP;
    }
}
