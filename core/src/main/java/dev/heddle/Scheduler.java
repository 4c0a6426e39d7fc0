package dev.heddle;

import dev.heddle.loop.Embedder;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;
import dev.heddle.loop.Work;
import dev.heddle.sys.AtomicField;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/// The coroutines of one loop: who runs, who is there, and whether anybody still can be woken.
///
/// **Thread:** loop, except what is marked.
final class Scheduler implements Embedder {
    private static final VarHandle RUNS =
            AtomicField.of(MethodHandles.lookup(), "runs", long.class);
    private static final VarHandle POLLING =
            AtomicField.of(MethodHandles.lookup(), "polling", boolean.class);

    // Operations that need not park may go on this often before they let the others run.
    private static final int BUDGET = 128;

    private static final long QUIET_NANOS = 1_000_000;

    final HeddleOptions options;
    final @Nullable Probe probe;
    final Loop loop;
    final Windows windows;
    final Strands strands = new Strands(this);

    // Where virtual threads run that coroutines start; null for the loop.
    private final @Nullable Executor strangers;
    final Registry registry = new Registry();
    final ScopeNode root;
    final Lifecycle lifecycle;
    final Deadlocks deadlocks;
    private final ZombieLog zombieLog;
    final Neglect.All neglected = new Neglect.All();
    final Bridge.All bridges = new Bridge.All();

    // Written by the loop; read by any, to find out whether it is itself that runs: no other can
    // ever see itself there.
    @Nullable Coroutine<?> current;

    // Written by the loop, read by the watchdog. What is on the loop while no coroutine is: the
    // thread of one that has ended, in its handlers; or a thread that a coroutine started.
    @Nullable Thread teller;
    boolean carriesStranger;

    // Written by the loop in release mode, which costs it nothing, and read by the watchdog: it
    // sees each a little late and never going back, which is all it needs to tell whether they
    // move.
    @SuppressWarnings("UnusedVariable") // by RUNS
    private long runs;

    @SuppressWarnings("UnusedVariable") // by POLLING
    private boolean polling;

    volatile @Nullable Coroutine<?> pinned;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;
    private volatile @Nullable ClassLoader classLoader;

    // Loop thread only. Coroutines that are not zombies, zombies, and those of both that wait.
    int active;
    int zombies;
    int waiting;

    // Handlers of ends that stand in the queue, or have begun: they may park in a call of the JDK.
    // The program is not over before they ran.
    int callbacks;
    private int budget = BUDGET;
    private @Nullable CallerInterrupts interrupts;
    // In which run somebody asked first how long it has computed, and when.
    private long computes;
    private long computesSince;
    final HalfSpawned halfSpawned = new HalfSpawned(this);
    private long lastId;
    private long lastScopeId;

    Scheduler(HeddleOptions options) throws IOException {
        this.options = options;
        probe = options.probe;
        strangers = probe != null && probe.carriesStrangers() ? null : Carrier.defaultScheduler();
        loop = Loop.open(options.loopOptions().embedder(this).onError(this::callbackFailed));
        windows = new Windows(this);
        root = ScopeNode.root(this);
        lifecycle = new Lifecycle(this);
        deadlocks = new Deadlocks(this);
        zombieLog = new ZombieLog(this);
    }

    // ---- spawning ----

    long nextId() {
        return ++lastId;
    }

    long nextScopeId() {
        return ++lastScopeId;
    }

    <T> Coroutine<T> spawn(ScopeNode scope, @Nullable String name, Callable<? extends T> body) {
        String cancelled = scope.isBeingCancelledFor(current);
        if (cancelled == null) {
            scope.ensureOpen("spawn a coroutine");
        }
        var coroutine = new Coroutine<T>(this, scope, name, body);
        try {
            register(coroutine);
            coroutine.fiber().firstInQueue();
            if (cancelled != null) {
                coroutine.bornCancelled(cancelled);
            }
        } catch (StackOverflowError overflow) {
            // Somewhere between two steps. Only stores here: there is no stack for more.
            coroutine.nextHalfSpawned = halfSpawned.first;
            halfSpawned.first = coroutine;
            throw overflow;
        }
        return coroutine;
    }

    void register(Coroutine<?> coroutine) {
        registry.add(coroutine);
        if (coroutine.home().isOfZombie()) {
            zombies++;
        } else {
            active++;
        }
        coroutine.home().add(coroutine);
    }

