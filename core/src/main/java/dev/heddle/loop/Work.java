package dev.heddle.loop;

import dev.heddle.sys.AtomicField;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/// A piece of blocking or heavy work, handed to a worker; its completion comes back on the loop.
///
/// **Thread:** any for [#cancel] and [#state]; loop for the rest.
public final class Work<T> extends Task {
    /// Told on the loop how the work ended. Exactly one of the two methods is called, once, unless
    /// the loop is gone by then.
    @FunctionalInterface
    public interface Completion<T> {
        /// It ran: `error` is null and `result` is what it returned, or `error` is what it threw.
        void done(@Nullable T result, @Nullable Throwable error);

        /// It was cancelled before it started.
        default void cancelled() {}
    }

    /// Where it is.
    public enum State {
        QUEUED,
        RUNNING,
        DONE,
        CANCELLED
    }

    /*
     *   QUEUED ──worker──▶ RUNNING ──▶ DONE
     *   QUEUED ──cancel──▶ CANCELLED
     *
     * Each arrow out of QUEUED is one compare-and-set, so a cancel that returns true means that the
     * work never ran. Whoever leaves QUEUED towards an end posts this object to its loop, once.
     */
    private static final VarHandle STATE =
            AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private final Engine engine;
    private final Executor executor;
    private final Callable<? extends T> body;
    private final Completion<? super T> completion;
    private final Job job = new Job(this);
    private volatile State state = State.QUEUED;

    // Written by the worker before it posts this, read by the loop after it took it from the inbox.
    private @Nullable T result;
    private @Nullable Throwable error;

    Work(
            Engine engine,
            Executor executor,
            Callable<? extends T> body,
            Completion<? super T> completion) {
        this.engine = engine;
        this.executor = executor;
        this.body = Objects.requireNonNull(body, "work");
        this.completion = Objects.requireNonNull(completion, "completion");
    }

    public State state() {
        return state;
    }

    /// Takes the work back, if no worker has begun it. Then neither it nor its completion's `done`
    /// runs; `cancelled` is called on the loop.
    ///
    /// @return false if it is running, ended or cancelled already
    public boolean cancel() {
        if (!withdraw()) {
            return false;
        }
        engine.postIfOpen(this);
        return true;
    }

    /// [#cancel] that tells nobody.
    boolean withdraw() {
        if (!STATE.compareAndSet(this, State.QUEUED, State.CANCELLED)) {
            return false;
        }
        if (executor instanceof WorkerPool pool) {
            pool.leftByCancelling();
        }
        return true;
    }

    boolean isOf(Engine which) {
        return engine == which;
    }

    /// {@return what a worker runs}
    Runnable job() {
        return job;
    }

    private void call() {
        if (engine.ending) {
            cancel();
            return;
        }
        if (!STATE.compareAndSet(this, State.QUEUED, State.RUNNING)) {
            return;
        }
        if (executor instanceof WorkerPool pool) {
            pool.left();
        }
        try {
            result = body.call();
        } catch (Throwable thrown) {
            error = thrown;
        }
        state = State.DONE;
        engine.postIfOpen(this);
    }

    @Override
    protected void run() {
        engine.work.end();
        if (state == State.CANCELLED) {
            completion.cancelled();
        } else {
            completion.done(result, error);
        }
    }

    @Override
    protected boolean isIndependent() {
        return true;
    }

    @Override
    protected void drop() {
        engine.work.end();
    }

    @Override
    public String toString() {
        return "Work(" + state + ", " + body + ")";
    }

    /// What a worker gets to run; a pool that closes finds the work again by it.
    record Job(Work<?> work) implements Runnable {
        @Override
        public void run() {
            work.call();
        }
    }
}
