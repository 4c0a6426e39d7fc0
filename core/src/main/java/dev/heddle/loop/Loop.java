package dev.heddle.loop;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Reactor;
import dev.heddle.reactor.Ring;
import dev.heddle.sys.AtomicField;
import dev.heddle.sys.Sys;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// An event loop: one thread that waits for descriptors, timers, signals and other threads, and
/// runs what they cause, one callback at a time.
///
/// The thread that opened a loop may set it up; the thread that first runs it owns it from then on.
/// Other threads use [#post], [#submit], [#wake], [#stop], [Async#send] and timers.
///
/// A loop is *alive* while something can still happen by itself: a source that is started and
/// referenced, a queued task, or offloaded work under way. [#run] goes on as long.
///
/// **Thread:** loop, unless a method says otherwise.
public final class Loop implements AutoCloseable {
    // Over 500 lines because it is the whole face of the loop: many short methods that check the
    // thread and hand on to the engine, with their contracts.

    /*
     *   IDLE ──run──▶ RUNNING ──▶ IDLE
     *   IDLE ──close──▶ CLOSING ──▶ IDLE           (closed by then, or still alive and unchanged)
     *
     * Each arrow out of IDLE is one compare-and-set, so that a close by another thread never frees
     * what a turn is using.
     */
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int CLOSING = 2;

    private static final VarHandle PHASE =
            AtomicField.of(MethodHandles.lookup(), "phase", int.class);

    private final Engine engine;
    private final String why;

    // Written by whoever runs or closes the loop, read by any for messages.
    private volatile int phase;

    // Loop thread only.
    private boolean embedded;

    private Loop(LoopOptions options, Reactor reactor, String why) {
        engine = new Engine(options, reactor);
        this.why = why;
    }

    /// Opens a loop on the best backend that the machine allows.
    public static Loop open() throws IOException {
        return open(LoopOptions.defaults());
    }

    public static Loop open(LoopOptions options) throws IOException {
        Objects.requireNonNull(options, "options");
        if (options.reactor.isPresent()) {
            return new Loop(options, options.reactor.get(), "given");
        }
        if (options.backend.isPresent()) {
            var reactor = options.backend.get().reactor(Sys.NATIVE);
            return new Loop(options, reactor, reactor.backend().label() + " (asked for)");
        }
        var choice = Backend.open();
        return new Loop(options, choice.reactor(), choice.why());
    }

    // ---- running ----

    /// Runs until nothing is alive, or [#stop].
    ///
    /// @return whether something is still alive
    public boolean run() throws IOException {
        enter();
        try {
            while (!engine.stopping && alive()) {
                engine.turn(Engine.FOR_EVER, false);
            }
            return alive();
        } finally {
            leave();
        }
    }

    /// Runs one turn, waiting at most `timeout` if nothing is ready, and not at all if nothing is
    /// alive.
    ///
    /// @return how much was handled: descriptor events, timers, tasks
    public int runOnce(Duration timeout) throws IOException {
        return runOne(Timer.nanosOf(timeout));
    }

    /// Runs one turn, waiting as long as it takes, unless nothing is alive.
    public int runOnce() throws IOException {
        return runOne(Engine.FOR_EVER);
    }

    /// Runs one turn without waiting.
    public int runNowait() throws IOException {
        return runOne(0);
    }

    /// Runs until [#stop] or the end of `timeout`, also while nothing is alive: another thread may
    /// post.
    public RunResult runFor(Duration timeout) throws IOException {
        long nanos = Timer.nanosOf(timeout);
        enter();
        try {
            long end = engine.clock.nanos() + nanos;
            long deadline = end < 0 ? Engine.FOR_EVER : end;
            while (!engine.stopping) {
                long left = deadline - engine.clock.nanos();
                if (left <= 0) {
                    return RunResult.TIMED_OUT;
                }
                engine.turn(left, true);
            }
            return RunResult.STOPPED;
        } finally {
            leave();
        }
    }

