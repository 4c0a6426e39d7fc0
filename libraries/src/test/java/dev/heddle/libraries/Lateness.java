package dev.heddle.libraries;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import dev.heddle.HeddleOptions;
import dev.heddle.VoidOp;

import java.time.Duration;

/// How late a loop is at most, while something goes on in it: a coroutine beside it asks to be
/// woken every ten milliseconds.
///
/// **Thread:** loop.
final class Lateness {
    private static final Duration PERIOD = Duration.ofMillis(10);

    private long due = System.nanoTime();
    private long worst;

    private Lateness() {}

    /// Runs `body` in a loop of its own.
    static Duration during(HeddleOptions options, VoidOp<Exception> body) throws Exception {
        return options.run(
                () -> {
                    var lateness = new Lateness();
                    var ticker = spawn(lateness::tick);
                    body.run();
                    // It may not have had a chance to notice.
                    lateness.note();
                    ticker.cancel("measured");
                    return Duration.ofNanos(lateness.worst);
                });
    }

    private void tick() {
        while (true) {
            due = System.nanoTime() + PERIOD.toNanos();
            delay(PERIOD);
            note();
        }
    }

    private void note() {
        worst = Math.max(worst, System.nanoTime() - due);
    }
}
