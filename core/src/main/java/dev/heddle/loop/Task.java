package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Something the loop will run once, on its own thread.
///
/// The link of the queue it waits in is part of it, so queueing allocates nothing and cannot fail
/// for want of memory. The price: a task may wait in one queue only, once; whoever queues it makes
/// sure of that, and may queue it again from [#run] on.
///
/// **Thread:** owner (the queue it is in); [#run] and [#drop] are called by the loop.
public abstract class Task {
    private static final byte NOWHERE = 0;
    private static final byte QUEUED = 1;
    private static final byte TIMELY = 2;

    // Written by whoever queues the task, before it is published in the queue.
    @Nullable Task next;

    // Whether it waits in a queue, and whether because its moment has come: set before it is
    // published there, NOWHERE again before it is run.
    private byte queued = NOWHERE;

    protected Task() {}

    /// What to do. An exception goes to the loop's error handler.
    protected abstract void run();

    /// Called instead of [#run] if the loop shuts down first, so that whoever waits can be told.
    protected void drop() {}

    /// {@return whether an [Order] may run it before tasks that were queued earlier: nobody was
    /// promised their order}
    protected boolean isIndependent() {
        return false;
    }

    /// {@return a number for traces that is the same in every run of the same program; 0 if there
    /// is nothing to tell it by}
    public long number() {
        return 0;
    }

    /// Before it is linked into a queue.
    ///
    /// @throws IllegalStateException if it waits in one already, whose order it would break
    final void enterQueue() {
        if (queued != NOWHERE) {
            throw new IllegalStateException("waits in a queue already: " + this);
        }
        queued = QUEUED;
    }

    /// It waits in a queue, and would not be late.
    final void markTimely() {
        queued = TIMELY;
    }

    final boolean isTimely() {
        return queued == TIMELY;
    }

    /// {@return whether it waits in a queue}
    protected final boolean isInQueue() {
        return queued != NOWHERE;
    }

    final void leaveQueue() {
        queued = NOWHERE;
    }

    /// {@return a task that runs `body`}
    public static Task of(Runnable body) {
        Objects.requireNonNull(body, "body");
        return new Task() {
            @Override
            protected void run() {
                body.run();
            }

            @Override
            public String toString() {
                return "Task(" + body + ")";
            }
        };
    }
}
