package dev.heddle.test.kernel;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// A kernel that fails on demand: always, only the nth time, or at random. It has one plan at a
/// time, at first that nothing fails.
///
/// To try each call of a scenario: run it once after [#countOnly] and see [#calls]; then for each n
/// and each error that [Faults] has for that call run it with [#failNth].
///
/// A call that fails has no effect, but where the manual says so: `close` frees the descriptor
/// whatever it answers (on Linux, and so never try again), and an interrupted `kevent` has applied
/// its changes.
///
/// **Thread:** any.
public final class FaultySys extends DelegatingSys {
    /// The calls that wait.
    public static final Set<String> WAITS =
            Set.of("epoll_wait", "epoll_pwait2", "poll", "ppoll", "kevent", "io_uring_enter");

    /// The calls that make a new descriptor.
    public static final Set<String> MAKERS =
            Set.of("epoll_create1", "eventfd", "pipe2", "kqueue", "io_uring_setup");

    private static final Set<String> TRANSFERS = Set.of("read", "write");

    /// Decides about one call.
    private interface Plan {
        /// @param nth how many of the calls that the plan is about there were, with this one
        /// @return the positive error number, or 0
        int fault(String call, int nth);
    }

    private static final int PERCENT = 100;

    private final Sys next;

    // Under this object's lock.
    private final List<String> calls = new ArrayList<>();
    private Plan plan = (_, _) -> 0;
    private @Nullable Set<String> targets; // nothing for all, and then they are written down
    private int seen;
    private int faults;

    /// In front of the real kernel.
    public FaultySys() {
        this(Sys.NATIVE);
    }

    public FaultySys(Sys next) {
        super(next);
        this.next = next;
    }

    /// From now on all these calls fail.
    public FaultySys failAll(int errno, Set<String> calls) {
        return plan(calls, (_, _) -> errno);
    }

    public FaultySys failAll(int errno, String... calls) {
        return failAll(errno, Set.of(calls));
    }

    /// The `nth` of these calls from now on fails, 1 being the next one; no other.
    public FaultySys failOnce(int nth, int errno, Set<String> calls) {
        return plan(calls, (_, seenSoFar) -> seenSoFar == nth ? errno : 0);
    }

    /// The `nth` call of any kind from now on fails, 1 being the next one; no other.
    public FaultySys failNth(int nth, int errno) {
        return plan(null, (_, seenSoFar) -> seenSoFar == nth ? errno : 0);
    }

    /// From now on each call fails with this probability, and with one of the errors that [Faults]
    /// has for it. Not so `read` and `write`, which also carry a reactor's wake-ups: a kernel that
    /// refuses those for no reason is broken, and nothing can be built on it.
    ///
    /// @param percent 0 to 100
    public FaultySys failRandomly(RandomGenerator random, double percent) {
        var calls = new TreeSet<>(Faults.calls());
        calls.removeAll(TRANSFERS);
        return failRandomly(random, percent, calls);
    }

    /// [#failRandomly(RandomGenerator, double)] for these calls only.
    public FaultySys failRandomly(RandomGenerator random, double percent, Set<String> calls) {
        checkChance(random, percent);
        return plan(calls, (call, _) -> draw(random, percent, Faults.errors(call)));
    }

    /// [#failRandomly(RandomGenerator, double, Set)] always with this error.
    public FaultySys failRandomly(
            RandomGenerator random, double percent, Set<String> calls, int errno) {
        checkChance(random, percent);
        var errors = List.of(errno);
        return plan(calls, (_, _) -> draw(random, percent, errors));
    }

    /// Nothing fails; the calls are counted.
    public FaultySys countOnly() {
        return plan(null, (_, _) -> 0);
    }

    /// Nothing fails any more. What has happened so far can still be asked for.
    public synchronized void heal() {
        plan = (_, _) -> 0;
    }

    /// {@return how many calls failed on demand, since the last plan was made}
    public synchronized int faults() {
        return faults;
    }

    /// {@return the names of all calls since [#countOnly] or [#failNth], in order; those that
    /// failed too}
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    protected synchronized int before(String call, int fd) {
        if (targets == null) {
            calls.add(call);
        } else if (!targets.contains(call)) {
            return 0;
        }
        seen++;
        int errno = plan.fault(call, seen);
        faults += errno == 0 ? 0 : 1;
        return -errno;
    }

    /// The descriptor is gone also if this fails: close(2), NOTES.
    @Override
    public int close(CallState state, int fd) {
        int fault = before("close", fd);
        int result = next.close(state, fd);
        return fault == 0 || result < 0 ? result : fault;
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

    private static void checkChance(RandomGenerator random, double percent) {
        Objects.requireNonNull(random, "random");
        if (!(percent >= 0 && percent <= PERCENT)) {
            throw new IllegalArgumentException("percent must be 0 to 100, but is " + percent);
        }
    }

    private static int draw(RandomGenerator random, double percent, List<Integer> errors) {
        if (errors.isEmpty() || random.nextDouble(PERCENT) >= percent) {
            return 0;
        }
        return errors.get(random.nextInt(errors.size()));
    }

    private synchronized FaultySys plan(@Nullable Set<String> newTargets, Plan newPlan) {
        targets = newTargets;
        plan = newPlan;
        seen = 0;
        faults = 0;
        calls.clear();
        return this;
    }
}
