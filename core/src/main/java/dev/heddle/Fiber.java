package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.TimerEvent;
import dev.heddle.event.Waker;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/// The waker of a coroutine, and its place in the ready queue: waking allocates nothing.
///
/// **Thread:** loop.
final class Fiber extends Waker {
    /*
     * A coroutine sleeps in one of three ways:
     *
     *   in a wait of ours    LockSupport.park; the waker is WAITING. The answer queues this task; when
     *                        its turn comes the loop unparks the thread and runs its continuation.
     *   in suspend()         Thread.yield; the waker is QUEUED. The JDK calls Strand.execute: queued.
     *   in a call of the JDK a lock, a socket, sleep; the waker is not WAITING. Whoever wakes the thread
     *                        makes the JDK call Strand.execute, from any thread.
     *
     * The continuation may also be run for no reason (a stranger unparks, a stack trace is taken). That
     * is harmless: running one that is not runnable does nothing, and a thread that wakes while the
     * waker is WAITING parks again.
     *
     * `linked` says that the task stands in the ready queue, and is the loop's alone. Another thread that
     * wakes the virtual thread posts a task of its own: the link would need an atomic flag, which every
     * switch would pay for. Both may be queued at once; the second finds nothing to do.
     */
    final Coroutine<?> coroutine;
    final Scheduler scheduler;

    // The thread it runs on; made by the spawner if the coroutine inherits something, else given
    // when
    // it begins.
    private @Nullable Strand strand;
    private boolean linked;
    private boolean started;
    private boolean sleeping;
    private long sleepsSince;
    private @Nullable String sleepsAt;

    // The thread's own, once the loop is gone.
    private boolean refused;

    Fiber(Coroutine<?> coroutine, Scheduler scheduler, @Nullable String name) {
        this.coroutine = coroutine;
        this.scheduler = scheduler;
        if (scheduler.options.debug || Carrier.hasHeirs(scheduler.classLoader())) {
            strand = Strand.heir(scheduler, name);
        }
    }

    // ---- being scheduled ----

    @Override
    protected void enqueue() {
        // From here on it does not count as waiting. Not only when it runs: a thread whose stack is
        // being read cannot run, its wake-up is put off, and nobody must take that for a deadlock.
        if (sleeping) {
            scheduler.waiting--;
        }
        link(coroutine.isHighPriority());
    }

    void link(boolean first) {
        if (!linked) {
            linked = true;
            if (first) {
                scheduler.loop.enqueueFirst(this);
            } else {
                scheduler.loop.enqueue(this);
            }
        }
    }

    /// Lets it run before all others. If it stands in the queue already it cannot be taken out of
    /// the middle: it is run from the front, and its old place finds nothing to do.
    void promote() {
        if (linked) {
            scheduler.loop.enqueueFirst(
                    new Task() {
                        @Override
                        protected void run() {
                            runNow();
                        }
                    });
        }
    }

    /// Its turn has come.
    @Override
    protected void run() {
        linked = false;
        runNow();
    }

    void runNow() {
        if (coroutine.isFinished()) {
            return;
        }
        if (state() == State.IGNORED) {
            coroutine.endUnstarted();
            return;
        }
        scheduler.beginRun(coroutine);
        try {
            resume();
        } finally {
            scheduler.endRun();
        }
    }

    private void resume() {
        boolean parked = sleeping && state() == State.QUEUED;
        try {
            if (!started) {
                begin(strand == null ? scheduler.strands.take() : strand);
            }
            Objects.requireNonNull(strand).resume(parked);
        } catch (OutOfMemoryError noThread) {
            if (!started || coroutine.isFinished()) {
                throw noThread;
            }
            // Not even a thread could be made: the coroutine ends by that.
            coroutine.returnedWith(new Outcome.Failure<>(noThread));
            coroutine.end();
        }
    }

    /// It will run on this thread.
    void begin(Strand thread) {
        strand = thread;
        started = true;
        thread.assign(this);
    }

    /// It runs, for the first time. On its thread.
    void hasBegun() {
        resumed();
    }

