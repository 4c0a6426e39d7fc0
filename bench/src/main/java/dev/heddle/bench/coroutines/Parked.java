package dev.heddle.bench.coroutines;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Outcome;
import dev.heddle.Promise;
import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;

import java.time.Duration;

/// Sleeping, and being cancelled in the middle of it.
///
/// **Thread:** loop.
final class Parked {
    private static final Duration ONE_MILLI = Duration.ofMillis(1);

    private int count;

    private Parked() {}

    static void delays() {
        Basics.join(Basics.spawn(Size.DELAY, () -> delay(ONE_MILLI)));
    }

    static void cancel(Meter meter) {
        meter.pause();
        var gate = new Promise<Integer>();
        var parked = new Parked();
        var all = Basics.spawn(Size.CANCEL, () -> parked.waitFor(gate));
        suspend(); // they run before this goes on
        Check.count("parked", parked.count, Size.CANCEL);
        meter.resume();
        all.forEach(Coroutine::cancel);
        long cancelled = 0;
        for (var coroutine : all) {
            cancelled += coroutine.awaitOutcome() instanceof Outcome.Cancelled ? 1 : 0;
        }
        Check.count("cancelled", cancelled, Size.CANCEL);
    }

    static void hold(int count, Runnable whileParked) {
        var gate = new Promise<Integer>();
        var parked = new Parked();
        for (int i = 0; i < count; i++) {
            Heddle.spawn(() -> parked.waitFor(gate));
        }
        suspend(); // they run before this goes on
        Check.count("parked", parked.count, count);
        whileParked.run();
        gate.complete(1);
    }

    private void waitFor(Promise<Integer> gate) {
        count++;
        Heddle.await(gate.deferred());
    }
}
