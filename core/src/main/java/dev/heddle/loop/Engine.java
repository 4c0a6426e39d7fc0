package dev.heddle.loop;

import dev.heddle.reactor.Reactor;
import dev.heddle.reactor.ReadyEvents;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/// One turn of the loop, and everything a turn touches. [Loop] is the door to it: run modes, making
/// sources, opening and closing.
///
/// **Thread:** loop, except what is marked.
final class Engine {
    // Over 500 lines because a turn and everything that it touches are read together.

    /*
     * One turn, in this order, each step bounded by what was there when it began:
     *
     *   idle and prepare hooks → wait in the reactor → descriptors' callbacks → check hooks
     *     → inbox and due timers join the ready queue → what the ready queue held then is run, for
     *     no longer than the turn's limit, see TurnTasks → what was put off to the end of the turn
     *
     * What a step causes waits for the next turn, so nothing can keep the loop from its descriptors.
     * The inbox is taken once, after the wait: before it, `inbox.sleep()` refuses to let the loop
     * wait while there is something in it, which is all that is needed.
     */
    static final long FOR_EVER = Long.MAX_VALUE;

    private static final long NO_WAIT = -1;
    private static final long NO_TOKEN = Reactor.RESERVED_TOKEN;
    private static final int EVENTS_MAX = 256;

    // How long ready tasks may keep the loop from asking the kernel. Both bounds are small against
    // what a descriptor can wait for, and spare a system call per turn.
    private static final int SKIPPED_POLLS_MAX = 61;
    private static final long SKIPPED_NANOS_MAX = 100_000;

    // Reading the clock is a tenth of a turn of one coroutine: while turns are short, so short that
    // many fit into the bound above, it is read every few of them.
    private static final int CLOCK_EVERY = 8;
    private static final long BRISK_NANOS = 10_000;

    final LoopOptions options;
    final Reactor reactor;
    final Clock clock;
    private final Embedder embedder;
    private final boolean pollEveryTurn;

    // Any thread.
    final Inbox inbox = new Inbox();
    final WorkCount work = new WorkCount();
    final Counters counters = new Counters();
    private final Set<WorkerPool> pools = ConcurrentHashMap.newKeySet();
    private volatile @Nullable WorkerPool lastPool;
    volatile Thread owner = Thread.currentThread();
    // Whether a thread has run the loop. Before, it is its opener's, who may set it up and does not
    // notice when another thread begins to run it: so what any thread may do, posts and timers, the
    // opener does under this lock, and the hand-over takes it too.
    volatile boolean bound;
    final Object handOver = new Object();
    volatile boolean stopping;
    volatile boolean ending;
    volatile boolean closed;

    // Loop thread only.
    final TurnTasks tasks;
    final TimerQueue timers = new TimerQueue();
    final WatchTable watches = new WatchTable();
    final HookList idleHooks = new HookList();
    final HookList prepareHooks = new HookList();
    final HookList checkHooks = new HookList();
    // Started asyncs and signal watches; the other sources stand in the tables above.
    final Set<Source> others = new LinkedHashSet<>();
    private final ReadyEvents events = new ReadyEvents(EVENTS_MAX);
    private @Nullable Timer firing;
    // The token of an event that found nobody in the last dispatch.
    private long stray = NO_TOKEN;
    private int activeReferenced;
    private long now;
    private long lastPollNanos;
    private int skippedPolls;
    private boolean brisk;
    // Not counted yet.
    private long quickTurns;
    private long tasksOfQuickTurns;
    private long lagMaxOfQuickTurns;
    // Whether a run has just begun: what passed before it is nobody's lag.
    private boolean resumed;

    Engine(LoopOptions options, Reactor reactor) {
        this.options = options;
        this.reactor = reactor;
        clock = options.clock;
        embedder = options.embedder;
        pollEveryTurn = options.pollEveryTurn;
        tasks = new TurnTasks(this, options);
        now = clock.nanos();
        lastPollNanos = now;
    }

    /// @param patient whether to wait even if nothing is alive
    /// @return how many callbacks were run
    int turn(long limitNanos, boolean patient) throws IOException {
        if (hasNoHooks() && maySkipPoll()) {
            return quickTurn();
        }
        return wholeTurn(limitNanos, patient);
    }

