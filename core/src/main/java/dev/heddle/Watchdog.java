package dev.heddle;

import dev.heddle.HeldLoop.Hold;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Notices when a coroutine or a callback keeps its loop from running, and says which and where;
/// and when many together keep each other waiting, see [Lag].
///
/// It looks a few times within the limit: if the loop is not waiting for the kernel, and neither
/// has begun a turn nor given itself to another coroutine for as many looks as make up the limit,
/// it is blocked. If its thread itself waits, which no coroutine makes it do unless it cannot leave
/// it, that is said whatever the limit is, see [HeldLoop]; in a wait of ours it is ended. Looks are
/// counted, not time: a process that is stopped as a whole, by a debugger or a lid, stops the
/// watchdog too, and that costs one look.
///
/// The loop pays two stores for each wait and reads no clock.
///
/// **Thread:** its own, one for each loop that runs, a daemon, gone when the run ends; the
/// [Patrol]'s if nobody wants to hear of blocking.
final class Watchdog implements AutoCloseable {
    // How many looks without a sign of life are too many.
    private static final int LOOKS_MAX = 4;
    private static final long PERIOD_MIN_NANOS = 1_000_000;

    /// Whatever the limit is, a wait that holds the loop's thread is found within a second.
    static final long PERIOD_MAX_NANOS = 200_000_000;

    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final String STRANGER =
            "a virtual thread that a coroutine started, and for which this JDK shows no other"
                    + " scheduler,";

    // While the loop lags: how often to see who runs, between two looks.
    private static final int SAMPLES = 20;

    private final Scheduler scheduler;
    private final Lag lag;
    private final boolean isPatrolled;
    private final long periodNanos;
    private final long looksUntilBlocked;
    private volatile boolean closed;

    // Of who starts and closes it; null if it is patrolled.
    private @Nullable Thread thread;

    // Whoever looks, one at a time: its own thread, the patrol, or a test.
    private long lastRuns = -1;
    private long lastTurns;
    private int looks;
    private boolean reported;
    private boolean pinReported;

    Watchdog(Scheduler scheduler) {
        this(scheduler, scheduler.options.blockedNanos);
    }

    /// @param limitNanos zero to report no blocking
    Watchdog(Scheduler scheduler, long limitNanos) {
        this.scheduler = scheduler;
        lag = new Lag(scheduler);
        isPatrolled = limitNanos == 0;
        periodNanos =
                isPatrolled
                        ? PERIOD_MAX_NANOS
                        : Math.clamp(limitNanos / LOOKS_MAX, PERIOD_MIN_NANOS, PERIOD_MAX_NANOS);
        looksUntilBlocked =
                isPatrolled
                        ? Long.MAX_VALUE
                        : Math.max(LOOKS_MAX, Math.ceilDiv(limitNanos, periodNanos));
    }

    /// Begins to watch. If nobody wants to hear of blocking, waits that hold the loop's thread are
    /// looked for all the same.
    void start() {
        if (isPatrolled) {
            Patrol.add(this);
        } else {
            thread = Thread.ofPlatform().daemon().name("heddle-watchdog").start(this::watch);
        }
    }

    /// Ends the watch: no report comes after it.
    @Override
    public void close() {
        if (isPatrolled) {
            Patrol.remove(this);
            endPatrol();
            return;
        }
        closed = true;
        if (thread != null) {
            end(thread);
        }
    }

