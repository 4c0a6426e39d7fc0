package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Async;
import dev.heddle.reactor.Backend;

import java.io.IOException;
import java.io.UncheckedIOException;

/// wake-cross-thread: two loops on two threads ring each other by turns; each sleeps until it is
/// rung. One operation is there and back; the CPU time is that of one of the two threads. libuv:
/// two loops, two asyncs. The column `bare-epoll` is the same in C without any library.
///
/// **Thread:** owner (the measuring thread).
final class WakeCrossThread implements Workload {
    private static final int TRIPS = 1000;

    private final PipedLoop near;
    private final PipedLoop far;
    private final Async nearBell;
    private final Async farBell;
    private final Thread farThread;

    // Measuring thread only.
    private int tripsLeft;

    WakeCrossThread(Backend backend) throws IOException {
        near = PipedLoop.open(backend);
        far = PipedLoop.open(backend);
        nearBell = near.loop().async(this::onNearBell);
        farBell = far.loop().async(this::onFarBell);
        // The far loop belongs to this thread until it is run.
        farThread = Thread.ofPlatform().daemon().name("far").start(this::runFar);
    }

    @Override
    public int operations() {
        return TRIPS;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        tripsLeft = TRIPS;
        farBell.send();
        near.loop().run();
        Check.count("trips left", tripsLeft, 0);
    }

    @Override
    public void close() throws IOException {
        far.loop().stop();
        Posters.join(farThread);
        far.close();
        near.close();
    }

    private void onNearBell() {
        if (--tripsLeft == 0) {
            near.loop().stop();
        } else {
            farBell.send();
        }
    }

    private void onFarBell() {
        nearBell.send();
    }

    private void runFar() {
        try {
            far.loop().run();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