    /// Runs until `stage` completes.
    ///
    /// @return its value; what it failed with is thrown, a checked exception as the cause of
    ///   [CompletionException]
    /// @throws IllegalStateException if the loop was stopped first
    public <T> T runUntilComplete(CompletionStage<T> stage) throws IOException {
        var future = Objects.requireNonNull(stage, "stage").toCompletableFuture();
        enter();
        try {
            stage.whenComplete((_, _) -> wake());
            while (!future.isDone()) {
                if (engine.stopping) {
                    throw new IllegalStateException(
                            "the loop was stopped before the stage completed");
                }
                engine.turn(Engine.FOR_EVER, true);
            }
        } finally {
            leave();
        }
        try {
            return future.join();
        } catch (CompletionException thrown) {
            throw asThrown(thrown);
        }
    }

    /// Runs until `done` says so, which is asked before every turn, also while nothing is alive:
    /// another thread may post. [#stop] ends it too.
    public void runUntil(BooleanSupplier done) throws IOException {
        Objects.requireNonNull(done, "done");
        enter();
        try {
            while (!engine.stopping && !done.getAsBoolean()) {
                engine.turn(Engine.FOR_EVER, true);
            }
        } finally {
            leave();
        }
    }

    /// Makes the run that is under way, or else the next one, return after its turn. Any thread.
    public void stop() {
        engine.stopping = true;
        if (!isOnLoop()) {
            engine.reactor.wake();
        }
    }

    /// Makes the current or the next wait end, without a task. Any thread.
    public void wake() {
        engine.reactor.wake();
    }

    // ---- giving it something to do ----

    /// Runs `task` on the loop's thread, after what was queued before it. Any thread; in order for
    /// each.
    ///
    /// @throws RejectedExecutionException if the loop is closed
    public void post(Runnable task) {
        post(Task.of(Objects.requireNonNull(task, "task")));
    }

    /// [#post(Runnable)] without allocation. The task must not be queued already.
    ///
    /// @throws IllegalArgumentException for a source or a piece of work, which queue themselves
    public void post(Task task) {
        if (Objects.requireNonNull(task, "task") instanceof Source || task instanceof Work) {
            throw new IllegalArgumentException("queues itself and cannot be posted: " + task);
        }
        engine.post(task);
    }

    // For the layers above: on the loop, unchecked except by assertions, because every switch
    // between coroutines goes through them.

    /// Queues `task` behind what is ready. It must not be queued already.
    public void enqueue(Task task) {
        assert isOnLoop() && !engine.closed : this;
        engine.tasks.add(task);
    }

    /// Queues `task` before everything that is ready.
    public void enqueueFirst(Task task) {
        assert isOnLoop() && !engine.closed : this;
        engine.tasks.ready.addFirst(task);
    }

    /// {@return the task that this turn runs next; null if it is done}
    public @Nullable Task nextReady() {
        return engine.tasks.nextReady();
    }

    /// Takes it out of the queue: the caller runs it.
    public void takeNextReady() {
        engine.tasks.takeNextReady();
    }

    /// Runs `task` at the end of the turn, after what was ready in it.
    public void late(Task task) {
        assert isOnLoop() && !engine.closed : this;
        engine.tasks.addLate(task);
    }

    /// Posts `task` from a thread that is not the loop's.
    ///
    /// @return false if the loop is closed
    public boolean postIfOpen(Task task) {
        return engine.postIfOpen(task);
    }

    /// Keeps the loop alive until [#release], as a started source does: for something that another
    /// thread will bring about.
    public void hold() {
        engine.assertUsable();
        engine.countActive(1);
    }

    /// Takes back one [#hold].
    public void release() {
        engine.assertOnLoop();
        engine.countActive(-1);
    }

    /// {@return whether nothing waits to be run and the kernel was asked less than `nanos` ago:
    /// then a task that would queue itself again may as well go on}
    public boolean isQuiet(long nanos) {
        return engine.isQuiet(nanos);
    }

    /// {@return how many rounds have begun: a round is what is ready at one moment, run in one turn
    /// or, if that takes too long, in several}
    public long rounds() {
        return engine.tasks.rounds();
    }

    /// {@return how many of them have ended}
    public long roundsDone() {
        return engine.tasks.roundsDone();
    }

