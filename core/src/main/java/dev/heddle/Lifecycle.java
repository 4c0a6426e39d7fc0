package dev.heddle;

import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;

/// From the main coroutine to the end of the program: what ends it, in which order, and what `run`
/// throws.
///
/// **Thread:** loop.
final class Lifecycle {
    /*
     *   RUNNING ──unhandled error, shutdown(), interrupt of run──▶ STOPPING: everything is cancelled and cleans up
     *   RUNNING or STOPPING ──no active coroutine left──▶ zombies are cancelled, and have a grace time
     *   STOPPING ──second failure, or the limit──▶ what is left is abandoned
     */
    private static final long NONE = -1;

    private final Scheduler scheduler;
    private @Nullable Coroutine<?> main;
    private boolean mainShutDown;
    private @Nullable Throwable failure;
    private @Nullable DeadlockError deadlock;
    private boolean stopping;
    private boolean hurried;
    private long lastRound = NONE;

    Lifecycle(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    // ---- the program ----

    <T> Outcome<T> run(Callable<? extends T> body, CallerInterrupts interrupts) {
        scheduler.attach(interrupts);
        var watchdog = new Watchdog(scheduler);
        try {
            watchdog.start();
            interrupts.begin(scheduler);
            watchSignals();
            Coroutine<T> first = scheduler.spawn(scheduler.root, "main", body);
            main = first;
            first.onCompletion(this::mainEnded);
            first.observed();
            scheduler.loop.runUntil(this::isOver);
            endZombies();
            if (scheduler.probe != null) {
                scheduler.probe.ends(scheduler.loop);
            }
            return verdict(first);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            watchdog.close();
            reportAbandoned();
            scheduler.neglected.reportAll();
            scheduler.bridges.endAll();
            scheduler.close();
            scheduler.detach();
            interrupts.end();
            Log.flush();
        }
    }

    // Zombies may always be ready: then one more round is enough for what others have posted.
    private boolean isOver() {
        if (hurried) {
            return true;
        }
        if (scheduler.active > 0 || scheduler.callbacks > 0) {
            lastRound = NONE;
            return false;
        }
        if (lastRound == NONE) {
            lastRound = scheduler.loop.rounds() + 1;
        }
        return !scheduler.loop.hasReady() || scheduler.loop.roundsDone() >= lastRound;
    }

    // A failure of main ends the program; other coroutines are not waited for, as they are when
    // main returns.
    private void mainEnded(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Failure<?>(var error)) {
            if (failure == null) {
                failure = error;
            }
            stop("main failed: " + Report.inWords(error));
        }
    }

    private <T> Outcome<T> verdict(Coroutine<T> first) {
        Throwable thrown = deadlock != null ? deadlock : failure;
        Outcome<T> outcome = first.outcome().orElse(null);
        if (thrown != null) {
            Errors.suppress(thrown, failure);
            if (outcome instanceof Outcome.Failure<T>(var error)) {
                Errors.suppress(thrown, error);
            }
            return new Outcome.Failure<>(thrown);
        }
        if (outcome == null) {
            return new Outcome.Failure<>(
                    new IllegalStateException("the main coroutine did not end: it was abandoned"));
        }
        return outcome;
    }

    // ---- shutting down ----

    /// An error reached the top.
    void failed(Throwable error, ErrorSource source) {
        // A coroutine's own line would name the error a second time.
        failed(
                error,
                switch (source) {
                    case Coroutine<?> coroutine -> WaitLines.origin(coroutine);
                    case Scope scope -> scope.info();
                });
    }

    /// An error reached the top.
    void failed(Throwable error, String source) {
        if (error instanceof Cancellation) {
            // Somebody else's, that escaped: nobody waits for this coroutine, and nothing is lost.
            return;
        }
        scheduler.options.report(
                Report.Kind.UNCAUGHT,
                "uncaught in " + source + ": " + Report.withCauses(error),
                Report.stackOf(error));
        failure = Errors.join(failure, error);
        if (stopping) {
            hurried = true;
        }
        stop("uncaught: " + Report.inWords(error));
    }

    /// Asked for by the program, a signal or an interrupt of its caller; the second time it ends at
    /// once.
    void shutdown() {
        if (stopping) {
            hurried = true;
            return;
        }
        mainShutDown = main != null && !main.isCancellationRequested();
        stop("shutdown");
    }

    private void stop(String reason) {
        if (stopping) {
            return;
        }
        stopping = true;
        scheduler.root.cancelAll(reason);
        Timer limit = scheduler.loop.timer(() -> hurried = true);
        limit.unref();
        limit.startNanos(scheduler.options.shutdownNanos, 0);
    }

    /// {@return whether it is by `request` that a shutdown has ended main}
    boolean isShutdown(CancelRequest request) {
        return mainShutDown && request.target == main;
    }

    /// Everything active waits for ever: all are cancelled, and `run` throws this.
    void deadlocked(DeadlockError found) {
        if (deadlock == null) {
            deadlock = found;
        }
    }

    /// What is left does not end, whatever is done: the program ends without it.
    void abandon() {
        hurried = true;
        scheduler.loop.stop();
    }

    private void watchSignals() {
        for (var signal : scheduler.options.shutdownSignals) {
            scheduler.loop.onSignal(signal.name(), this::shutdown).unref();
        }
    }

    // ---- the end ----

    private void endZombies() throws IOException {
        if (scheduler.registry.size() == 0 || hurried) {
            return;
        }
        scheduler.root.cancelAll("the program ends");
        var over = new boolean[1];
        Timer grace = scheduler.loop.timer(() -> over[0] = true);
        grace.startNanos(scheduler.options.zombieGraceNanos, 0);
        scheduler.loop.runUntil(() -> over[0] || hurried || isEmpty());
        grace.stop();
    }

    private boolean isEmpty() {
        return scheduler.registry.size() == 0 && scheduler.callbacks == 0;
    }

    private void reportAbandoned() {
        try (var all = scheduler.registry.cursor()) {
            for (var each = all.next(); each != null; each = all.next()) {
                scheduler.options.report(
                        Report.Kind.ABANDONED,
                        "abandoned at the end of the program: " + each.info(),
                        each.stack());
            }
        }
    }

    /// A failure that stays on its handle: it is reported if nobody ever looks. Somebody else's
    /// cancellation is no news.
    void observedFailure(Coroutine<?> coroutine, Throwable error) {
        if (!coroutine.isFailureRead() && !(error instanceof Cancellation)) {
            coroutine.watchFailure(error);
        }
    }
}
