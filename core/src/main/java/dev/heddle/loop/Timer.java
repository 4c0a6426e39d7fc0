package dev.heddle.loop;

import dev.heddle.sys.AtomicField;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/// Calls back once after a delay, or again and again.
///
/// Never early. Timers that are due in the same turn fire in order of deadline, equal deadlines in
/// the order they were started. A repeating timer keeps its rhythm: the next deadline counts from
/// the last deadline, not from when the callback got to run; ticks that were missed altogether are
/// skipped, not made up for. The next tick is armed before the callback runs, so that the callback
/// may stop or restart it.
///
/// **Thread:** any for [#start], [#startAt], [#again] and [#stop]; loop for the rest. From another
/// thread than the loop's, `start` takes effect when the loop gets to it, `stop` at once.
public final class Timer extends Source {
    /*
     * `due` is the truth, the queue only an index of it kept by the loop:
     *
     *   IDLE ──start──▶ deadline ──start──▶ another deadline
     *   deadline ──stop──▶ IDLE
     *   deadline ──fire──▶ IDLE, or the next deadline of a repeating timer
     *
     * Each arrow is one atomic step, so of a stop and a firing exactly one wins, whatever thread
     * stops. A thread that is not the loop's leaves the queue alone and posts a [Settling], which makes
     * queue and count agree with `due` again; until then the queue may hold an entry that is stale, and
     * firing notices by comparing.
     */
    private static final long IDLE = Long.MAX_VALUE;
    private static final long LATEST = Long.MAX_VALUE - 1;
    private static final long NO_CLAIM = -1;

    /// The [#place] of a timer that stands in no queue.
    static final int NOWHERE = -1;

    private static final VarHandle DUE = AtomicField.of(MethodHandles.lookup(), "due", long.class);

    // Any thread, see above.
    private volatile long due = IDLE;
    private volatile long repeatNanos;
    private volatile boolean everStarted;
    // Whether it waits for less than a turn, see TurnTasks. Written before `due`, read after it.
    private boolean brief;

    // Loop thread only.
    int place = NOWHERE;
    private long entryDue = IDLE;
    // The deadline for which it stands in the ready queue. NO_CLAIM equals no value of `due`.
    private long claim = NO_CLAIM;
    private final Runnable callback;

    Timer(Engine engine, Runnable callback) {
        super(engine);
        this.callback = Objects.requireNonNull(callback, "callback");
    }

    /// Fires once, `delay` from now. Restarts it if it is started.
    public Timer start(Duration delay) {
        return start(delay, Duration.ZERO);
    }

    /// Fires `delay` from now and then every `repeat`; zero means once.
    public Timer start(Duration delay, Duration repeat) {
        return startNanos(nanosOf(delay), nanosOf(repeat));
    }

    /// [#start(Duration, Duration)] in nanoseconds.
    public Timer startNanos(long delayNanos, long repeat) {
        checkNotNegative(delayNanos, "delay");
        checkNotNegative(repeat, "repeat");
        // A fresh look at the clock: the loop's cached time is older than this moment, and a delay
        // that counts from it would end early. With no delay there is nothing to be early for.
        boolean onLoop = engine.isBoundHere();
        brief = engine.tasks.isBrief(Math.max(delayNanos, repeat));
        long from = delayNanos == 0 && onLoop ? engine.now() : engine.clock.nanos();
        return arm(later(from, delayNanos), repeat, onLoop);
    }

    /// Fires once when the loop's clock reaches `deadlineNanos`; at once if it has.
    public Timer startAt(long deadlineNanos) {
        checkNotNegative(deadlineNanos, "deadline");
        brief = false;
        return arm(Math.min(deadlineNanos, LATEST), 0, engine.isBoundHere());
    }

    /// Starts a repeating timer over, its next tick one whole repeat from now; stops one whose
    /// repeat is zero.
    ///
    /// @throws IllegalStateException if it was never started
    public void again() {
        if (!everStarted) {
            throw new IllegalStateException("again() on a timer that was never started");
        }
        long repeat = repeatNanos;
        if (repeat > 0) {
            arm(later(engine.clock.nanos(), repeat), repeat, engine.isBoundHere());
        } else {
            stop();
        }
    }

    /// Stops it: if this returns true the callback will not run for the deadline that it had. Only
    /// a tick of a repeating timer that the loop is just running, seen from another thread, still
    /// ends.
    ///
    /// @return false if it was not started, or fired already
    public boolean stop() {
        boolean stopped = (long) DUE.getAndSet(this, IDLE) != IDLE;
        if (engine.isBoundHere()) {
            settle();
        } else if (stopped) {
            // A loop that is closed by now has nothing to settle.
            engine.change(new Settling());
        }
        return stopped;
    }

    /// Sets the pause between ticks. It counts from the tick after the one that is armed now.
    public void repeat(Duration repeat) {
        repeatNanos = nanosOf(repeat);
    }

    public Duration repeat() {
        return Duration.ofNanos(repeatNanos);
    }

