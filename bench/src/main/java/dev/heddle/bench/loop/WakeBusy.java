package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;
import dev.heddle.reactor.Backend;

import java.io.IOException;

/// wake-busy: another thread posts to a loop that never sleeps (an idle hook keeps it turning, and
/// it polls in every turn), spins until the task has run, and posts it again. One operation is one
/// such round trip. libuv: `uv_async_send` to a loop with an idle handle.
///
/// **Thread:** owner (the measuring thread).
final class WakeBusy implements Workload {
    private static final int TRIPS = 20_000;

    private final PipedLoop piped;
    private final Loop loop;
    private final Posters poster;
    private final Task task = new Seen();

    // Written by the loop, read by the poster. Counts on through all batches: were it set back, a
    // poster that has not yet looked at the last trip would wait for it for ever.
    private volatile long seen;

    // Poster only.
    private long posted;

    WakeBusy(Backend backend) throws IOException {
        piped = PipedLoop.open(backend);
        loop = piped.loop();
        loop.onIdle(() -> {});
        poster = new Posters(1, _ -> postAll());
    }

    @Override
    public int operations() {
        return TRIPS;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        long before = seen;
        poster.release();
        loop.run();
        Check.count("tasks seen", seen - before, TRIPS);
    }

    @Override
    public void close() throws IOException {
        poster.close();
        piped.close();
    }

    private void postAll() {
        for (int i = 0; i < TRIPS; i++) {
            posted++;
            loop.post(task);
            while (seen != posted) {
                Thread.onSpinWait();
            }
        }
    }

    private final class Seen extends Task {
        @Override
        protected void run() {
            long now = seen + 1;
            if (now % TRIPS == 0) {
                loop.stop();
            }
            seen = now;
        }
    }
}