    /// {@return the round that the loop is behind with, 0 while it keeps up; any thread}
    public long roundBehind() {
        return engine.counters.get(Counters.BEHIND);
    }

    /// {@return whether some task waits to be run}
    public boolean hasReady() {
        return !engine.tasks.isEmpty() || !engine.inbox.isEmpty();
    }

    /// Hands `error` to the loop's error handler, as if `source` had thrown it in a callback.
    public void report(Throwable error, Task source) {
        engine.fail(error, source);
    }

    /// {@return an executor that posts, for `CompletableFuture` and friends; any thread}
    public Executor executor() {
        return this::post;
    }

    /// Hands `work` to a worker; `completion` is called on the loop's thread. Any thread.
    ///
    /// The loop stays alive until it has ended or was cancelled: an executor that drops what it has
    /// taken keeps the loop waiting for ever.
    ///
    /// @throws RejectedExecutionException at once, if the workers' queue is full or the loop closed
    public <T> Work<T> submit(Callable<? extends T> work, Work.Completion<? super T> completion) {
        return submit(
                engine.options.workers.orElseGet(WorkerPool::shared),
                Lane.NORMAL,
                work,
                completion);
    }

    /// [#submit(Callable, Work.Completion)] to these workers.
    ///
    /// @param lane for a [WorkerPool]; other executors have only one
    public <T> Work<T> submit(
            Executor workers,
            Lane lane,
            Callable<? extends T> work,
            Work.Completion<? super T> completion) {
        Objects.requireNonNull(workers, "workers");
        Objects.requireNonNull(lane, "lane");
        var item = new Work<T>(engine, workers, work, completion);
        if (engine.closed || !engine.work.begin()) {
            throw new RejectedExecutionException("closed: " + this);
        }
        try {
            if (workers instanceof WorkerPool pool) {
                engine.uses(pool);
                pool.execute(item.job(), lane);
            } else {
                workers.execute(item.job());
            }
        } catch (Throwable refused) {
            if (item.withdraw()) {
                engine.work.end();
                throw refused;
            }
            // It threw after it had taken the work, whose completion will come: no refusal.
            ErrorReporter.report(Thread.currentThread(), refused);
        }
        engine.submitted(item);
        return item;
    }

    /// {@return a timer, not started}
    public Timer timer(Runnable callback) {
        engine.ensureOpen();
        return new Timer(engine, callback);
    }

    /// Calls back once, `delay` from now. Any thread.
    public Timer after(Duration delay, Runnable callback) {
        return timer(callback).start(delay);
    }

    /// Calls back once, when [#now] reaches `deadlineNanos`. Any thread.
    public Timer at(long deadlineNanos, Runnable callback) {
        return timer(callback).startAt(deadlineNanos);
    }

    /// Calls back every `period`, the first time after one. Any thread.
    public Timer every(Duration period, Runnable callback) {
        if (Objects.requireNonNull(period, "period").isZero()) {
            throw new IllegalArgumentException("period must be positive, but is zero");
        }
        return timer(callback).start(period, period);
    }

    /// {@return a watch for `fd`, not started}
    public Watch watch(int fd, Watch.Listener listener) {
        engine.assertUsable();
        return new Watch(engine, fd, listener);
    }

    /// Calls back when `fd` is ready.
    public Watch watch(int fd, int interest, Watch.Listener listener) throws IOException {
        return watch(fd, listener).start(interest);
    }

    /// {@return a bell that any thread may ring, started}
    public Async async(Runnable callback) {
        return newAsync(Objects.requireNonNull(callback, "callback"));
    }

    /// {@return a bell that only ends the wait}
    public Async async() {
        return newAsync(null);
    }

    public Hook onIdle(Runnable callback) {
        return hook(Hook.Place.IDLE, callback);
    }

    public Hook onPrepare(Runnable callback) {
        return hook(Hook.Place.PREPARE, callback);
    }

    public Hook onCheck(Runnable callback) {
        return hook(Hook.Place.CHECK, callback);
    }

