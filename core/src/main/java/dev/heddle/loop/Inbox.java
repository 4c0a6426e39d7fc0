package dev.heddle.loop;

import dev.heddle.sys.AtomicField;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Where other threads leave tasks for the loop, and where they learn whether it sleeps.
///
/// Unbounded: a full inbox could only block or refuse, and either would strand the virtual thread
/// whose continuation is being posted.
///
/// **Thread:** any adds; the loop takes, sleeps and closes.
final class Inbox {
    /*
     * A stack in one word, newest first, reversed when it is taken. The same word says that the loop
     * sleeps, or that it is closed, so that every race is decided by one compare-and-set:
     *
     *   EMPTY ──add──▶ task ──add──▶ task → task          (the loop is awake: nobody rings)
     *   EMPTY ──sleep──▶ ASLEEP ──add──▶ task             (this adder rings, and only this one)
     *   ASLEEP or tasks ──take──▶ EMPTY
     *   EMPTY or ASLEEP ──close──▶ CLOSED                 (final: adding is refused)
     *
     * Two words, a flag beside a queue, need store-load fences on both sides to not lose a wake-up
     * (Dekker); here there is nothing to fence. An adder that finds a task has nothing to do: the
     * loop was awake when that task came, or its adder rings.
     */
    private static final Task ASLEEP = new Mark("asleep");
    private static final Task CLOSED = new Mark("closed");

    private static final VarHandle TOP = AtomicField.of(MethodHandles.lookup(), "top", Task.class);

    private volatile @Nullable Task top;

    /// What became of an [#add].
    enum Added {
        /// The loop is awake and will look.
        QUIETLY,
        /// The loop sleeps: the caller must wake it, nobody else will.
        AND_MUST_RING,
        /// The inbox is closed: the task was not taken.
        REFUSED
    }

    Added add(Task task) {
        task.enterQueue();
        while (true) {
            Task seen = top;
            if (seen == CLOSED) {
                // Of an earlier try: whoever queues the task elsewhere must find it unlinked.
                task.next = null;
                task.leaveQueue();
                return Added.REFUSED;
            }
            task.next = seen == ASLEEP ? null : seen;
            if (TOP.compareAndSet(this, seen, task)) {
                return seen == ASLEEP ? Added.AND_MUST_RING : Added.QUIETLY;
            }
        }
    }

    /// Says that the loop is about to sleep.
    ///
    /// @return false if there are tasks: then it must not
    boolean sleep() {
        return TOP.compareAndSet(this, null, ASLEEP) || top == ASLEEP;
    }

    /// Moves everything into `ready`, oldest first, and says that the loop is awake.
    ///
    /// @return how many there were
    int takeInto(ReadyQueue ready) {
        // Most turns find nothing, and a look is cheaper than the exchange. Missing a task that
        // comes at this very moment is no loss: the loop cannot sleep before it has looked again.
        // CLOSED is final and set by the loop itself, so it cannot appear between the two lines.
        Task seen = top;
        if (seen == null || seen == CLOSED) {
            return 0;
        }
        Task newest = (Task) TOP.getAndSet(this, (Task) null);
        return newest == ASLEEP ? 0 : addReversed(newest, ready);
    }

    /// {@return whether no task waits here}
    boolean isEmpty() {
        Task seen = top;
        return seen == null || seen instanceof Mark;
    }

    /// Refuses every later [#add].
    ///
    /// @return false, and nothing changed, if there are tasks
    boolean close() {
        return TOP.compareAndSet(this, null, CLOSED)
                || TOP.compareAndSet(this, ASLEEP, CLOSED)
                || top == CLOSED;
    }

    private static int addReversed(@Nullable Task newest, ReadyQueue ready) {
        Task oldest = null;
        int count = 0;
        for (Task task = newest; task != null; count++) {
            Task older = task.next;
            task.next = oldest;
            oldest = task;
            task = older;
        }
        if (oldest != null && newest != null) {
            ready.addAll(oldest, newest, count);
        }
        return count;
    }

    private static final class Mark extends Task {
        private final String name;

        Mark(String name) {
            this.name = name;
        }

        @Override
        protected void run() {
            throw new AssertionError("a mark is never run: " + name);
        }
    }
}