    /// {@return whether any idle thread will do, and it can begin at once}
    boolean canBeginAnywhere() {
        return !started && strand == null && state() == State.QUEUED;
    }

    /// It was taken from the ready queue by somebody who begins it.
    void taken() {
        linked = false;
    }

    @Override
    protected void drop() {
        if (strand != null && started) {
            strand.runLate();
        }
    }

    /// The program has ended, and the coroutine, which goes on elsewhere, calls us: it is
    /// cancelled. Whoever swallows that and calls again is stopped for good, or it might spin for
    /// ever.
    void refuse() {
        while (refused) {
            LockSupport.park(this);
            Thread.interrupted();
        }
        refused = true;
        throw new Cancellation("the program has ended", null, false);
    }

    // ---- sleeping, called by the coroutine itself ----

    @Override
    protected void park() {
        scheduler.deadlocks.beforeWait(this);
        sleeping = true;
        sleepsSince = scheduler.loop.now();
        if (scheduler.options.debug) {
            sleepsAt = Place.ofCaller();
        }
        scheduler.waiting++;
        try {
            parkUntilAnswered();
        } finally {
            if (state() == State.WAITING) {
                scheduler.waiting--;
            }
            sleeping = false;
        }
    }

    private void parkUntilAnswered() {
        Object reason = blocker();
        do {
            LockSupport.park(reason);
            if (Thread.interrupted()) {
                coroutine.interrupted();
            }
            coroutine.throwIfPinned();
        } while (state() == State.WAITING);
    }

    /// Lets all others that are ready run first.
    @SuppressWarnings("ThreadPriorityCheck") // The scheduler is ours: it puts us last.
    void yieldNow() {
        queueWithoutWait();
        Thread.yield();
        resumed();
    }

    boolean isStarted() {
        return started;
    }

    /// {@return the thread; null before it begins, if it inherits nothing}
    @Nullable Thread thread() {
        return strand == null ? null : strand.thread;
    }

    /// {@return whether it sleeps in a call of the JDK}
    boolean isInJdk() {
        return started && scheduler.current != coroutine && !isOurs();
    }

    /// {@return whether it sleeps in a wait of ours, or waits for its turn after one}
    boolean isOurs() {
        return state() == State.WAITING || state() == State.QUEUED;
    }

    void firstInQueue() {
        queueFirst();
        link(false);
    }

    void ignoreIfUnstarted() {
        if (!started) {
            ignore();
        }
    }

    /// {@return whether it sleeps in a wait of ours}
    boolean isSleeping() {
        return sleeping;
    }

    /// {@return when it last went to sleep in a wait of ours, by the loop's time}
    long sleepsSince() {
        return sleepsSince;
    }

    /// {@return the line of the program that did, in debug mode; else empty}
    String sleepsAt() {
        return sleepsAt == null ? "" : sleepsAt;
    }

    /// {@return whether it sleeps in a wait of ours, though its loop runs it: then it holds on to
    /// the loop's thread, and nobody can ever wake it. Any thread, if the loop has not moved for
    /// long}
    boolean isPinned() {
        Thread mine = thread();
        return mine != null && state() == State.WAITING && mine.getState() == Thread.State.WAITING;
    }

    /// {@return what it waits for, or is about to: the first of the events}
    @Nullable Event<?> awaitsFirst() {
        return firstAwaited();
    }

    /// The coroutine has ended: its thread serves others.
    void leaveThread() {
        strand = null;
    }

    // What a thread dump shows as the reason: the class of the event.
    private Object blocker() {
        Event<?> first = firstAwaited();
        return first == null ? this : first;
    }

    // ---- what ends a wait ----

    @Override
    protected Loop loop() {
        return scheduler.loop;
    }

    @Override
    protected Throwable timedOut(Event<?> timeout) {
        return new OperationCancelledException(
                "no result within " + ((TimerEvent) timeout).delay(), null, true);
    }

    @Override
    protected Throwable cancelledBy(Event<?> token, @Nullable Throwable reason) {
        return Token.verdict(token, reason);
    }

    @Override
    public String toString() {
        return coroutine.info();
    }
}