    /// {@return a watch for this signal, not started}
    ///
    /// @param name such as `INT`, `TERM`, `USR1`, without `SIG`
    /// @throws IllegalArgumentException if there is no such signal, or it cannot be watched
    public SignalWatch signal(String name, Runnable callback) {
        String checked = Signals.check(name);
        engine.assertUsable();
        return new SignalWatch(engine, checked, callback);
    }

    /// Calls back whenever the process gets this signal, until the watch is stopped.
    ///
    /// @param name such as `INT`, `TERM`, `USR1`, without `SIG`
    /// @throws IllegalArgumentException if there is no such signal, or it cannot be watched
    public SignalWatch onSignal(String name, Runnable callback) {
        return signal(name, callback).start();
    }

    /// [#onSignal(String, Runnable)] by number.
    public SignalWatch onSignal(int number, Runnable callback) {
        return signal(Signals.check(number), callback).start();
    }

    /// Calls back the first time that the process gets this signal.
    public SignalWatch onceSignal(String name, Runnable callback) {
        return signal(name, callback).startOnce();
    }

    // ---- asking ----

    /// {@return the loop's time in nanoseconds, as it was after the last wait}
    public long now() {
        return engine.now();
    }

    /// Reads the clock anew into [#now], for a callback that took long.
    public void updateNow() {
        engine.assertOnLoop();
        engine.updateNow();
    }

    /// {@return whether something can still happen by itself}
    public boolean alive() {
        return engine.alive();
    }

