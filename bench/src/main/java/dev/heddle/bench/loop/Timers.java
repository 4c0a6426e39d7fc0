package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Timer;
import dev.heddle.reactor.Backend;

import java.io.IOException;
import java.util.Arrays;

/// timer-single, timer-10, timer-100, timer-1000: start so many timers without a delay, then run
/// one turn, in which all of them fire. The timers are made once. libuv: `uv_timer_start(0, 0)`,
/// `uv_run(ONCE)`.
///
/// **Thread:** owner (the measuring thread).
final class Timers implements Workload {
    // So many timers are started in a batch, whatever the size.
    private static final int STARTS = 10_000;

    private final PipedLoop piped;
    private final Timer[] timers;
    private int fired;

    Timers(Backend backend, int size) throws IOException {
        piped = PipedLoop.open(backend);
        timers = new Timer[size];
        Arrays.setAll(timers, _ -> piped.loop().timer(() -> fired++));
    }

    @Override
    public int operations() {
        return STARTS / timers.length;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        Loop loop = piped.loop();
        int turns = operations();
        fired = 0;
        for (int turn = 1; turn <= turns; turn++) {
            for (Timer timer : timers) {
                timer.startNanos(0, 0);
            }
            loop.runOnce();
            Check.count("timers fired", fired, (long) turn * timers.length);
        }
    }

    @Override
    public void close() throws IOException {
        piped.close();
    }
}