    /// It has ended.
    void remove(Coroutine<?> coroutine) {
        registry.remove(coroutine);
        if (coroutine.isZombie()) {
            zombies--;
            zombieLog.ended();
        } else {
            active--;
        }
        if (probe != null) {
            probe.ended(coroutine, registry.size());
        }
    }

    void becameZombie(Coroutine<?> coroutine, String why) {
        zombieLog.became(coroutine, why);
    }

    /// So many that were active are zombies from now on.
    void countAsZombies(int count) {
        active -= count;
        zombies += count;
    }

    // ---- running ----

    void beginRun(Coroutine<?> coroutine) {
        current = coroutine;
        budget = BUDGET;
        RUNS.setRelease(this, runs + 1);
    }

    /// {@return how often a coroutine was given the loop. Any thread}
    long runs() {
        return (long) RUNS.getAcquire(this);
    }

    void endRun() {
        current = null;
        if (halfSpawned.first != null || halfSpawned.orphans != null) {
            halfSpawned.endAll();
        }
    }

    /// A virtual thread was woken. Any thread but the loop's.
    void postOrRun(Strand strand) {
        var nudge =
                new Task() {
                    @Override
                    protected void run() {
                        strand.nudged();
                    }

                    @Override
                    protected void drop() {
                        strand.runLate();
                    }
                };
        if (!loop.postIfOpen(nudge)) {
            strand.runLate();
        }
    }

    /// The body of a coroutine has returned, on its virtual thread: tells everybody.
    void ended(Fiber fiber) {
        endRun();
        teller = fiber.thread();
        fiber.leaveThread();
        callbacks++;
        try {
            fiber.coroutine.end();
        } catch (Throwable thrown) {
            loop.report(thrown, fiber);
        } finally {
            callbacks--;
            teller = null;
        }
    }

    /// Lets a coroutine that waits to begin have the thread at once, if its turn has come.
    ///
    /// @return that coroutine's fiber, begun
    @Nullable Fiber beginNextOn(Strand strand) {
        if (probe == null && loop.nextReady() instanceof Fiber next && next.canBeginAnywhere()) {
            loop.takeNextReady();
            next.taken();
            next.begin(strand);
            beginRun(next.coroutine);
            return next;
        }
        return null;
    }

    /// Runs the continuation of a virtual thread that is no coroutine but was made inside one and
    /// inherited its scheduler: beside the loop, if that can be. Any thread.
    void runStranger(Runnable continuation) {
        if (strangers != null) {
            strangers.execute(continuation);
        } else {
            carry(continuation, null);
        }
    }

    /// Runs the continuation of a virtual thread that is no coroutine on the loop. Any thread.
    ///
    /// @param carried the thread, if it is one of ours that tells the end of its coroutine
    void carry(Runnable continuation, @Nullable Thread carried) {
        var task =
                new Task() {
                    @Override
                    protected void run() {
                        runCarried(continuation, carried);
                    }

                    @Override
                    protected void drop() {
                        LateThreads.run(null, continuation);
                    }
                };
        if (!closed && Carrier.current() == thread) {
            loop.enqueue(task);
        } else if (!loop.postIfOpen(task)) {
            LateThreads.run(null, continuation);
        }
    }

    void runCarried(Runnable continuation, @Nullable Thread carried) {
        teller = carried;
        carriesStranger = carried == null;
        try {
            continuation.run();
        } finally {
            // A thread that told the end of a coroutine may have begun with the next.
            current = null;
            teller = null;
            carriesStranger = false;
        }
    }

    /// Runs `change` now if the caller is on the loop, else when the loop gets to it. Any thread.
    void onLoop(Runnable change) {
        if (isHere()) {
            change.run();
        } else {
            loop.postIfOpen(Task.of(change));
        }
    }

    /// Runs `callback` in the next turn, from a fresh stack.
    void soon(Runnable callback) {
        loop.enqueue(
                new Task() {
                    @Override
                    protected void run() {
                        callbacks--;
                        callback.run();
                    }

                    // What waits here cleans up: a loop that ends still does it.
                    @Override
                    protected void drop() {
                        callback.run();
                    }
                });
        // Afterwards: a stack that runs out above leaves nothing that is counted and never runs.
        callbacks++;
    }

