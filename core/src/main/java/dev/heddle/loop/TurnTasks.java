package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/// What is ready, and how much of it a turn runs: what was ready when it began, but for no longer
/// than the turn's limit.
///
/// **Thread:** loop.
final class TurnTasks {
    /*
     * While the loop keeps up there is one line, `ready`, first in, first out; a turn runs what stood
     * there when it began: a round.
     *
     * A round whose time is over is cut: its rest stays where it is, and the loop is behind. Before it
     * goes on it looks at its descriptors, its inbox and its timers, and these have lines of their own
     * now: `due` for timers, `timely` for the coroutines that they wake. A turn runs those two first,
     * then the rest of the round, either for no longer than the limit:
     *
     *   - so who waits for a moment is late by a turn, not by a round;
     *   - and the rest comes forward in each turn, however many timers there are;
     *   - what is left of `timely` goes to the end of `ready`: the next timer must not wait behind it.
     *     What is left of `due` stays: timers fire in the order of their deadlines.
     *
     * A coroutine that waited for less than the limit does not go first: it had its time just now, and
     * many that compute and hardly wait would put off, turn by turn, those who wait for a moment.
     *
     * All others join `ready` at its end: those whom descriptors and other threads wake are the load
     * itself, and first come, first served is what is fair to them. Tasks that were posted do so
     * wherever they come from, since their order is promised. The loop has caught up when a whole
     * round fits into its turn.
     */
    private final Engine engine;
    private final long limitNanos;
    private final Slice slice;
    final ReadyQueue ready;
    private final ReadyQueue due = new ReadyQueue();
    private final ReadyQueue timely = new ReadyQueue();
    // For the end of the turn. Bounded by what the turn runs.
    private final ReadyQueue late = new ReadyQueue();

    private boolean behind;
    // How many tasks of a round that was cut are left, at the head of `ready`.
    private int rest;
    // How many of those that this turn may run have not been taken.
    private int left;
    // Whether what is queued now is queued by time.
    private boolean byTime;
    private long rounds;
    private long roundBegan;

    TurnTasks(Engine engine, LoopOptions options) {
        this.engine = engine;
        limitNanos = options.turnLimitNanos;
        slice = new Slice(options.clock, limitNanos);
        ready =
                options.order.isPresent()
                        ? new OrderedQueue(options.order.get())
                        : new ReadyQueue();
    }

    // ---- queueing ----

    void add(Task task) {
        if (byTime && task.isIndependent()) {
            addTimely(task, timely);
        } else {
            ready.add(task);
        }
    }

    void addDue(Timer timer) {
        addTimely(timer, due);
    }

    private void addTimely(Task task, ReadyQueue own) {
        if (behind) {
            own.add(task);
        } else {
            ready.add(task);
            task.markTimely();
        }
    }

    void addLate(Task task) {
        late.add(task);
    }

    /// {@return whether a wait of this length is too short to go before others afterwards}
    boolean isBrief(long nanos) {
        return nanos < limitNanos;
    }

    /// Runs the callback of a timer.
    void fire(Runnable callback, boolean brief) {
        byTime = !brief;
        try {
            callback.run();
        } finally {
            byTime = false;
        }
    }

    boolean isEmpty() {
        return ready.isEmpty() && late.isEmpty() && due.isEmpty() && timely.isEmpty();
    }

    int size() {
        return ready.size() + due.size() + timely.size();
    }

    /// {@return whether ready tasks wait that a turn had no time for}
    boolean isBehind() {
        return behind;
    }

    long rounds() {
        return rounds;
    }

    long roundsDone() {
        return rest > 0 ? rounds - 1 : rounds;
    }

    /// {@return a task that was not run, for the end of the loop}
    @Nullable Task poll() {
        for (var queue : List.of(ready, due, timely)) {
            if (!queue.isEmpty()) {
                return queue.poll();
            }
        }
        return late.poll();
    }

    // ---- running ----

    /// Says whether the limit counts. For one who asks for a single turn it does not: he could not
    /// know whether what was ready has been run.
    void bound(boolean bounded) {
        slice.bound(bounded);
    }

    /// Runs what a turn runs.
    ///
    /// @return how many
    int run() {
        int ran = behind ? runBehind() : runRound();
        return late.isEmpty() ? ran : ran + runLate();
    }

    /// Most turns of a busy loop are no more than this.
    private int runRound() {
        rounds++;
        int count = ready.batch();
        slice.begin(engine.now(), count);
        return runReady(count);
    }

    private int runBehind() {
        int ran = runDue();
        boolean isNew = rest == 0 || !slice.isBounded();
        int count = isNew ? beginRound() : rest;
        rest = 0;
        slice.begin(engine.clock.nanos(), count);
        ran += runReady(count);
        if (rest == 0 && (isNew || ready.isEmpty())) {
            catchUp();
        }
        return ran;
    }

    private int beginRound() {
        rounds++;
        roundBegan = engine.now();
        engine.counters.set(Counters.BEHIND, rounds);
        return ready.batch();
    }

    private int runReady(int count) {
        // A task may take the next one and run it itself, see nextReady: so what is left is a
        // field.
        for (left = count; left > 0; ) {
            left--;
            Task task = Objects.requireNonNull(ready.poll());
            // As `run`, but here: the processor does not foresee where a coroutine that suspends
            // returns to, and one more frame to return through is felt in each switch.
            try {
                task.run();
            } catch (Throwable thrown) {
                engine.fail(thrown, task);
            }
            if (left > 0 && slice.isOver()) {
                return count - cut();
            }
        }
        return count;
    }

    /// @return how many tasks are left
    private int cut() {
        int uncut = left;
        rest = left;
        left = 0;
        if (!behind) {
            behind = true;
            roundBegan = slice.began();
            rest -= ready.moveTimely(rest, due, timely);
        }
        engine.counters.set(Counters.BEHIND, rounds);
        engine.counters.set(Counters.BACKLOG_NANOS, slice.looked() - roundBegan);
        engine.counters.raise(Counters.BACKLOG_MAX_NANOS, slice.looked() - roundBegan);
        return uncut;
    }

    private void catchUp() {
        behind = false;
        engine.counters.set(Counters.BEHIND, 0);
        engine.counters.set(Counters.BACKLOG_NANOS, 0);
    }

    private int runDue() {
        slice.begin(engine.now(), due.size() + timely.size());
        int ran = runUntilOver(due);
        ran += runUntilOver(timely);
        ready.addAll(timely);
        return ran;
    }

    private int runLate() {
        slice.begin(engine.clock.nanos(), late.size());
        byTime = true;
        try {
            return runUntilOver(late);
        } finally {
            byTime = false;
        }
    }

    private int runUntilOver(ReadyQueue queue) {
        int count = queue.size();
        int ran = 0;
        while (ran < count && !slice.isOver()) {
            run(Objects.requireNonNull(queue.poll()));
            ran++;
        }
        return ran;
    }

    private void run(Task task) {
        try {
            task.run();
        } catch (Throwable thrown) {
            engine.fail(thrown, task);
        }
    }

    /// {@return the task that this turn runs next, still queued; null if it is done}
    @Nullable Task nextReady() {
        return left > 0 && !slice.isOver() ? ready.peek() : null;
    }

    void takeNextReady() {
        left--;
        ready.poll();
    }
}
