package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Work;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// One piece of blocking or heavy work on a worker thread, and the coroutine that waits for it.
///
/// **Thread:** loop; [#call] runs on the worker.
final class Offload<T> extends Event<T> implements Callable<T>, Work.Completion<T> {
    /*
     *   QUEUED ──worker──▶ RUNNING ──ends──▶ ENDED
     *                        └──cancelled──▶ INTERRUPTING ──▶ INTERRUPTED
     *
     * A worker that finds INTERRUPTING when it ends waits those few instructions, so that the interrupt
     * hits this piece of work and not the next one.
     */
    private enum Stage {
        QUEUED,
        RUNNING,
        INTERRUPTING,
        INTERRUPTED,
        ENDED
    }

    private final Loop loop;
    private final Callable<? extends T> body;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.QUEUED);
    private volatile @Nullable Thread worker;
    private @Nullable T result;
    private @Nullable Throwable error;
    private @Nullable Consumer<? super T> discard;

    private Offload(Loop loop, Callable<? extends T> body) {
        this.loop = loop;
        this.body = body;
    }

    /// @param discard gets a result that comes after a cancellation did not wait for it; null to
    ///   wait
    static <T> T run(Callable<? extends T> body, @Nullable Consumer<? super T> discard)
            throws Exception {
        Objects.requireNonNull(body, "body");
        Coroutine<?> self = Coroutine.current("offload");
        self.beforeSuspension();
        var offload = new Offload<T>(self.loop(), body);
        Work<T> work = self.loop().submit(offload, offload);
        try {
            offload.await(self);
        } catch (Throwable ended) {
            offload.cancel(self, work, discard);
            throw ended;
        }
        return offload.resultOrThrow();
    }

    private void await(Coroutine<?> self) {
        self.fiber().begin().on(this, (waker, source, _, _) -> waker.answer(source, null, null));
        self.suspend();
        self.throwIfInterrupted();
    }

    private void cancel(Coroutine<?> self, Work<T> work, @Nullable Consumer<? super T> late) {
        if (is(CLOSED) || work.cancel()) {
            return;
        }
        interruptWorker();
        if (late != null) {
            discard = late;
            return;
        }
        var shield = new Frame(self, true);
        try {
            while (!is(CLOSED)) {
                await(self);
            }
        } finally {
            shield.leave();
        }
    }

    private void interruptWorker() {
        Thread busy = worker;
        if (busy != null && stage.compareAndSet(Stage.RUNNING, Stage.INTERRUPTING)) {
            busy.interrupt();
            stage.set(Stage.INTERRUPTED);
        }
    }

    private T resultOrThrow() throws Exception {
        return switch (error) {
            case null -> Heddle.value(result);
            case Exception exception -> throw exception;
            case Error fatal -> throw fatal;
            default -> throw new IllegalStateException(error);
        };
    }

    // ---- on the worker ----

    @Override
    public T call() throws Exception {
        worker = Thread.currentThread();
        stage.set(Stage.RUNNING);
        try {
            return body.call();
        } finally {
            if (!stage.compareAndSet(Stage.RUNNING, Stage.ENDED)) {
                while (stage.get() == Stage.INTERRUPTING) {
                    Thread.onSpinWait();
                }
                // It was meant for this piece of work, which is over.
                Thread.interrupted();
            }
            worker = null;
        }
    }

    // ---- back on the loop ----

    @Override
    public void done(@Nullable T value, @Nullable Throwable thrown) {
        result = value;
        error = thrown;
        finish(value, thrown);
        if (discard != null && value != null) {
            discard.accept(value);
        }
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public String info() {
        return "Offload(" + stage.get() + ", " + Place.describe(body.getClass()) + ")";
    }
}
