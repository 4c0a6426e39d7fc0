package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Notices when a coroutine or a callback keeps its loop from running, and says which and where;
/// and when many together keep each other waiting, see [Lag].
///
/// It looks a few times within the limit: if the loop is not waiting for the kernel, and neither
/// has begun a turn nor given itself to another coroutine for as many looks as make up the limit,
/// it is blocked. Looks are counted, not time: a process that is stopped as a whole, by a debugger
/// or a lid, stops the watchdog too, and that costs one look.
///
/// The loop pays two stores for each wait and reads no clock.
///
/// **Thread:** its own, one for each loop that runs; a daemon, gone when the run ends.
final class Watchdog implements AutoCloseable {
    // How many looks without a sign of life are too many.
    private static final int LOOKS_MAX = 4;
    private static final long PERIOD_MIN_NANOS = 1_000_000;
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private static final String PINNED =
            "It waits, and a class initialiser or a native frame on its stack keeps the loop's"
                    + " thread with it: the wait ends with an exception";
    private static final String STRANGER =
            "a virtual thread that a coroutine started, and for which this JDK shows no other"
                    + " scheduler,";
    private static final String ADVICE =
            "What computes for long or blocks belongs into Heddle.offload";

    // While the loop lags: how often to see who runs, between two looks.
    private static final int SAMPLES = 20;

    private final Scheduler scheduler;
    private final Lag lag;
    private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::watch);
    private volatile boolean closed;

    // Whoever looks: its own thread, or a test.
    private long lastRuns = -1;
    private long lastTurns;
    private int looks;
    private boolean reported;
    private boolean pinReported;

    Watchdog(Scheduler scheduler) {
        this.scheduler = scheduler;
        lag = new Lag(scheduler);
    }

    /// Begins to watch, unless the options say not to.
    void start() {
        if (scheduler.options.blockedNanos > 0) {
            thread.setName("heddle-watchdog");
            thread.start();
        }
    }

    /// Ends the watch: no report comes after it.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (!thread.isAlive()) {
            return;
        }
        try {
            thread.join(END_LIMIT);
        } catch (InterruptedException meant) {
            // For whoever called run: it goes away by itself.
            Thread.currentThread().interrupt();
        }
    }

    private void watch() {
        long period = Math.max(PERIOD_MIN_NANOS, scheduler.options.blockedNanos / LOOKS_MAX);
        while (!closed) {
            pause(period);
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
        if (hasMoved()) {
            if (lag.look() >= LOOKS_MAX) {
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
                        + Duration.ofNanos(scheduler.options.blockedNanos)
                        + ", since all that are compute for longer. "
                        + lag.told()
                        + ". "
                        + ADVICE,
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
        boolean pinned = coroutine != null && isPinned(coroutine);
        if (hasMoved()) {
            // What was seen is of something else.
            return;
        }
        // One that computed for long, was reported, and then waits is pinned only now.
        boolean isNews = pinned ? !pinReported : !reported;
        if ((!isNews || report(coroutine, pinned)) && coroutine != null && pinned) {
            // Also if it was reported: it may have caught that and wait once more.
            looks = 0;
            coroutine.pinned();
        }
    }

    // One that computes for long and then waits, just now, looks the same: it waits, and the loop
    // has not moved yet. But then the loop's thread runs. Only a wait that keeps it makes it wait.
    private boolean isPinned(Coroutine<?> coroutine) {
        Thread carrier = scheduler.thread();
        return coroutine.fiber().isPinned()
                && carrier != null
                && carrier.getState() == Thread.State.WAITING
                && scheduler.current == coroutine;
    }

    /// @return false if the loop has moved
    private boolean report(@Nullable Coroutine<?> coroutine, boolean pinned) {
        boolean isStranger = scheduler.carriesStranger;
        Thread blocker = blocker(coroutine);
        var stack = blocker == null ? List.<StackTraceElement>of() : stackOf(blocker);
        if (hasMoved()) {
            // The stack is of something else.
            return false;
        }
        reported = true;
        pinReported = pinned;
        Recorder.blockedLoop(coroutine, stack);
        scheduler.options.report(
                Report.Kind.BLOCKED_LOOP,
                who(coroutine, isStranger)
                        + " keeps its loop from running: nothing else has happened on it for "
                        + Duration.ofNanos(scheduler.options.blockedNanos)
                        + ". "
                        + (pinned ? PINNED : ADVICE),
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
