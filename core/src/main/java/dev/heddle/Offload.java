package dev.heddle;

import dev.heddle.event.Callback;
import dev.heddle.event.Event;
import dev.heddle.event.WorkEvent;
import dev.heddle.loop.Lane;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Waits for one piece of blocking or heavy work on a worker thread, and sees to it when the wait
/// is cancelled.
///
/// **Thread:** loop (a coroutine). The body runs on a worker.
final class Offload {
    private Offload() {}

    /// @param pool runs it; null for the loop's workers
    /// @param discard gets a result that comes after a cancellation did not wait for it; null to
    ///   wait
    static <T> T run(
            @Nullable Executor pool,
            Callable<? extends T> body,
            @Nullable Consumer<? super T> discard)
            throws Exception {
        Objects.requireNonNull(body, "body");
        Coroutine<?> self = Coroutine.current("offload");
        self.beforeSuspension();
        var packed = new Belongings<T>(self, body);
        var work = new WorkEvent<T>(self.loop(), Place.describe(body.getClass()), packed);
        if (pool != null) {
            work.on(pool, Lane.NORMAL);
        }
        try {
            await(self, work);
        } catch (Throwable ended) {
            leave(self, work, discard, ended);
            throw ended;
        }
        return Ending.of(work).orThrow();
    }

    private static void await(Coroutine<?> self, WorkEvent<?> work) {
        self.fiber().begin().on(work, (waker, source, _, _) -> waker.answer(source, null, null));
        self.suspend();
        self.throwIfInterrupted();
    }

    /// The wait was ended by `ended`.
    private static <T> void leave(
            Coroutine<?> self,
            WorkEvent<T> work,
            @Nullable Consumer<? super T> discard,
            Throwable ended) {
        if (work.is(Event.CLOSED)) {
            // It came, and the cancellation overtook it before the coroutine ran.
            Ending.of(work).giveTo(discard, ended);
            return;
        }
        if (work.cancel()) {
            return;
        }
        work.interrupt();
        if (discard != null) {
            work.onDiscard(discard);
            work.dispose();
            return;
        }
        var shield = new Frame(self, true);
        try {
            while (!work.is(Event.CLOSED)) {
                await(self, work);
            }
        } finally {
            shield.leave();
        }
    }

    /// How the work ended, which it tells to who subscribes afterwards.
    private static final class Ending<T> extends Callback<T> {
        private @Nullable T value;
        private @Nullable Throwable error;

        static <T> Ending<T> of(WorkEvent<T> work) {
            var ending = new Ending<T>();
            work.subscribe(ending);
            return ending;
        }

        @Override
        protected void onEvent(
                Event<? extends T> source, @Nullable T told, @Nullable Throwable thrown) {
            value = told;
            error = thrown;
        }

        T orThrow() throws Exception {
            return switch (error) {
                case null -> Heddle.value(value);
                case Exception exception -> throw exception;
                case Error fatal -> throw fatal;
                default -> throw new IllegalStateException(error);
            };
        }

        void giveTo(@Nullable Consumer<? super T> discard, Throwable ended) {
            if (discard == null || value == null) {
                return;
            }
            try {
                discard.accept(value);
            } catch (Throwable thrown) {
                ended.addSuppressed(thrown);
            }
        }
    }
}
