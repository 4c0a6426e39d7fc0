package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.Callable;

/// Runs a program: opens a loop on the calling thread, spawns the main coroutine, and comes back
/// when no active coroutine is left.
///
/// **Thread:** any. A platform thread becomes the loop's; a virtual one gets a platform thread made
/// for it, since a loop needs one of its own.
final class Running {
    private Running() {}

    static <T, X extends Exception> T call(HeddleOptions options, Op<? extends T, X> main)
            throws X {
        Objects.requireNonNull(main, "main");
        if (Schedulers.currentOrNull() != null) {
            return Scope.call(_ -> main.call());
        }
        Outcome<T> outcome = outcome(options, main);
        if (outcome instanceof Outcome.Cancelled<T>(var cancellation)) {
            throw new OperationCancelledException(cancellation.reason(), cancellation, false);
        }
        return Running.<T, X>valueOrThrow(outcome);
    }

    static <X extends Exception> void run(HeddleOptions options, VoidOp<X> main) throws X {
        Objects.requireNonNull(main, "main");
        if (Schedulers.currentOrNull() != null) {
            Scope.<X>run(_ -> main.run());
            return;
        }
        Outcome<Void> outcome = outcome(options, Heddle.callable(main));
        if (outcome instanceof Outcome.Cancelled<Void>(var cancellation)) {
            if (!cancellation.isShutdown()) {
                throw new OperationCancelledException(cancellation.reason(), cancellation, false);
            }
            return;
        }
        Running.<Void, X>valueOrThrow(outcome);
    }

    // The body declares X, so a checked failure is one.
    @SuppressWarnings("unchecked")
    private static <T, X extends Exception> T valueOrThrow(Outcome<T> outcome) throws X {
        if (outcome instanceof Outcome.Failure<T>(Exception error)) {
            throw (X) error;
        }
        return outcome.orThrow();
    }

    private static <T> Outcome<T> outcome(HeddleOptions options, Callable<? extends T> main) {
        Carrier.ensureReady();
        boolean onLoop = Schedulers.here() != null;
        // Also one that a loop carries: waiting for the other thread parks only this one.
        boolean isVirtual = Thread.currentThread().isVirtual();
        if (onLoop && !isVirtual) {
            throw new IllegalStateException(
                    "run inside a callback of a loop, which cannot wait: spawn a coroutine there");
        }
        // Who was interrupted before has not interrupted the program.
        boolean before = Thread.interrupted();
        var interrupts = new CallerInterrupts();
        try {
            return isVirtual
                    ? OwnThread.call(interrupts, () -> outcomeHere(options, main, interrupts))
                    : outcomeHere(options, main, interrupts);
        } finally {
            if (before || interrupts.seen()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <T> Outcome<T> outcomeHere(
            HeddleOptions options, Callable<? extends T> main, CallerInterrupts interrupts) {
        Scheduler scheduler;
        try {
            scheduler = new Scheduler(options);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return scheduler.lifecycle.run(main, interrupts);
    }

    /// A platform thread for one call.
    private static final class OwnThread<T> implements Runnable {
        private final Callable<T> body;
        private @Nullable T result;
        private @Nullable Throwable error;

        private OwnThread(Callable<T> body) {
            this.body = body;
        }

        static <T> T call(CallerInterrupts interrupts, Callable<T> body) {
            var own = new OwnThread<>(body);
            var thread = Thread.ofPlatform().name("heddle").start(own);
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException meantForTheProgram) {
                    interrupts.arrived();
                }
            }
            if (own.error != null) {
                throw Waits.unchecked(own.error);
            }
            return Objects.requireNonNull(own.result);
        }

        @Override
        public void run() {
            try {
                result = body.call();
            } catch (Throwable thrown) {
                error = thrown;
            }
        }
    }
}
