package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.TimerEvent;
import dev.heddle.event.Waker;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/// The virtual thread of one coroutine, its scheduler, and its place in the ready queue, all in
/// one: waking allocates nothing and works when memory has run out.
///
/// **Thread:** loop; [#execute] any.
final class Fiber extends Waker implements Executor {
    /*
     * A coroutine sleeps in one of three ways:
     *
     *   in a wait of ours    LockSupport.park; the waker is WAITING. The answer queues this task; when
     *                        its turn comes the loop unparks the thread and runs its continuation.
     *   in suspend()         Thread.yield; the waker is QUEUED. The JDK calls `execute`, which queues.
     *   in a call of the JDK a lock, a socket, sleep; the waker is not WAITING. Whoever wakes the thread
     *                        makes the JDK call `execute`, from any thread.
     *
     * `execute` may also be called for no reason (a stranger unparks, a stack trace is taken). That is
     * harmless: running a continuation that is not runnable does nothing, and a thread that wakes while
     * the waker is WAITING parks again.
     *
     * `scheduled` says that the task stands in a queue. Set by whoever queues, by compare-and-set, since
     * the link can be in one queue only; cleared by the loop before it runs the continuation. Both sides
     * write before they read (state of the thread, then flag; flag, then state), so that a wake-up at
     * that moment is seen by one of them.
     */
    private static final VarHandle SCHEDULED;

    static {
        try {
            SCHEDULED =
                    MethodHandles.lookup().findVarHandle(Fiber.class, "scheduled", boolean.class);
        } catch (ReflectiveOperationException cause) {
            throw new ExceptionInInitializerError(cause);
        }
    }

    final Coroutine<?> coroutine;
    final Scheduler scheduler;
    final Thread thread;

    // Any thread, see above.
    @SuppressWarnings("UnusedVariable") // by SCHEDULED
    private volatile boolean scheduled;

    // Written by the loop when the thread is started, before anybody else can have reason to run
    // it.
    private volatile @Nullable Runnable continuation;

    // Loop thread only.
    private boolean started;
    private boolean resuming;
    private boolean sleeping;

    Fiber(Coroutine<?> coroutine, Scheduler scheduler, @Nullable String name) {
        this.coroutine = coroutine;
        this.scheduler = scheduler;
        thread = Carrier.newThread(this, name, coroutine::live);
        Carrier.inheritBindings(thread);
    }

    // ---- being scheduled ----

    /// The JDK has a continuation to run: of this thread, or of one that was made inside it and
    /// inherited its scheduler. Never throws and never parks: the thread would be lost.
    @Override
    public void execute(Runnable task) {
        boolean byUs = resuming && Thread.currentThread() == scheduler.thread();
        if (byUs && continuation == null) {
            continuation = task;
        }
        if (task != continuation) {
            scheduler.carry(task);
        } else if (!byUs) {
            // Behind all others, whatever its priority: this may be a suspend(), which lets them
            // run.
            schedule(false);
        }
    }

    @Override
    protected void enqueue() {
        schedule(coroutine.isHighPriority());
    }

    private void schedule(boolean first) {
        if (SCHEDULED.compareAndSet(this, false, true)) {
            scheduler.queue(this, first);
        }
    }

    /// Lets it run before all others. If it stands in the queue already it cannot be taken out of
    /// the middle: it is run from the front, and its old place finds nothing to do.
    void promote() {
        if (scheduled) {
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
        SCHEDULED.setVolatile(this, false);
        runNow();
    }

    private void runNow() {
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
        if (coroutine.hasReturned()) {
            coroutine.end();
        }
    }

    private void resume() {
        resuming = true;
        try {
            if (!started) {
                started = true;
                resumed();
                thread.start();
            } else if (sleeping && state() == State.QUEUED) {
                LockSupport.unpark(thread);
            }
        } catch (Throwable refused) {
            // No memory to start a thread: the coroutine ends by that.
            coroutine.returnedWith(new Outcome.Failure<>(refused));
            return;
        } finally {
            resuming = false;
        }
        Objects.requireNonNull(continuation).run();
    }

    /// The loop is gone: what is left of the coroutine runs elsewhere.
    void runLate() {
        SCHEDULED.setVolatile(this, false);
        Runnable rest = continuation;
        if (rest != null) {
            rest.run();
        }
    }

    @Override
    protected void drop() {
        scheduler.runElsewhere(this::runLate);
    }

    // ---- sleeping, called by the coroutine itself ----

    @Override
    protected void park() {
        scheduler.deadlocks.beforeWait(this);
        sleeping = true;
        scheduler.waiting++;
        try {
            parkUntilAnswered();
        } finally {
            scheduler.waiting--;
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

    /// {@return whether it sleeps in a call of the JDK}
    boolean isInJdk() {
        return started && scheduler.current != coroutine && !isOurs();
    }

    private boolean isOurs() {
        return state() == State.WAITING || state() == State.QUEUED;
    }

    void firstInQueue() {
        queueFirst();
        schedule(false);
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

    /// {@return whether it sleeps in a wait of ours, though its loop runs it: then it holds on to
    /// the loop's thread, and nobody can ever wake it. Any thread, if the loop has not moved for
    /// long}
    boolean isPinned() {
        return state() == State.WAITING && thread.getState() == Thread.State.WAITING;
    }

    /// {@return what it waits for, or is about to: the first of the events}
    @Nullable Event<?> awaitsFirst() {
        return firstAwaited();
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