    /// A turn of ready tasks only: what most turns are while coroutines talk to each other. Nothing
    /// is asked that cannot have changed, and it is counted when the next whole turn is.
    private int quickTurn() {
        skippedPolls++;
        if (!brisk || skippedPolls % CLOCK_EVERY == 0) {
            long before = now;
            now = clock.nanos();
            brisk = now - before < BRISK_NANOS;
            lagMaxOfQuickTurns = Math.max(lagMaxOfQuickTurns, now - before);
        }
        inbox.takeInto(tasks.ready);
        if (timers.earliest() <= now) {
            queueDueTimers();
        }
        int ran = tasks.run();
        quickTurns++;
        tasksOfQuickTurns += ran;
        return ran;
    }

    /// Counts the quick turns since the last time.
    void countQuickTurns() {
        if (quickTurns > 0) {
            firing = null;
            counters.add(Counters.TURNS, quickTurns);
            counters.add(Counters.TASKS, tasksOfQuickTurns);
            counters.raise(Counters.LAG_MAX_NANOS, lagMaxOfQuickTurns);
            counters.set(Counters.READY, tasks.size());
            counters.set(Counters.TIMERS, timers.size());
            quickTurns = 0;
            tasksOfQuickTurns = 0;
            lagMaxOfQuickTurns = 0;
        }
    }

    private boolean hasNoHooks() {
        return idleHooks.isEmpty() && prepareHooks.isEmpty() && checkHooks.isEmpty();
    }

    private int wholeTurn(long limitNanos, boolean patient) throws IOException {
        countQuickTurns();
        counters.add(Counters.TURNS, 1);
        runHooks(idleHooks);
        runHooks(prepareHooks);
        int found = maySkipPoll() ? skipPoll() : poll(limitNanos, patient);
        if (found > 0) {
            dispatch(found);
        }
        runHooks(checkHooks);
        inbox.takeInto(tasks.ready);
        queueDueTimers();
        int ran = tasks.run();
        firing = null;
        counters.add(Counters.TASKS, ran);
        counters.set(Counters.READY, tasks.size());
        counters.set(Counters.TIMERS, timers.size());
        return found + ran;
    }

    private int poll(long limitNanos, boolean patient) throws IOException {
        long began = mayWait(limitNanos, patient) ? clock.nanos() : NO_WAIT;
        long wait = began == NO_WAIT ? 0 : untilDue(began, limitNanos);
        if (wait != 0 && !inbox.sleep()) {
            wait = 0;
        }
        embedder.beforePoll(wait);
        if (wait != 0) {
            // The layer above may just have queued a task, armed a timer or stopped the loop.
            wait = mayWait(limitNanos, patient) ? untilDue(began, limitNanos) : 0;
        }
        int found = reactor.poll(events, wait);
        refreshNow(wait == 0 ? NO_WAIT : began);
        lastPollNanos = now;
        skippedPolls = 0;
        counters.add(Counters.POLLS, 1);
        if (found != 0) {
            counters.add(Counters.EVENTS, found);
            counters.add(Counters.EVENTS_WAITING, wait == 0 ? found : 0);
        }
        embedder.afterPoll();
        return found;
    }

    private boolean maySkipPoll() {
        // Not in the first turn of a run: whoever calls runNowait wants the kernel to be asked.
        return !tasks.ready.isEmpty()
                && !tasks.isBehind()
                && !resumed
                && !pollEveryTurn
                && skippedPolls < SKIPPED_POLLS_MAX
                && now - lastPollNanos < SKIPPED_NANOS_MAX;
    }

    private int skipPoll() {
        skippedPolls++;
        refreshNow(NO_WAIT);
        return 0;
    }

    /// {@return how long an embedding loop may wait: 0 not at all, -1 for ever}
    long backendTimeout() {
        return mayWait(FOR_EVER, false) ? untilDue(clock.nanos(), FOR_EVER) : 0;
    }

    private boolean mayWait(long limitNanos, boolean patient) {
        return limitNanos > 0
                && !stopping
                && tasks.isEmpty()
                && idleHooks.isEmpty()
                && timers.earliest() > now
                && inbox.isEmpty()
                && (patient || alive());
    }

