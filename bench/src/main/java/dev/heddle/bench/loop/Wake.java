package dev.heddle.bench.loop;

import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.reactor.Backend;

import java.io.IOException;
import java.time.Duration;

/// wake: a thread wakes its own loop through the kernel, then runs one turn that notices it. libuv:
/// `uv_async_send`, `uv_run(ONCE)`.
///
/// The turn waits without limit: if the wake were lost it would never end. No callback on either
/// side: libuv's async has none, as `wake()` has none.
///
/// **Thread:** owner (the measuring thread).
final class Wake implements Workload {
    private static final int WAKES = 1000;

    private final PipedLoop piped;

    Wake(Backend backend) throws IOException {
        piped = PipedLoop.open(backend);
        // Something to wait for, or the turns would not wait.
        piped.watch().ref();
        // The first turn that really waits makes the kernel object; before it a wake is only a
        // flag.
        piped.loop().runOnce(Duration.ofNanos(1));
    }

    @Override
    public int operations() {
        return WAKES;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        Loop loop = piped.loop();
        for (int i = 0; i < WAKES; i++) {
            loop.wake();
            loop.runOnce();
        }
    }

    @Override
    public void close() throws IOException {
        piped.close();
    }
}
