package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Timer;
import dev.heddle.reactor.Backend;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/// timer-million: start a million timers with random delays below a second, stop three of every
/// ten, wait until the rest are due, and run one turn, in which they all fire. The meter stands
/// still during the wait. The timers are made once; the delays are the same on both sides. One
/// operation is one timer.
///
/// **Thread:** owner (the measuring thread).
final class TimerMillion implements Workload {
    private static final int SIZE = 1_000_000;
    private static final int DELAY_MAX_MILLIS = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final PipedLoop piped;
    private final Timer[] timers = new Timer[SIZE];
    private final long[] delays = new long[SIZE];
    private int fired;

    TimerMillion(Backend backend) throws IOException {
        piped = PipedLoop.open(backend);
        Arrays.setAll(timers, _ -> piped.loop().timer(() -> fired++));
        long random = 42;
        for (int i = 0; i < SIZE; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            delays[i] = (random >>> 33) % DELAY_MAX_MILLIS * NANOS_PER_MILLI;
        }
    }

    @Override
    public int operations() {
        return SIZE;
    }

    @Override
    public void batch(Meter meter) throws IOException, InterruptedException {
        fired = 0;
        piped.loop().updateNow();
        for (int i = 0; i < SIZE; i++) {
            timers[i].startNanos(delays[i], 0);
        }
        for (int i = 0; i < SIZE; i++) {
            if (i % 10 < 3) {
                timers[i].stop();
            }
        }
        meter.pause();
        Thread.sleep(Duration.ofMillis(DELAY_MAX_MILLIS + 1));
        meter.resume();
        piped.loop().runNowait();
        Check.count("timers fired", fired, SIZE / 10 * 7);
    }

    @Override
    public void close() throws IOException {
        piped.close();
    }
}
