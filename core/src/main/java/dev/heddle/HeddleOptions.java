package dev.heddle;

import dev.heddle.loop.LoopOptions;
import dev.heddle.loop.Timer;
import dev.heddle.reactor.Backend;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// How to run a program of coroutines. Each method returns a changed copy; [#run] ends the chain.
///
/// **Thread:** immutable.
public final class HeddleOptions {
    static final HeddleOptions DEFAULTS = new HeddleOptions();

    // Set while a copy is being made, and by nobody afterwards.
    private LoopOptions loop = LoopOptions.defaults().name("heddle");
    boolean debug = Boolean.getBoolean("heddle.debug");
    long cleanUpNanos = Timer.nanosOf(Duration.ofSeconds(1));
    long zombieGraceNanos = Timer.nanosOf(Duration.ofSeconds(2));
    long shutdownNanos = Timer.nanosOf(Duration.ofSeconds(10));
    long zombieLogNanos = Timer.nanosOf(Duration.ofSeconds(10));
    long jdkDeadlockNanos = Timer.nanosOf(Duration.ofSeconds(10));
    long blockedNanos = Timer.nanosOf(Duration.ofMillis(100));
    List<Signal> shutdownSignals = List.of();
    private @Nullable Consumer<? super Report> reports;
    @Nullable Probe probe;

    private HeddleOptions() {}

    private HeddleOptions(HeddleOptions from) {
        loop = from.loop;
        debug = from.debug;
        cleanUpNanos = from.cleanUpNanos;
        zombieGraceNanos = from.zombieGraceNanos;
        shutdownNanos = from.shutdownNanos;
        zombieLogNanos = from.zombieLogNanos;
        jdkDeadlockNanos = from.jdkDeadlockNanos;
        blockedNanos = from.blockedNanos;
        shutdownSignals = from.shutdownSignals;
        reports = from.reports;
        probe = from.probe;
    }

    /// Waits with this backend instead of the best one that the machine allows.
    public HeddleOptions backend(Backend backend) {
        return loop(options -> options.backend(backend));
    }

    /// Changes how the loop itself is opened: its name, its workers, its reactor and clock.
    public HeddleOptions loop(UnaryOperator<LoopOptions> change) {
        Objects.requireNonNull(change, "change");
        return with(copy -> copy.loop = Objects.requireNonNull(change.apply(loop), "loop options"));
    }

    /// Shuts down gracefully when the process gets one of these signals; a second one ends it at
    /// once.
    public HeddleOptions shutdownOn(Signal... signals) {
        for (var signal : Objects.requireNonNull(signals, "signals")) {
            Objects.requireNonNull(signal, "signal");
        }
        var list = List.of(signals);
        return with(copy -> copy.shutdownSignals = list);
    }

    /// Records where coroutines and promises are made, and gives cancellations a stack. Costs about
    /// ten times as much per spawn. Also by `-Dheddle.debug=true`.
    public HeddleOptions debug() {
        return with(copy -> copy.debug = true);
    }

    /// How long a cancelled coroutine may clean up before it is cancelled again; a second by
    /// default.
    public HeddleOptions cleanUpWindow(Duration window) {
        long nanos = positive(window, "clean-up window");
        return with(copy -> copy.cleanUpNanos = nanos);
    }

    /// How long zombies have at the end of the program, once they are cancelled; two seconds by
    /// default.
    public HeddleOptions zombieGrace(Duration grace) {
        long nanos = Timer.nanosOf(grace);
        return with(copy -> copy.zombieGraceNanos = nanos);
    }

    /// How often zombies that live are logged; every ten seconds by default.
    public HeddleOptions zombieLogEvery(Duration period) {
        long nanos = positive(period, "period of the zombie log");
        return with(copy -> copy.zombieLogNanos = nanos);
    }

    /// How long a graceful shutdown may take before what is left is abandoned; ten seconds by
    /// default.
    public HeddleOptions shutdownLimit(Duration limit) {
        long nanos = Timer.nanosOf(limit);
        return with(copy -> copy.shutdownNanos = nanos);
    }

    /// For how long coroutines that are ready may keep the loop from its timers and descriptors;
    /// two milliseconds by default, zero for no limit. See [LoopOptions#turnLimit].
    public HeddleOptions turnLimit(Duration limit) {
        return loop(options -> options.turnLimit(limit));
    }

    /// For how long one coroutine may keep the loop before the watchdog reports it; 100 ms by
    /// default, zero for never. A wait that cannot let go of the loop's thread, in a class
    /// initialiser say, is found and reported within a second whatever this says.
    public HeddleOptions blockedAfter(Duration limit) {
        long nanos = Timer.nanosOf(limit);
        return with(copy -> copy.blockedNanos = nanos);
    }

    /// For how long only coroutines in locks, monitors and endless parks of the JDK may be left
    /// before that is reported as a possible deadlock; ten seconds by default. Sockets, processes
    /// and waits for a time do not count: they are waits for the world.
    public HeddleOptions jdkDeadlockAfter(Duration limit) {
        long nanos = positive(limit, "limit");
        return with(copy -> copy.jdkDeadlockNanos = nanos);
    }

    /// Takes reports instead of the logger `dev.heddle`. Called on the loop or on the watchdog's
    /// thread: it must neither block nor take a lock that a coroutine may hold.
    public HeddleOptions onReport(Consumer<? super Report> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return with(copy -> copy.reports = consumer);
    }

    /// Tells `probe` what the coroutines do: for test kits and tracers.
    public HeddleOptions probe(Probe newProbe) {
        Objects.requireNonNull(newProbe, "probe");
        return with(copy -> copy.probe = newProbe);
    }

    /// [Heddle#run(Op)] with these options.
    public <T, X extends Exception> T run(Op<? extends T, X> main) throws X {
        return Running.call(this, main);
    }

    /// [Heddle#run(VoidOp)] with these options.
    public <X extends Exception> void run(VoidOp<X> main) throws X {
        Running.run(this, main);
    }

    LoopOptions loopOptions() {
        return loop;
    }

    void report(Report.Kind kind, String text, List<StackTraceElement> stack) {
        var report = new Report(kind, text, stack);
        if (reports == null) {
            Log.write(report);
            return;
        }
        try {
            reports.accept(report);
        } catch (Throwable thrown) {
            Log.write(report);
            Log.write(
                    new Report(
                            Report.Kind.UNCAUGHT,
                            "the consumer of reports threw " + Report.inWords(thrown),
                            Report.stackOf(thrown)));
        }
    }

    void report(Report.Kind kind, String text) {
        report(kind, text, List.of());
    }

    private HeddleOptions with(Consumer<? super HeddleOptions> change) {
        var copy = new HeddleOptions(this);
        change.accept(copy);
        return copy;
    }

    private static long positive(Duration duration, String what) {
        long nanos = Timer.nanosOf(duration);
        if (nanos == 0) {
            throw new IllegalArgumentException(what + " must be positive, but is zero");
        }
        return nanos;
    }
}