    private long untilDue(long from, long limitNanos) {
        long due = timers.earliest();
        long untilDue = due == Long.MAX_VALUE ? FOR_EVER : Math.max(0, due - from);
        long wait = Math.min(limitNanos, untilDue);
        return wait == FOR_EVER ? -1 : wait;
    }

    /// @param waitBegan when the wait began, or NO_WAIT
    private void refreshNow(long waitBegan) {
        long before = now;
        now = clock.nanos();
        long idle = 0;
        if (waitBegan != NO_WAIT) {
            idle = now - waitBegan;
            counters.add(Counters.IDLE_NANOS, idle);
        }
        long lag = resumed ? 0 : now - before - idle;
        resumed = false;
        counters.set(Counters.LAG_NANOS, lag);
        counters.raise(Counters.LAG_MAX_NANOS, lag);
    }

    private void dispatch(int count) {
        long found = NO_TOKEN;
        for (int i = 0; i < count; i++) {
            Watch watch = watches.find(events.token(i));
            if (watch == null) {
                found = strayed(events.token(i), found);
            } else {
                try {
                    watch.dispatch(events.bits(i));
                } catch (Throwable thrown) {
                    fail(thrown, watch);
                }
            }
        }
        stray = found;
    }

    // An event that finds nobody is one of a watch that was stopped since it was fetched. But then
    // it does not come again: if it does, the kernel watches what nobody can take back, and would
    // end
    // every wait at once.
    private long strayed(long token, long found) {
        if (token == stray && reactor.renew()) {
            return NO_TOKEN;
        }
        return found == NO_TOKEN || token == stray ? token : found;
    }

    private void queueDueTimers() {
        for (Timer timer = timers.pollDue(now); timer != null; timer = timers.pollDue(now)) {
            if (timer.takeDue()) {
                tasks.addDue(timer);
            }
        }
    }

    private void runHooks(HookList list) {
        for (Hook hook : list.all()) {
            if (hook.isActive()) {
                try {
                    hook.run();
                } catch (Throwable thrown) {
                    fail(thrown, hook);
                }
            }
        }
    }

    boolean alive() {
        return !closed && (activeReferenced > 0 || hasTasksOrWork());
    }

    boolean hasTasksOrWork() {
        return !tasks.isEmpty() || !inbox.isEmpty() || work.pending() > 0;
    }

    String whatIsAlive() {
        return activeReferenced
                + " started sources, "
                + work.pending()
                + " pieces of work"
                + (tasks.isEmpty() && inbox.isEmpty() ? "" : ", queued tasks");
    }

    /// {@return every started source, and the timer that is firing}
    Set<Source> sources() {
        var all = new LinkedHashSet<Source>(others);
        timers.forEach(all::add);
        watches.forEach(all::add);
        for (var list : List.of(idleHooks, prepareHooks, checkHooks)) {
            all.addAll(List.of(list.all()));
        }
        Timer current = firing;
        if (current != null && !current.isClosing()) {
            all.add(current);
        }
        return all;
    }

    long now() {
        return now;
    }

    boolean isQuiet(long nanos) {
        return tasks.isEmpty() && inbox.isEmpty() && clock.nanos() - lastPollNanos < nanos;
    }

    void updateNow() {
        now = clock.nanos();
    }

    /// A run begins.
    void resume() {
        resumed = true;
    }

    /// Makes the loop the current thread's, for good: nobody has run it yet, or the thread that did
    /// has ended.
    void bind() {
        synchronized (handOver) {
            if (!bound || !owner.isAlive()) {
                owner = Thread.currentThread();
                bound = true;
            }
        }
    }

    /// Any thread.
    void submitted(Work<?> item) {
        embedder.submitted(item);
    }

    /// Remembers where work waits, for the end. Any thread.
    void uses(WorkerPool pool) {
        if (pool != lastPool) {
            pools.add(pool);
            lastPool = pool;
        }
    }

    void cancelQueuedWork() {
        pools.forEach(pool -> pool.cancelAllOf(this));
    }

    /// Any thread may ask.
    boolean isOnLoop() {
        Thread current = Thread.currentThread();
        return owner == current || embedder.carries(current);
    }

