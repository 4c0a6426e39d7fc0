package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/// A virtual thread that runs coroutines, one after another: whoever ends leaves its thread to the
/// next. Making a virtual thread and ending it costs more than everything else about a coroutine.
///
/// Nothing of one coroutine is seen by the next: what the JDK keeps in a thread is wiped, and a
/// thread that cannot be wiped is not used again. While a flight recording runs, and in debug mode,
/// none is: a recording shows events by thread, and would mix up those of several. A coroutine that
/// inherits something from its spawner (inheritable thread locals, scoped values, another class
/// loader) gets a thread that was made by it.
///
/// **Thread:** loop; [#execute] any.
final class Strand implements Executor, Runnable {
    /*
     *            a coroutine is assigned              it ends, and none waits to begin
     *   IDLE ──────────────────────────▶ BUSY ──────────────────────────────────────▶ IDLE (pooled)
     *                                     │ ▲  it ends, and one waits to begin: at once, without
     *                                     └─┘  leaving the thread
     *   IDLE ──pool is full, or the loop ends──▶ the thread ends
     *
     * An idle one has yielded, which the JDK takes for runnable: it calls `execute`, and is ignored.
     * One that is neither idle nor has a coroutine tells the end of its last: a handler that it calls may
     * park, on a logger's lock say, and then the loop carries it although it has no coroutine.
     *
     * A thread that is started on this one, by a library say, inherits its scheduler: its continuations come
     * here too. They are sent on to the JDK's own scheduler: only coroutines run on a loop.
     */
    final Scheduler scheduler;
    final Thread thread;

    // Written by the loop when the thread is started, before anybody else can have reason to run
    // it.
    private volatile @Nullable Runnable continuation;

    // Loop thread only.
    private @Nullable Fiber fiber;
    private boolean resuming;
    private boolean idle;
    private boolean started;

    private Strand(Scheduler scheduler, boolean inherits, @Nullable String name) {
        this.scheduler = scheduler;
        thread =
                inherits
                        ? Carrier.newHeir(this, name, this)
                        : Carrier.newThread(this, name, this, scheduler.classLoader());
    }

    /// {@return one for any coroutine that inherits nothing}
    static Strand plain(Scheduler scheduler) {
        return new Strand(scheduler, false, null);
    }

    /// {@return one that has what children inherit from the calling thread}
    static Strand heir(Scheduler scheduler, @Nullable String name) {
        return new Strand(scheduler, true, name);
    }

    /// The JDK has a continuation to run: of this thread, or of one that was made inside it and
    /// inherited its scheduler. Never parks, and throws nothing but an OutOfMemoryError, after
    /// which the JDK tries again: the thread would be lost.
    @Override
    public void execute(Runnable task) {
        boolean onLoop = Thread.currentThread() == scheduler.thread();
        if (onLoop && resuming) {
            if (continuation == null) {
                continuation = task;
            }
            if (task == continuation) {
                return;
            }
        }
        if (task != continuation) {
            scheduler.runStranger(task);
        } else if (!scheduler.isHere()) {
            scheduler.postOrRun(this);
        } else if (fiber != null) {
            fiber.link(false);
        } else if (!idle) {
            scheduler.carry(task, thread);
        }
    }

    // ---- on the loop's own thread ----

    /// Gives it its next coroutine, which begins when [#resume] is called.
    void assign(Fiber next) {
        fiber = next;
        idle = false;
        String name =
                scheduler.strands.isRecorded() ? next.coroutine.name() : next.coroutine.givenName();
        if (name != null && !thread.getName().equals(name)) {
            thread.setName(name);
        }
    }

    /// Runs the coroutine on, until it suspends or ends.
    ///
    /// @param parked whether it sleeps in a wait of ours
    void resume(boolean parked) {
        resuming = true;
        try {
            if (!started) {
                started = true;
                thread.start();
            } else if (parked) {
                LockSupport.unpark(thread);
            }
        } finally {
            resuming = false;
        }
        Objects.requireNonNull(continuation).run();
    }

    /// Another thread woke it.
    void nudged() {
        if (fiber != null) {
            fiber.runNow();
        } else if (!idle) {
            scheduler.runCarried(Objects.requireNonNull(continuation), thread);
        }
    }

    /// The loop is gone. A coroutine must be able to return from a call of the JDK, elsewhere, or
    /// from a suspend; in a wait of ours it is abandoned, whoever unparks it. Any thread.
    void runLate() {
        Runnable rest = continuation;
        Fiber abandoned = fiber;
        if (rest != null && (abandoned == null || !abandoned.isSleeping())) {
            LateThreads.run(abandoned, rest);
        }
    }

    /// Lets an idle thread end.
    void end() {
        fiber = null;
        idle = false;
        Objects.requireNonNull(continuation).run();
    }

    // ---- on the virtual thread ----

    /// What its thread does. Not a method reference: that would be one more object for each.
    @Override
    public void run() {
        Fiber next = fiber;
        while (next != null) {
            next.hasBegun();
            next.coroutine.live();
            fiber = null;
            if (scheduler.isHere()) {
                scheduler.ended(next);
            }
            // Asked again, and wiped after the handlers: they are user code too, and may have
            // waited.
            boolean again =
                    scheduler.isHere()
                            && scheduler.strands.reuse()
                            && Carrier.wipe(thread, scheduler.classLoader());
            // First nothing: an idle thread would keep what has ended, and its result, for as long
            // as it waits here.
            next = null;
            if (again) {
                next = following();
            }
        }
    }

    // Yielding is not a hint here: it is how a virtual thread comes back to its scheduler.
    @SuppressWarnings("ThreadPriorityCheck")
    private @Nullable Fiber following() {
        Fiber next = scheduler.beginNextOn(this);
        if (next == null && scheduler.strands.keep(this)) {
            idle = true;
            Thread.yield();
            // Who interrupted it while it was idle meant the coroutine that has ended.
            Thread.interrupted();
            next = fiber;
        }
        return next;
    }
}
