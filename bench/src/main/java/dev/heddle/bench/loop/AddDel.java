package dev.heddle.bench.loop;

import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Watch;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import java.io.IOException;

/// add-del: begin to watch a second pipe's read end, one turn that does not wait, stop watching.
/// libuv: `uv_poll_start`, `uv_run(NOWAIT)`, `uv_poll_stop`.
///
/// **Thread:** owner (the measuring thread).
final class AddDel implements Workload {
    private static final int TIMES = 1000;

    private final PipedLoop piped;
    private final PipePair pipe;
    private final Watch watch;

    AddDel(Backend backend) throws IOException {
        piped = PipedLoop.open(backend);
        pipe = PipePair.open();
        watch = piped.loop().watch(pipe.readEnd(), AddDel::unexpected);
    }

    @Override
    public int operations() {
        return TIMES;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        Loop loop = piped.loop();
        for (int i = 0; i < TIMES; i++) {
            watch.start(Interest.READ);
            loop.runNowait();
            watch.stop();
        }
    }

    @Override
    public void close() throws IOException {
        try (pipe) {
            piped.close();
        }
    }

    private static void unexpected(Watch watch, int ready) {
        throw new IllegalStateException("nobody writes to this pipe, but it is ready: " + ready);
    }
}