    private static void end(Thread thread) {
        LockSupport.unpark(thread);
        try {
            thread.join(END_LIMIT);
        } catch (InterruptedException meant) {
            // For whoever called run: it goes away by itself.
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void endPatrol() {
        closed = true;
    }

    synchronized void lookUnlessClosed() {
        if (!closed) {
            look();
        }
    }

    private void watch() {
        while (!closed) {
            pause(periodNanos);
            if (!closed) {
                look();
            }
        }
    }

    private void pause(long period) {
        int parts = lag.isLikely() ? SAMPLES : 1;
        for (int i = 0; i < parts && !closed; i++) {
            if (i > 0) {
                lag.sample();
            }
            LockSupport.parkNanos(this, period / parts);
        }
    }

    void look() {
        scheduler.strands.noteRecording();
        if (hasMoved()) {
            if (!isPatrolled && lag.look() >= looksUntilBlocked) {
                reportLag();
            }
        } else if (++looks >= LOOKS_MAX) {
            blocked(scheduler.current);
        }
    }

    private void reportLag() {
        Coroutine<?> current = scheduler.current;
        Thread runs = current == null ? null : current.fiber().thread();
        scheduler.options.report(
                Report.Kind.LAGGING_LOOP,
                "The loop is behind: coroutines that are ready have waited for their turn for "
                        + Duration.ofNanos(looksUntilBlocked * periodNanos)
                        + ", since all that are compute for longer. "
                        + lag.told()
                        + ". "
                        + HeldLoop.ADVICE,
                runs == null ? List.of() : stackOf(runs));
    }

    private boolean hasMoved() {
        long runs = scheduler.runs();
        long turns = scheduler.loop.stats().turns();
        boolean moved = scheduler.isPolling() || runs != lastRuns || turns != lastTurns;
        lastRuns = runs;
        lastTurns = turns;
        if (moved) {
            looks = 0;
            reported = false;
            pinReported = false;
        }
        return moved;
    }

    private void blocked(@Nullable Coroutine<?> coroutine) {
        Hold hold = hold(coroutine);
        if (hasMoved()) {
            // What was seen is of something else.
            return;
        }
        boolean waits = coroutine != null && hold.isEndless();
        // One that computed for long, was reported, and then waits is pinned only now.
        boolean isNews = waits ? !pinReported : !reported && looks >= looksUntilBlocked;
        boolean stands = !isNews || report(coroutine, hold);
        if (stands && coroutine != null && hold == Hold.WAITS_FOR_US) {
            // Also if it was reported: it may have caught that and wait once more.
            looks = 0;
            coroutine.pinned();
        }
    }

    // One that computes for long and then waits, just now, looks the same: it waits, and the loop
    // has not moved yet. But then the loop's thread runs. Only a wait that keeps it makes it wait.
    private Hold hold(@Nullable Coroutine<?> coroutine) {
        Thread carrier = scheduler.thread();
        boolean isOurs = coroutine != null && coroutine.fiber().isPinned();
        Thread.State state = carrier == null ? Thread.State.NEW : carrier.getState();
        if (scheduler.current != coroutine) {
            return Hold.COMPUTES;
        }
        return switch (state) {
            case WAITING -> isOurs ? Hold.WAITS_FOR_US : Hold.WAITS_IN_JDK;
            case BLOCKED -> Hold.WAITS_IN_JDK;
            case TIMED_WAITING -> Hold.SLEEPS;
            case NEW, RUNNABLE, TERMINATED -> Hold.COMPUTES;
        };
    }

    /// @return false if the loop has moved
    private boolean report(@Nullable Coroutine<?> coroutine, Hold hold) {
        boolean isStranger = scheduler.carriesStranger;
        Thread blocker = blocker(coroutine);
        var stack = blocker == null ? List.<StackTraceElement>of() : stackOf(blocker);
        String why = HeldLoop.explain(scheduler, hold, stack, coroutine);
        if (hasMoved()) {
            // The stack is of something else.
            return false;
        }
        reported = true;
        pinReported = hold.isEndless();
        Recorder.blockedLoop(coroutine, stack);
        scheduler.options.report(
                Report.Kind.BLOCKED_LOOP,
                who(coroutine, isStranger)
                        + " keeps its loop from running: nothing else has happened on it for "
                        + Duration.ofNanos(looks * periodNanos)
                        + ". "
                        + why,
                stack);
        return true;
    }

    private static List<StackTraceElement> stackOf(Thread thread) {
        return List.of(thread.getStackTrace());
    }

    private @Nullable Thread blocker(@Nullable Coroutine<?> coroutine) {
        if (coroutine != null) {
            return coroutine.fiber().thread();
        }
        Thread teller = scheduler.teller;
        return teller == null ? scheduler.thread() : teller;
    }

    private static String who(@Nullable Coroutine<?> coroutine, boolean isStranger) {
        if (coroutine != null) {
            return WaitLines.origin(coroutine) + ",";
        }
        return isStranger ? STRANGER : "a callback";
    }
}
