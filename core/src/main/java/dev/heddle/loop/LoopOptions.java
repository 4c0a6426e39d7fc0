package dev.heddle.loop;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Reactor;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// How to open a [Loop]. Each method returns a changed copy.
///
/// **Thread:** immutable.
public final class LoopOptions {
    private static final LoopOptions DEFAULTS = new LoopOptions();

    // Set while a copy is being made, and by nobody afterwards.
    String name = "loop";
    Optional<Backend> backend = Optional.empty();
    Optional<Reactor> reactor = Optional.empty();
    Clock clock = Clock.system();
    Optional<Executor> workers = Optional.empty();
    Optional<ErrorHandler> errorHandler = Optional.empty();
    Embedder embedder = new Embedder() {};
    Optional<Order> order = Optional.empty();
    SignalSource signals = Signals::listen;
    boolean pollEveryTurn;
    long turnLimitNanos = Timer.nanosOf(Duration.ofMillis(2));

    private LoopOptions() {}

    private LoopOptions(LoopOptions from) {
        name = from.name;
        backend = from.backend;
        reactor = from.reactor;
        clock = from.clock;
        workers = from.workers;
        errorHandler = from.errorHandler;
        embedder = from.embedder;
        order = from.order;
        signals = from.signals;
        pollEveryTurn = from.pollEveryTurn;
        turnLimitNanos = from.turnLimitNanos;
    }

    public static LoopOptions defaults() {
        return DEFAULTS;
    }

    /// A name for messages and statistics.
    public LoopOptions name(String newName) {
        Objects.requireNonNull(newName, "name");
        return with(copy -> copy.name = newName);
    }

    /// Forces a backend; otherwise the system property `heddle.backend` does, otherwise the best
    /// one that the machine allows is taken. Replaces a [#reactor], with its clock.
    public LoopOptions backend(Backend newBackend) {
        Objects.requireNonNull(newBackend, "backend");
        return with(
                copy -> {
                    copy.backend = Optional.of(newBackend);
                    copy.reactor = Optional.empty();
                    copy.clock = Clock.system();
                });
    }

    /// Takes this reactor and this clock, which belong together when they are simulated. The loop
    /// closes the reactor.
    public LoopOptions reactor(Reactor newReactor, Clock newClock) {
        Objects.requireNonNull(newReactor, "reactor");
        Objects.requireNonNull(newClock, "clock");
        return with(
                copy -> {
                    copy.backend = Optional.empty();
                    copy.reactor = Optional.of(newReactor);
                    copy.clock = newClock;
                });
    }

    /// Where [Loop#submit] sends work; otherwise to [WorkerPool#shared].
    public LoopOptions workers(Executor newWorkers) {
        Objects.requireNonNull(newWorkers, "workers");
        return with(copy -> copy.workers = Optional.of(newWorkers));
    }

    /// Told of what callbacks throw; otherwise the thread's uncaught exception handler is.
    public LoopOptions onError(ErrorHandler newHandler) {
        Objects.requireNonNull(newHandler, "errorHandler");
        return with(copy -> copy.errorHandler = Optional.of(newHandler));
    }

    public LoopOptions embedder(Embedder newEmbedder) {
        Objects.requireNonNull(newEmbedder, "embedder");
        return with(copy -> copy.embedder = newEmbedder);
    }

    /// Lets `newOrder` choose which ready task runs next; otherwise it is the oldest.
    public LoopOptions order(Order newOrder) {
        Objects.requireNonNull(newOrder, "order");
        return with(copy -> copy.order = Optional.of(newOrder));
    }

    /// Where signals come from; otherwise from the JVM, and so from the process.
    public LoopOptions signals(SignalSource newSource) {
        Objects.requireNonNull(newSource, "signals");
        return with(copy -> copy.signals = newSource);
    }

    /// Asks the kernel in every turn, also while tasks are ready. Otherwise a loop with ready tasks
    /// may leave that out for a few turns.
    public LoopOptions pollEveryTurn() {
        return with(copy -> copy.pollEveryTurn = true);
    }

    /// For how long a turn runs tasks that are ready before it looks at timers, descriptors and
    /// posts again; two milliseconds by default, zero for no limit. The others keep their places,
    /// and a task that has begun is not interrupted. Single turns, as by [Loop#runOnce], have no
    /// limit.
    public LoopOptions turnLimit(Duration limit) {
        long nanos = Timer.nanosOf(limit);
        return with(copy -> copy.turnLimitNanos = nanos);
    }

    private LoopOptions with(Consumer<? super LoopOptions> change) {
        var copy = new LoopOptions(this);
        change.accept(copy);
        return copy;
    }
}
