package dev.heddle.loop;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Reactor;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/// How to open a [Loop]. Each method returns a changed copy.
///
/// **Thread:** immutable.
public final class LoopOptions {
    private static final LoopOptions DEFAULTS =
            new LoopOptions(
                    "loop",
                    Optional.empty(),
                    Optional.empty(),
                    Clock.system(),
                    Optional.empty(),
                    Optional.empty(),
                    new Embedder() {},
                    false);

    final String name;
    final Optional<Backend> backend;
    final Optional<Reactor> reactor;
    final Clock clock;
    final Optional<Executor> workers;
    final Optional<ErrorHandler> errorHandler;
    final Embedder embedder;
    final boolean pollEveryTurn;

    private LoopOptions(
            String name,
            Optional<Backend> backend,
            Optional<Reactor> reactor,
            Clock clock,
            Optional<Executor> workers,
            Optional<ErrorHandler> errorHandler,
            Embedder embedder,
            boolean pollEveryTurn) {
        this.name = name;
        this.backend = backend;
        this.reactor = reactor;
        this.clock = clock;
        this.workers = workers;
        this.errorHandler = errorHandler;
        this.embedder = embedder;
        this.pollEveryTurn = pollEveryTurn;
    }

    public static LoopOptions defaults() {
        return DEFAULTS;
    }

    /// A name for messages and statistics.
    public LoopOptions name(String newName) {
        Objects.requireNonNull(newName, "name");
        return new LoopOptions(
                newName, backend, reactor, clock, workers, errorHandler, embedder, pollEveryTurn);
    }

    /// Forces a backend; otherwise the system property `heddle.backend` does, otherwise the best
    /// one that the machine allows is taken. Replaces a [#reactor], with its clock.
    public LoopOptions backend(Backend newBackend) {
        Objects.requireNonNull(newBackend, "backend");
        return new LoopOptions(
                name,
                Optional.of(newBackend),
                Optional.empty(),
                Clock.system(),
                workers,
                errorHandler,
                embedder,
                pollEveryTurn);
    }

    /// Takes this reactor and this clock, which belong together when they are simulated. The loop
    /// closes the reactor.
    public LoopOptions reactor(Reactor newReactor, Clock newClock) {
        Objects.requireNonNull(newReactor, "reactor");
        Objects.requireNonNull(newClock, "clock");
        return new LoopOptions(
                name,
                Optional.empty(),
                Optional.of(newReactor),
                newClock,
                workers,
                errorHandler,
                embedder,
                pollEveryTurn);
    }

    /// Where [Loop#submit] sends work; otherwise to [WorkerPool#shared].
    public LoopOptions workers(Executor newWorkers) {
        Objects.requireNonNull(newWorkers, "workers");
        return new LoopOptions(
                name,
                backend,
                reactor,
                clock,
                Optional.of(newWorkers),
                errorHandler,
                embedder,
                pollEveryTurn);
    }

    /// Told of what callbacks throw; otherwise the thread's uncaught exception handler is.
    public LoopOptions onError(ErrorHandler newHandler) {
        Objects.requireNonNull(newHandler, "errorHandler");
        return new LoopOptions(
                name,
                backend,
                reactor,
                clock,
                workers,
                Optional.of(newHandler),
                embedder,
                pollEveryTurn);
    }

    public LoopOptions embedder(Embedder newEmbedder) {
        Objects.requireNonNull(newEmbedder, "embedder");
        return new LoopOptions(
                name, backend, reactor, clock, workers, errorHandler, newEmbedder, pollEveryTurn);
    }

    /// Asks the kernel in every turn, also while tasks are ready. Otherwise a loop with ready tasks
    /// may leave that out for a few turns.
    public LoopOptions pollEveryTurn() {
        return new LoopOptions(
                name, backend, reactor, clock, workers, errorHandler, embedder, true);
    }
}