    /// {@return whether the loop is the caller's and stays so: it has run it, and is on it}
    boolean isBoundHere() {
        return bound && isOnLoop();
    }

    void fail(Throwable error, Task source) {
        counters.add(Counters.ERRORS, 1);
        try {
            if (options.errorHandler.isPresent()) {
                options.errorHandler.get().onError(error, source);
                return;
            }
        } catch (Throwable handlerFailed) {
            // It may have thrown what it was told, and nothing can be suppressed by itself.
            if (handlerFailed != error) {
                error.addSuppressed(handlerFailed);
            }
        }
        ErrorReporter.report(owner, error);
    }

    /// Tells every queued task that it will never run, and refuses further ones.
    void dropAll() {
        do {
            inbox.takeInto(tasks.ready);
            for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
                try {
                    task.drop();
                } catch (Throwable thrown) {
                    fail(thrown, task);
                }
            }
        } while (!inbox.close());
    }

    /// Stops what is still started and gives the kernel its objects back.
    void release() {
        closed = true;
        sources().forEach(Source::halt);
        reactor.close();
    }

    void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("closed: " + this);
        }
    }

    void assertOnLoop() {
        if (!isOnLoop()) {
            throw new WrongThreadException(
                    this
                            + " belongs to thread "
                            + owner.getName()
                            + ", but this is "
                            + Thread.currentThread().getName()
                            + "; use loop.post(...) to get there");
        }
    }

    void assertUsable() {
        assertOnLoop();
        ensureOpen();
    }

    void enqueue(Task task) {
        ensureOpen();
        tasks.add(task);
    }

    /// Any thread.
    void post(Task task) {
        if (bound) {
            postAsBound(task);
        } else {
            synchronized (handOver) {
                postAsBound(task);
            }
        }
    }

    /// Runs `change`, which touches what only the loop may, at once if the caller is on the loop,
    /// else when the loop gets to it. Any thread.
    ///
    /// @return false if the loop is closed
    boolean change(Task change) {
        if (bound) {
            return changeAsBound(change);
        }
        synchronized (handOver) {
            return changeAsBound(change);
        }
    }

    private boolean changeAsBound(Task change) {
        if (!isOnLoop()) {
            return postIfOpen(change);
        }
        change.run();
        return true;
    }

    private void postAsBound(Task task) {
        if (isOnLoop() && !closed) {
            tasks.ready.add(task);
        } else {
            postFromAnywhere(task);
        }
    }

    /// Any thread.
    void postFromAnywhere(Task task) {
        if (!postIfOpen(task)) {
            throw new RejectedExecutionException("closed: " + this);
        }
    }

    /// Any thread.
    ///
    /// @return false if the loop is closed
    boolean postIfOpen(Task task) {
        return switch (inbox.add(task)) {
            case QUIETLY -> true;
            case AND_MUST_RING -> {
                reactor.wake();
                yield true;
            }
            case REFUSED -> false;
        };
    }

    void countActive(int change) {
        activeReferenced += change;
    }

    void fire(Timer timer, Runnable callback, boolean brief) {
        firing = timer;
        tasks.fire(callback, brief);
    }

    void addWatch(Watch watch, int interest) throws IOException {
        watches.add(watch);
        try {
            reactor.register(watch.fd(), watch.token, interest);
        } catch (Throwable refused) {
            watches.remove(watch);
            throw refused;
        }
        Watch before = watches.claim(watch);
        if (before != null) {
            // Its descriptor was closed under it, and the number has come back for another file.
            // What the reactor holds under that number is the new one's: the old one must not take
            // it back when it is stopped, nor change it.
            before.forsake();
        }
        counters.set(Counters.WATCHES, watches.count());
    }

    void removeWatch(Watch watch) {
        watches.remove(watch);
        counters.set(Counters.WATCHES, watches.count());
        if (!closed) {
            try {
                reactor.unregister(watch.fd());
            } catch (IOException failed) {
                fail(failed, watch);
            }
        }
    }

    HookList hooks(Hook.Place place) {
        return switch (place) {
            case IDLE -> idleHooks;
            case PREPARE -> prepareHooks;
            case CHECK -> checkHooks;
        };
    }

    @Override
    public String toString() {
        return "Loop(" + options.name + ", " + reactor.backend().label() + ")";
    }
}