    /// {@return whether the caller runs on this loop. Any thread}
    boolean isHere() {
        return !closed && Carrier.current() == thread;
    }

    /// @param what was tried, for the message
    /// @throws WrongLoopException if the caller is on another loop
    /// @throws WrongThreadException if it is on none
    /// @throws IllegalStateException if the program has ended
    void ensureHere(String what) {
        if (isHere()) {
            return;
        }
        if (closed) {
            throw new IllegalStateException(what + " after the program has ended: " + loop);
        }
        Scheduler other = Schedulers.here();
        if (other != null) {
            throw new WrongLoopException(what, loop, other.loop);
        }
        throw new WrongThreadException(
                what
                        + " on "
                        + Thread.currentThread()
                        + ", but it belongs to "
                        + loop
                        + ": do it in a coroutine of that loop, or see Loop.post");
    }

    @Override
    public boolean carries(Thread candidate) {
        return candidate.isVirtual() && Carrier.current() == thread;
    }

    /// {@return what threads have as their context class loader if they inherit nothing else}
    @Nullable ClassLoader classLoader() {
        return classLoader;
    }

    @Nullable Thread thread() {
        return thread;
    }

    /// An operation did not need to park: after enough of these, the others get their turn.
    void spend(Coroutine<?> coroutine) {
        if (--budget <= 0) {
            coroutine.letOthersRun();
        }
    }

    /// {@return whether the one that runs has had the loop for a millisecond since it first asked}
    boolean hasComputedForLong() {
        loop.updateNow();
        if (computes != runs) {
            computes = runs;
            computesSince = loop.now();
        }
        return loop.now() - computesSince >= QUIET_NANOS;
    }

    boolean isQuiet() {
        return loop.isQuiet(QUIET_NANOS);
    }

    // ---- waiting ----

    @Override
    public void beforePoll(long timeoutNanos) {
        if (timeoutNanos != 0 && probe != null) {
            probe.idles(timeoutNanos, inJdk());
        }
        if (timeoutNanos != 0 && interrupts != null) {
            interrupts.beforeWait();
        }
        if (timeoutNanos != 0 && active > 0) {
            deadlocks.beforeWait();
        }
        POLLING.setRelease(this, true);
    }

    @Override
    public void submitted(Work<?> work) {
        if (probe != null) {
            probe.submitted(work);
        }
    }

    @Override
    public void afterPoll() {
        POLLING.setRelease(this, false);
    }

    /// {@return whether the loop asks the kernel, and waits if there is nothing. Any thread}
    boolean isPolling() {
        return (boolean) POLLING.getAcquire(this);
    }

    /// Coroutines, or their handlers, that are neither queued nor in a wait of ours; exact while
    /// nobody is queued.
    int inJdk() {
        return registry.size() - waiting + callbacks;
    }

    // ---- reporting ----

    void unanswered(Coroutine<?> coroutine, CancelRequest request) {
        Recorder.unanswered(coroutine, request);
        options.report(
                Report.Kind.UNANSWERED,
                coroutine.info()
                        + " has not answered its cancellation ("
                        + request.reason
                        + ") for "
                        + request.unanswered()
                        + " clean-up windows",
                coroutine.stack());
    }

    /// `cancelled` ends what `coroutine` did, and closing failed on its way: a try-with-resources
    /// only suppresses that, and nobody else would tell.
    void reportHidden(Coroutine<?> coroutine, Throwable cancelled) {
        Throwable hidden = Errors.hiddenBy(cancelled);
        if (hidden != null) {
            options.report(
                    Report.Kind.UNREAD_FAILURE,
                    WaitLines.origin(coroutine)
                            + " was cancelled, and failed while it closed: "
                            + Report.withCauses(hidden),
                    Report.stackOf(hidden));
        }
    }

    private void callbackFailed(Throwable error, Task source) {
        lifecycle.failed(error, "callback " + source);
    }

    // ---- life of the loop ----

    void attach(CallerInterrupts newInterrupts) {
        interrupts = newInterrupts;
        thread = Thread.currentThread();
        classLoader = Thread.currentThread().getContextClassLoader();
        Schedulers.add(this);
        strands.noteRecording();
        if (probe != null) {
            probe.begins(loop);
        }
    }

    void detach() {
        Schedulers.remove(this);
    }

    void close() {
        strands.endAll();
        closed = true;
        try {
            loop.shutdown(Duration.ZERO);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
