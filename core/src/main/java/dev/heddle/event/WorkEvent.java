package dev.heddle.event;

import dev.heddle.loop.Lane;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Work;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// One piece of blocking or heavy work on a worker thread; happens when it has ended, with what it
/// returned or threw, and tells that to late subscribers too.
///
/// The first start hands it to the workers. Stopping ends only the interest in it: the work goes
/// on, and keeps the loop alive, hidden or not.
///
/// **Thread:** loop. The body runs on a worker.
public final class WorkEvent<T> extends Event<T> {
    private final Loop loop;
    private final String name;
    private final Callable<? extends T> body;
    private final Interruption interruption = new Interruption();
    private @Nullable Executor workers;
    private Lane lane = Lane.NORMAL;
    private Consumer<? super T> discard = _ -> {};

    private @Nullable Work<T> work;
    private boolean settled;
    private @Nullable T value;
    private @Nullable Throwable error;

    /// @param name says in messages what is done
    public WorkEvent(Loop loop, String name, Callable<? extends T> body) {
        this.loop = Objects.requireNonNull(loop, "loop");
        this.name = Objects.requireNonNull(name, "name");
        this.body = Objects.requireNonNull(body, "body");
    }

    /// Names the workers, otherwise the loop's. Before the start.
    public WorkEvent<T> on(Executor newWorkers, Lane newLane) {
        if (work != null) {
            throw new IllegalStateException("started already: " + info());
        }
        workers = Objects.requireNonNull(newWorkers, "workers");
        lane = Objects.requireNonNull(newLane, "lane");
        return this;
    }

    /// Sets who gets a value that nobody can receive any more, because the event was disposed of
    /// while the work ran: something that has to be closed, say.
    public WorkEvent<T> onDiscard(Consumer<? super T> newDiscard) {
        discard = Objects.requireNonNull(newDiscard, "discard");
        return this;
    }

    /// Takes the work back, if no worker has begun it: it will not run, and its subscribers are
    /// told of a [CancellationException].
    ///
    /// @return false if it is running, or has ended
    public boolean cancel() {
        if (is(CLOSED)) {
            return false;
        }
        if (work != null) {
            return work.cancel();
        }
        settle(null, cancelled());
        return true;
    }

    /// Interrupts the worker's thread, if it is at this work, or as soon as it is; what the work
    /// makes of it is its own affair. The thread's next piece of work does not notice.
    ///
    /// @return false if the work has ended
    public boolean interrupt() {
        return !settled && interruption.send();
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public String info() {
        return "Work(\"" + name + "\", " + state() + ")";
    }

    @Override
    protected boolean replay(Callback<? super T> callback) {
        if (settled) {
            tell(callback, value, error);
        }
        return settled;
    }

    @Override
    protected void onStart() {
        if (work == null) {
            var completion = new Ending();
            work =
                    workers == null
                            ? loop.submit(new Body(), completion)
                            : loop.submit(workers, lane, new Body(), completion);
        }
    }

    @Override
    protected void onDispose() {
        if (work != null) {
            work.cancel();
        }
    }

    /// On the worker.
    private T call() throws Exception {
        interruption.begin();
        try {
            return body.call();
        } finally {
            interruption.end();
        }
    }

    private void settle(@Nullable T newValue, @Nullable Throwable newError) {
        if (isDisposed()) {
            if (newValue != null) {
                discard.accept(newValue);
            }
            return;
        }
        value = newValue;
        error = newError;
        settled = true;
        finish(newValue, newError);
    }

    private CancellationException cancelled() {
        return new CancellationException("cancelled before it began: \"" + name + '"');
    }

    private String state() {
        if (settled) {
            return error == null
                    ? "done"
                    : error instanceof CancellationException ? "cancelled" : "failed";
        }
        Work<T> handed = work;
        if (handed == null) {
            return "not started";
        }
        return handed.state() == Work.State.QUEUED ? "waits for a worker" : "running";
    }

    /// What the worker calls; says in messages what is done.
    private final class Body implements Callable<T> {
        @Override
        public T call() throws Exception {
            return WorkEvent.this.call();
        }

        @Override
        public String toString() {
            return '"' + name + '"';
        }
    }

    private final class Ending implements Work.Completion<T> {
        @Override
        public void done(@Nullable T newValue, @Nullable Throwable newError) {
            settle(newValue, newError);
        }

        @Override
        public void cancelled() {
            settle(null, WorkEvent.this.cancelled());
        }
    }
}