    /// {@return in how long the next timer is due, none if it is due already; empty if no timer is
    /// started}
    public Optional<Duration> untilNextTimer() {
        engine.assertOnLoop();
        long due = engine.timers.earliest();
        return due == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, due - engine.now())));
    }

    /// Shows `visitor` every started source, those of the engine itself excepted.
    public void walk(Consumer<? super Source> visitor) {
        Objects.requireNonNull(visitor, "visitor");
        engine.assertOnLoop();
        engine.sources().forEach(visitor);
    }

    /// {@return a descriptor that becomes readable when [#runNowait] has something to do, for
    /// embedding in another loop; -1 if the backend has none}
    public int backendFd() throws IOException {
        engine.assertOnLoop();
        embedded = true;
        int fd = engine.reactor.fd();
        if (phase != RUNNING) {
            engine.inbox.sleep();
        }
        return fd;
    }

    /// {@return for how many nanoseconds an embedding loop may wait before it calls [#runNowait]; 0
    /// means not at all, -1 for ever}
    public long backendTimeout() {
        engine.assertOnLoop();
        return engine.backendTimeout();
    }

    public Backend backend() {
        return engine.reactor.backend();
    }

    /// {@return the way to completion I/O, on a backend that has it. Completions are there when
    /// [Embedder#afterPoll] is called; nothing in flight keeps the loop alive by itself}
    public Optional<Ring> ring() {
        engine.assertOnLoop();
        return engine.reactor.ring();
    }

    /// {@return how the backend was chosen, in a line}
    public String why() {
        return why;
    }

    /// {@return a snapshot of the loop's numbers; any thread}
    public LoopStats stats() {
        if (engine.isOnLoop()) {
            engine.countQuickTurns();
        }
        return engine.counters.snapshot(engine.work.pending());
    }

    /// {@return whether the caller runs on this loop's thread; any thread may ask}
    public boolean isOnLoop() {
        return engine.isOnLoop();
    }

    @Override
    public String toString() {
        // Names are often the same: what tells two loops apart is where they run.
        String busy = "running on " + engine.owner.getName();
        String state = engine.closed ? "closed" : phase == RUNNING ? busy : "idle";
        return "Loop(" + engine.options.name + ", " + backend().label() + ", " + state + ")";
    }

    // ---- ending ----

    /// Ends an idle loop. Idempotent. Sources that are started but unreferenced are stopped. Any
    /// thread, while the loop does not run.
    ///
    /// @throws IllegalStateException if the loop runs or is alive; then nothing has changed
    @Override
    public void close() {
        if (engine.closed) {
            return;
        }
        if (!leaveIdle(CLOSING)) {
            throw new IllegalStateException(
                    "close while running: "
                            + this
                            + " on "
                            + engine.owner.getName()
                            + "; stop() it");
        }
        boolean ended;
        try {
            ended = engine.closed || closeIfIdle();
        } finally {
            backToIdle();
        }
        if (!ended) {
            throw stillAlive();
        }
    }

    /// Ends the loop whatever is going on: closes every source, cancels work that has not begun,
    /// runs turns until work under way has ended or `limit` is over, drops the tasks that are left,
    /// and closes. What workers finish later finds nobody. Idempotent.
    public void shutdown(Duration limit) throws IOException {
        long nanos = Timer.nanosOf(limit);
        if (engine.closed) {
            return;
        }
        enter();
        try {
            engine.ending = true;
            engine.cancelQueuedWork();
            engine.sources().forEach(Source::close);
            long begin = engine.clock.nanos();
            long left = nanos;
            // Not for what callbacks start meanwhile: it could go on for ever.
            while (left > 0 && engine.hasTasksOrWork()) {
                // A stop is for runs. Here it would only keep the loop from waiting.
                engine.stopping = false;
                engine.turn(left, true);
                left = nanos - (engine.clock.nanos() - begin);
            }
            engine.dropAll();
            engine.release();
        } finally {
            leave();
        }
    }

    // ---- private ----

    private int runOne(long nanos) throws IOException {
        enter();
        try {
            engine.tasks.bound(false);
            return engine.stopping ? 0 : engine.turn(nanos, false);
        } finally {
            engine.tasks.bound(true);
            leave();
        }
    }

    private void enter() {
        engine.ensureOpen();
        Thread current = Thread.currentThread();
        if (phase == RUNNING) {
            throw new IllegalStateException(
                    engine.owner == current
                            ? "run inside run: " + this + " runs already, further down this stack"
                            : this + " runs already, on thread " + engine.owner.getName());
        }
        if (current.isVirtual()) {
            throw new IllegalStateException(
                    "a loop needs a platform thread of its own; " + current + " is virtual");
        }
        if (!engine.bound || !engine.owner.isAlive()) {
            // The opener may hand the loop to another thread once, and a loop whose thread has
            // ended may be taken over.
            engine.bind();
        }
        engine.assertOnLoop();
        boolean begun = leaveIdle(RUNNING);
        assert begun : "run by two threads: " + this;
        if (engine.closed) {
            backToIdle();
            engine.ensureOpen();
        }
        engine.resume();
    }

    // Idle last: from then on another thread may close the loop.
    private void leave() {
        engine.countQuickTurns();
        if (engine.stopping) {
            engine.stopping = false;
        }
        if (embedded && !engine.closed) {
            // Nobody looks into the inbox now: whoever adds must ring, so that the embedding loop
            // sees the descriptor become readable.
            engine.inbox.sleep();
        }
        backToIdle();
    }

    /// {@return false if the loop runs. A close by another thread is waited for: it is short}
    private boolean leaveIdle(int next) {
        while (!PHASE.compareAndSet(this, IDLE, next)) {
            if (phase == RUNNING) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    // Release is enough: the next one leaves by a compare-and-set, and sees what was done before.
    private void backToIdle() {
        PHASE.setRelease(this, IDLE);
    }

    private boolean closeIfIdle() {
        // One compare-and-set each decides between a submit, a post and the close: they are
        // refused, or the loop is alive.
        if (engine.alive() || !engine.work.refuse()) {
            return false;
        }
        if (!engine.inbox.close()) {
            engine.work.accept();
            return false;
        }
        engine.release();
        return true;
    }

    private IllegalStateException stillAlive() {
        return new IllegalStateException(
                "still alive: " + this + ": " + engine.whatIsAlive() + "; see shutdown(Duration)");
    }

    private Async newAsync(@Nullable Runnable callback) {
        engine.assertUsable();
        var async = new Async(engine, callback);
        engine.others.add(async);
        return async;
    }

    private Hook hook(Hook.Place place, Runnable callback) {
        engine.assertUsable();
        return new Hook(engine, place, callback).start();
    }

    private static RuntimeException asThrown(CompletionException thrown) {
        return switch (thrown.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> thrown;
        };
    }
}
