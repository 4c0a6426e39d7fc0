package dev.heddle.bench.loop;

import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.loop.Watch;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import java.io.IOException;
import java.time.Duration;

/// A loop with one pipe registered, which does not keep it alive, and that asks the kernel in every
/// turn: as libuv's do.
///
/// **Thread:** owner (the thread that runs the loop).
record PipedLoop(Loop loop, PipePair pipe, Watch watch) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    static LoopOptions options(Backend backend) {
        return LoopOptions.defaults().backend(backend).pollEveryTurn();
    }

    static PipedLoop open(Backend backend) throws IOException {
        return open(options(backend));
    }

    static PipedLoop open(LoopOptions options) throws IOException {
        var pipe = PipePair.open();
        var loop = Loop.open(options);
        var watch = loop.watch(pipe.readEnd(), Interest.READ, PipedLoop::unexpected);
        watch.unref();
        return new PipedLoop(loop, pipe, watch);
    }

    /// Ends the loop and every source that is left. By the thread that ran it, or any if that
    /// ended.
    @Override
    public void close() throws IOException {
        try (pipe) {
            loop.shutdown(PATIENCE);
        }
    }

    private static void unexpected(Watch watch, int ready) {
        throw new IllegalStateException("nobody writes to this pipe, but it is ready: " + ready);
    }
}
