package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.SimClock;
import dev.heddle.reactor.SimReactor;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sys;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// A program as it runs outside of tests, seen from outside: for claims about its end, about what
/// is reported, about the order first in first out, and about the loop itself. In virtual time:
/// waiting moves the clock, so an hour's delay takes none, and every run is the same. With [#real]
/// the same on the machine's own loop and clock, for claims about other threads.
///
/// Claims about what happens inside, in whatever order, are tests of the kit's, with its seeds and
/// its check for what is left. But the kit looks on as a [Probe], and then a coroutine that ends
/// does not hand its thread to the next, as it does where nobody looks: the programs here do.
///
/// **Thread:** owner (the test).
final class World {
    private final SimClock clock = new SimClock();
    private final SimReactor sim = new SimReactor(clock);
    private final boolean virtual;
    private final long nativeBefore = Memory.inUse();
    private UnaryOperator<HeddleOptions> change = UnaryOperator.identity();

    /// What was reported, in order. Guarded by itself: the watchdog reports from its own thread.
    private final List<Report> reports = new ArrayList<>();

    /// What the program wrote down by [#say], in order.
    final List<String> trail = new ArrayList<>();

    private World(boolean virtual) {
        this.virtual = virtual;
    }

    static World virtual() {
        return new World(true);
    }

    static World real() {
        return new World(false);
    }

    World with(UnaryOperator<HeddleOptions> options) {
        var before = change;
        change = each -> options.apply(before.apply(each));
        return this;
    }

    void say(String line) {
        trail.add(line);
    }

    /// Runs `main` to the end of the program; then nothing may be left.
    <X extends Exception> World run(VoidOp<X> main) throws X {
        try {
            options().run(main);
        } finally {
            assertEquals(nativeBefore, Memory.inUse(), "native memory is left");
        }
        return this;
    }

    <T, X extends Exception> T call(Op<? extends T, X> main) throws X {
        try {
            return options().run(main);
        } finally {
            assertEquals(nativeBefore, Memory.inUse(), "native memory is left");
        }
    }

    HeddleOptions options() {
        // The watchdog looks at the machine's time, and a machine may be busy: only where it is
        // asked for.
        var options = Heddle.with().onReport(this::keep).blockedAfter(Duration.ZERO);
        if (virtual) {
            options = options.loop(loop -> loop.reactor(sim, sim::nanos));
        }
        return Objects.requireNonNull(change.apply(options));
    }

    /// {@return how much virtual time has passed}
    Duration elapsed() {
        return Duration.ofNanos(sim.nanos());
    }

    /// Lets virtual time pass while the caller computes: the loop does not get to its timers.
    void compute(Duration time) {
        clock.advance(clock.nanos() + time.toNanos());
    }

    /// The simulated kernel: `holdTimeWhile` makes it wait for other threads.
    SimReactor sim() {
        return sim;
    }

    private void keep(Report report) {
        synchronized (reports) {
            reports.add(report);
        }
    }

    List<Report> reports() {
        synchronized (reports) {
            return List.copyOf(reports);
        }
    }

    List<String> reports(Report.Kind kind) {
        return reports().stream()
                .filter(report -> report.kind() == kind)
                .map(Report::text)
                .toList();
    }

    /// {@return the backends that this machine has, for claims about each}
    static List<Backend> backends() {
        return Arrays.stream(Backend.values())
                .filter(backend -> backend != Backend.SIM && isThere(backend))
                .toList();
    }

    private static boolean isThere(Backend backend) {
        try (var _ = backend.reactor(Sys.NATIVE)) {
            return true;
        } catch (IOException | RuntimeException refused) {
            return false;
        }
    }
}
