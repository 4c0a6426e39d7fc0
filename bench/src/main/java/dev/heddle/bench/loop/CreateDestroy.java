package dev.heddle.bench.loop;

import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.reactor.Backend;

import java.io.IOException;

/// create-destroy: open a loop, one turn that does not wait, close it.
///
/// No pipe here, the loop is as bare as it comes. libuv (`uv_loop_init`, `uv_run(NOWAIT)`,
/// `uv_loop_close`) polls even so, for the bell of its thread pool; so does Heddle. `LAZY` leaves
/// the turn out: then nothing is asked of the kernel at all.
///
/// **Thread:** owner (the measuring thread).
final class CreateDestroy implements Workload {
    private static final int LOOPS = 100;

    enum Turns {
        ONE,
        LAZY
    }

    private final LoopOptions options;
    private final Turns turns;

    CreateDestroy(Backend backend, Turns turns) {
        options = PipedLoop.options(backend);
        this.turns = turns;
    }

    @Override
    public int operations() {
        return LOOPS;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        for (int i = 0; i < LOOPS; i++) {
            try (var loop = Loop.open(options)) {
                if (turns == Turns.ONE) {
                    loop.runNowait();
                }
            }
        }
    }

    @Override
    public void close() {}
}
