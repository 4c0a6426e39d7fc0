package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Work;
import dev.heddle.loop.WorkerPool;
import dev.heddle.reactor.Backend;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.Callable;

/// offload-1, -10, -100, -1000: hand so many pieces of empty work to four threads, and run the loop
/// until the completion of each has been called on it. libuv: `uv_queue_work`, `uv_run(DEFAULT)`.
///
/// **Thread:** owner (the measuring thread).
final class Offload implements Workload {
    private static final int THREADS = 4;
    private static final int WORKS = 10_000;
    private static final Callable<Integer> NOTHING = () -> 0;

    private final WorkerPool pool = new WorkerPool(THREADS, WorkerPool.DEFAULT_QUEUE_LIMIT);
    private final PipedLoop piped;
    private final int size;
    private final Work.Completion<Integer> completion = this::onDone;
    private int done;

    Offload(Backend backend, int size) throws IOException {
        piped = PipedLoop.open(PipedLoop.options(backend).workers(pool));
        this.size = size;
    }

    @Override
    public int operations() {
        return size == 1 ? WORKS / 10 : WORKS / size;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        Loop loop = piped.loop();
        int rounds = operations();
        for (int round = 0; round < rounds; round++) {
            done = 0;
            for (int i = 0; i < size; i++) {
                loop.submit(NOTHING, completion);
            }
            loop.run();
            Check.count("pieces of work done", done, size);
        }
    }

    @Override
    public void close() throws IOException {
        try (pool) {
            piped.close();
        }
    }

    private void onDone(@Nullable Integer result, @Nullable Throwable error) {
        if (error == null) {
            done++;
        }
    }
}
