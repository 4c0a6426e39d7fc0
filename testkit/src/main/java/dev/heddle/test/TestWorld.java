package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import dev.heddle.Heddle;
import dev.heddle.HeddleOptions;
import dev.heddle.Report;
import dev.heddle.loop.Clock;
import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.loop.Timer;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Reactor;
import dev.heddle.reactor.SimClock;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.SimKernel;
import dev.heddle.test.kernel.SimPipe;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// The world that a test runs in: its clock, its chance, its kernel, and what was reported.
///
/// In virtual time the clock moves only when nothing is ready to run, and then straight to what
/// comes next: a delay of an hour takes none. One exception: a cancelled coroutine that swallows
/// the cancellation and is always ready, ten thousand times in an instant, does not keep it from
/// moving. Everything that could come out one way or another is drawn from the seed, so the same
/// seed gives the same run.
///
/// **Thread:** loop, except [#seed] and [#reports].
public final class TestWorld {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Settings settings;
    private final SimClock clock = new SimClock();
    private final SimKernel kernel;
    private final Sys front;
    private final Trace trace = new Trace();
    private final Watching probe = new Watching(this);

    // One for each use, so that a test that draws once more does not change the schedule.
    private final RandomGenerator choices;
    private final RandomGenerator latencies;
    private final RandomGenerator random;
    private final SimWorkers workers;

    // Guarded by itself: a watchdog reports from its own thread.
    private final List<Report> reports = new ArrayList<>();

    // Written by the loop's thread, read by whoever guards it.
    private volatile @Nullable Loop loop;
    private @Nullable Reactor reactor;
    private long began;
    private boolean held;
    private int scripts;

    TestWorld(Settings settings) {
        this.settings = settings;
        var root = new SplittableRandom(settings.seed());
        choices = root.split();
        latencies = root.split();
        random = root.split();
        workers = new SimWorkers(clock, latencies, settings);
        var kernelChances = root.split();
        kernel = settings.isSeeded() ? new SimKernel(clock, kernelChances) : new SimKernel(clock);
        Sys calls = settings.virtualTime() ? kernel : Sys.NATIVE;
        front = FaultPlan.before(calls, settings.faults(), root.split());
    }

    /// {@return how much time has passed since the test began; virtual, unless it runs in real
    /// time}
    public Duration elapsed() {
        return Duration.ofNanos(settings.virtualTime() ? clock.nanos() : loop().now() - began);
    }

    /// {@return numbers that come from the seed}
    public RandomGenerator random() {
        return random;
    }

    public long seed() {
        return settings.seed();
    }

    /// {@return a number that is the same for every run that did the same so far}
    public long traceHash() {
        return trace.hash();
    }

    /// Writes `what` into the trace, and so into its hash.
    public void note(String what) {
        trace.note(clock.nanos(), Objects.requireNonNull(what, "what"));
    }

    /// {@return what was reported, in order: zombies, failures that nobody looked at, and the like}
    public List<Report> reports() {
        synchronized (reports) {
            return List.copyOf(reports);
        }
    }

    /// {@return the simulated kernel: pipes, and descriptors that are ready when the test says so}
    public SimKernel kernel() {
        ensureVirtual("kernel()");
        return kernel;
    }

    /// {@return a pipe of the simulated kernel, both ends non-blocking. Its calls fail as the
    /// test's faults say}
    public SimPipe pipe() throws IOException {
        ensureVirtual("pipe()");
        return kernel.pipe(front);
    }

    /// Sends the program a signal, as the system would.
    ///
    /// @param name without `SIG`
    /// @throws IllegalStateException if nobody listens for it
    public void raise(String name) {
        ensureVirtual("raise()");
        kernel.raise(Objects.requireNonNull(name, "name"));
    }

    // ---- time ----

    /// Lets everything run that can without time passing. A cancelled coroutine that only spins is
    /// not waited for.
    public void settle() {
        probe.settles(Heddle.current());
        try {
            do {
                suspend();
            } while ((loop().hasReady() || RealBlocking.isHandedOver(loop()))
                    && !probe.onlySpins());
        } finally {
            probe.settles(null);
        }
    }

    /// From now on time stands still until it is moved by [#advance]. A test that then waits for
    /// more than it has moved fails, instead of waiting for ever.
    public void holdTime() {
        ensureVirtual("holdTime()");
        held = true;
        clock.holdAt(clock.nanos());
    }

    /// Moves time on by this much. What comes due on the way happens in its order, each at its
    /// time; then all that is ready has run.
    public void advance(Duration by) {
        ensureVirtual("advance()");
        long nanos = Timer.nanosOf(by);
        settle();
        if (held) {
            clock.holdAt(Timer.later(clock.nanos(), nanos));
        }
        delay(by);
        settle();
    }

