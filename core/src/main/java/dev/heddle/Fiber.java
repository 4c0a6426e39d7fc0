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
     *
     * One that becomes urgent while it is linked cannot be taken out of the middle of the queue. Its place
     * there becomes void, and until that is reached a task of its own stands for it, `deputised`.
     */
    private static final String OVER = "the program has ended";

    final Coroutine<?> coroutine;
    final Scheduler scheduler;

    // The thread it runs on; made by the spawner if the coroutine inherits something, else given
    // when it begins.
    private @Nullable Strand strand;
    private boolean linked;
    private boolean isVoid;
    private boolean deputised;
    private boolean started;
    private boolean sleeping;
    private long sleepsSince;
    private @Nullable String sleepsAt;

    // The thread's own, once the loop is gone.
    private int refusals;

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
            enqueue(this, first);
        } else if (isVoid && !deputised) {
            deputise(first);
        }
    }

    private void enqueue(Task task, boolean first) {
        if (first) {
            scheduler.loop.enqueueFirst(task);
        } else {
            scheduler.loop.enqueue(task);
        }
    }

    /// Lets it run before all others.
    void promote() {
        if (linked && !isVoid) {
            isVoid = true;
            deputise(true);
        }
    }

    private void deputise(boolean first) {
        deputised = true;
        enqueue(
                new Task() {
                    @Override
                    protected void run() {
                        deputised = false;
                        runNow();
                    }
                },
                first);
    }

    /// Its turn has come.
    @Override
    protected void run() {
        linked = false;
        if (isVoid) {
            isVoid = false;
        } else {
            runNow();
        }
    }

    @Override
    protected boolean isIndependent() {
        return true;
    }

    @Override
    public long number() {
        return coroutine.id();
    }

    void runNow() {
        if (scheduler.probe != null) {
            scheduler.probe.runs(coroutine);
        }
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
        if (coroutine.hasHint()) {
            coroutine.ranOn();
        }
        if (scheduler.probe != null && sleeping && state() == State.WAITING) {
            scheduler.probe.parked(coroutine);
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
            if (coroutine.isFinished()) {
                throw noThread;
            }
            // Not even a thread could be made: the coroutine ends by that.
            coroutine.endUnbegun(noThread);
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
        return !started && !isVoid && strand == null && state() == State.QUEUED;
    }

    /// It was taken from the ready queue by somebody who begins it.
    void taken() {
        linked = false;
    }

    @Override
    protected void drop() {
        Owned<?, ?> owned = coroutine.unbegun();
        if (strand != null && started) {
            strand.runLate();
        } else if (owned != null) {
            closeAtTheEnd(owned);
        }
    }

    private static void closeAtTheEnd(Owned<?, ?> owned) {
        try {
            owned.close();
        } catch (Exception failed) {
            throw new IllegalStateException("could not close what a coroutine owned", failed);
        }
    }

    /// The program has ended, and the coroutine, which goes on elsewhere, calls us: it is
    /// cancelled; if it swallows that, refused; and if it swallows that too, stopped for good, or
    /// it might spin for ever.
    void refuse() {
        refusals = Math.min(refusals + 1, 3);
        if (refusals == 1) {
            throw new Cancellation(OVER, null, false);
        }
        if (refusals == 2) {
            throw new IllegalStateException(OVER);
        }
        while (true) {
            LockSupport.park(this);
            Thread.interrupted();
        }
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
        try {
            Thread.yield();
        } finally {
            // Also if there is no memory to leave the thread, which is thrown here.
            resumed();
        }
    }

    boolean isStarted() {
        return started;
    }

    /// {@return the thread; null before it begins, if it inherits nothing, and after its end}
    @Nullable Thread thread() {
        // Read once: other threads ask too, and the loop may just take it away.
        Strand current = strand;
        return current == null ? null : current.thread;
    }

    /// {@return whether it sleeps in a call of the JDK}
    boolean isInJdk() {
        return started && scheduler.current != coroutine && !isOurs();
    }

    private boolean isOurs() {
        return state() == State.WAITING || state() == State.QUEUED;
    }

    void firstInQueue() {
        queueFirst();
        link(false);
    }

    /// [#firstInQueue], unless it got that far before the stack ran out.
    void firstInQueueAtLast() {
        if (!isInQueue()) {
            linked = false;
            firstInQueue();
        }
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

    /// The coroutine has ended: its thread serves others, and whoever keeps its handle does not
    /// keep what it waited for last.
    void leaveThread() {
        strand = null;
        forget();
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
        return OperationCancelledException.onLoop(
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