    /// {@return how long until it fires, zero if it is due; empty-handed it says [Long#MAX_VALUE]}
    public long dueInNanos() {
        long at = due;
        return at == IDLE ? Long.MAX_VALUE : Math.max(0, at - engine.clock.nanos());
    }

    @Override
    public boolean isActive() {
        return due != IDLE;
    }

    @Override
    public String toString() {
        long at = due;
        String rhythm = repeatNanos == 0 ? "once" : "every " + Duration.ofNanos(repeatNanos);
        return at == IDLE
                ? "Timer(stopped)"
                : "Timer(due in " + Duration.ofNanos(dueInNanos()) + ", " + rhythm + ")";
    }

    /// The loop took this timer from its queue because its entry came due.
    ///
    /// @return whether to queue it; false if the entry was stale, or it waits in the ready queue
    boolean takeDue() {
        if (due == entryDue) {
            claim = entryDue;
            // Urgent tasks may have kept it from its turn, and it was restarted meanwhile: then the
            // place that it has in the ready queue serves the new deadline.
            return !isInQueue();
        }
        settle();
        return false;
    }

    /// Fires, if it was not stopped or restarted since it came due.
    @Override
    protected void run() {
        long repeat = repeatNanos;
        long next = repeat == 0 ? IDLE : nextTick(claim, repeat, engine.now());
        if (DUE.compareAndSet(this, claim, next)) {
            if (next == IDLE) {
                // Most timers: it was taken from the queue when it came due.
                setActive(false);
            } else {
                settle();
            }
            engine.fire(this, callback, brief);
        }
    }

    @Override
    protected boolean isIndependent() {
        return true;
    }

    @Override
    void halt() {
        due = IDLE;
        settle();
    }

    private Timer arm(long deadline, long repeat, boolean onLoop) {
        ensureOpen();
        // Compared first: a volatile store costs as much as the rest of this method.
        if (repeatNanos != repeat) {
            repeatNanos = repeat;
        }
        if (!everStarted) {
            everStarted = true;
        }
        if (onLoop) {
            // Release is enough: nothing is read afterwards whose order against this store matters,
            // and a stop by another thread is atomic whichever side of it it falls.
            DUE.setRelease(this, deadline);
            leavePlace();
            // Not by what `due` says now: if another thread has stopped it since, the entry is
            // stale, and that thread's Settling puts things right.
            takePlace(deadline);
            setActive(true);
        } else {
            due = deadline;
            if (!engine.change(new Settling())) {
                due = IDLE;
                throw new RejectedExecutionException("closed: " + engine);
            }
        }
        return this;
    }

    // After a start: a new place in the order even at the old deadline, and no firing any more for
    // the deadline that it may be queued for in this very turn.
    private void resettle() {
        leavePlace();
        settle();
    }

    private void leavePlace() {
        claim = NO_CLAIM;
        if (place != NOWHERE) {
            engine.timers.remove(this);
        }
    }

    private void takePlace(long deadline) {
        entryDue = deadline;
        engine.timers.add(this, deadline, engine.now());
    }

    /// Makes the queue and the loop's count agree with `due`. Idempotent.
    private void settle() {
        if (isClosing()) {
            due = IDLE;
        }
        long wanted = due;
        if (place != NOWHERE && entryDue != wanted) {
            engine.timers.remove(this);
        }
        if (wanted != IDLE && place == NOWHERE) {
            takePlace(wanted);
        }
        setActive(wanted != IDLE);
    }

    // The first tick of the rhythm that lies after `now`.
    private static long nextTick(long last, long repeat, long now) {
        long next = later(last, repeat);
        if (next > now) {
            return next;
        }
        long missed = (now - next) / repeat + 1;
        return later(next, missed * repeat);
    }

    /// {@return the moment `delayNanos` after `from`, for [#startAt]; if that is too far away, one
    /// that is as good as never}
    ///
    /// @param from a moment by the loop's clock; like the delay, never negative
    public static long later(long from, long delayNanos) {
        long sum = from + delayNanos;
        return sum < 0 || sum > LATEST ? LATEST : sum;
    }

    private static void checkNotNegative(long nanos, String what) {
        if (nanos < 0) {
            throw new IllegalArgumentException(
                    what + " must not be negative, but is " + nanos + " ns");
        }
    }

    /// {@return the duration in nanoseconds; 292 years, which is as good as for ever, if it is
    /// longer}
    ///
    /// @throws IllegalArgumentException if it is negative
    public static long nanosOf(Duration duration) {
        if (Objects.requireNonNull(duration, "duration").isNegative()) {
            throw new IllegalArgumentException("duration must not be negative, but is " + duration);
        }
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return LATEST;
        }
    }

    /// What another thread did, put into effect by the loop.
    ///
    /// **Thread:** loop.
    private final class Settling extends Task {
        @Override
        protected void run() {
            resettle();
        }

        @Override
        protected void drop() {
            // Started, but the loop ends before it has heard of it.
            due = IDLE;
        }
    }
}