    /// Runs `event` when this much time has passed since the beginning: it plays the outside world,
    /// and is no coroutine. It may cancel, complete promises and script the kernel. If the test
    /// ends before, it does not happen.
    public void at(Duration when, Runnable event) {
        ensureVirtual("at()");
        Objects.requireNonNull(event, "event");
        scripts++;
        if (loop != null) {
            loop().hold();
        }
        clock.at(Timer.nanosOf(when), () -> happens(event));
    }

    // Who waits for an event does not wait for ever: the loop is held until it has happened. It
    // runs while the loop waits, which would go on waiting for its next timer: what the event has
    // made ready is not in the kernel.
    private void happens(Runnable event) {
        scripts--;
        loop().release();
        try {
            event.run();
        } finally {
            Objects.requireNonNull(reactor).wake();
        }
    }

    // ---- for the kit ----

    Settings settings() {
        return settings;
    }

    Trace trace() {
        return trace;
    }

    long nanos() {
        return clock.nanos();
    }

    Loop loop() {
        return Objects.requireNonNull(loop, "the world has not begun");
    }

    /// {@return the loop; null before it has begun. Any thread}
    @Nullable Loop loopOrNull() {
        return loop;
    }

    boolean isVirtual() {
        return settings.virtualTime();
    }

    /// Moves time on to what comes next, though somebody is ready; not if it is held.
    void letTimePass() {
        if (clock.isHeld()) {
            return;
        }
        var left = loop().untilNextTimer();
        if (left.isPresent()) {
            clock.advance(Timer.later(loop().now(), Timer.nanosOf(left.get())));
        } else if (clock.hasScripts()) {
            clock.advance(Long.MAX_VALUE);
        }
    }

    /// Lets a turn of the loop pass, in which offloaded work may end: in virtual time it does so at
    /// once, however long it was going to take.
    void letWorkEnd() {
        if (!settings.virtualTime()) {
            delay(PAUSE);
            return;
        }
        workers.hurry();
        // Not suspend() alone: with nobody ready, it does not even ask the reactor.
        loop().post(() -> {});
        suspend();
    }

    void begins(Loop newLoop) {
        loop = newLoop;
        began = newLoop.now();
        for (int i = 0; i < scripts; i++) {
            newLoop.hold();
        }
    }

    /// {@return what is left of the simulated kernel once the program has ended, in words}
    List<String> leftInKernel() {
        var left = new ArrayList<String>();
        kernel.open().forEach(each -> left.add("simulated descriptor " + each));
        left.addAll(kernel.doubleCloses());
        return left;
    }

    Watching probe() {
        return probe;
    }

    HeddleOptions options() {
        // The watchdog looks at the machine's time, and a machine may be busy.
        var options =
                Heddle.with()
                        .blockedAfter(Duration.ZERO)
                        .onReport(this::keep)
                        .loop(this::loopOptions);
        return Objects.requireNonNull(settings.change().apply(options), "options").probe(probe);
    }

    private LoopOptions loopOptions(LoopOptions options) {
        var made = settings.virtualTime() ? virtual(options) : real(options);
        return settings.isSeeded()
                ? made.order(new Picker(settings.schedule(), choices, trace, clock::nanos))
                : made;
    }

    private LoopOptions virtual(LoopOptions options) {
        return options.reactor(virtualReactor(), clock::nanos)
                .workers(workers)
                .signals(kernel.signals())
                .name("test");
    }

    private Reactor virtualReactor() {
        // The simulated backend makes no system calls that could fail.
        var usual = settings.faults().isEmpty() ? Backend.SIM : Backend.EPOLL;
        var backend = settings.backend() == null ? usual : settings.backend();
        try {
            reactor = kernel.reactor(backend, front);
            return reactor;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private LoopOptions real(LoopOptions options) {
        Backend backend = settings.backend();
        if (settings.faults().isEmpty()) {
            return backend == null ? options : options.backend(backend);
        }
        try {
            var made = backend == null ? Backend.open(front).reactor() : backend.reactor(front);
            return options.reactor(made, Clock.system());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void keep(Report report) {
        synchronized (reports) {
            reports.add(report);
        }
    }

    private void ensureVirtual(String what) {
        if (!settings.virtualTime()) {
            throw new IllegalStateException(what + " needs virtual time, and this test has none");
        }
    }

    @Override
    public String toString() {
        return "TestWorld(seed " + settings.seed() + ", " + settings.schedule() + ")";
    }
}
