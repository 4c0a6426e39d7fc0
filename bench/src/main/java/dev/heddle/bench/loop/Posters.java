package dev.heddle.bench.loop;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;

/// Threads that do the same thing together whenever they are told to, and otherwise park.
///
/// **Thread:** owner (the measuring thread).
final class Posters implements Closeable {
    private final Semaphore go = new Semaphore(0);
    private final CyclicBarrier gathered;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    /// @param body what each does, told its number
    Posters(int count, IntConsumer body) {
        gathered = new CyclicBarrier(count);
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("poster-" + i)
                            .unstarted(() -> repeat(body, number)));
        }
        threads.forEach(Thread::start);
    }

    /// Lets all of them do it once, and does not wait.
    void release() {
        go.release(threads.size());
    }

    @Override
    public void close() throws IOException {
        ended = true;
        release();
        for (var thread : threads) {
            join(thread);
        }
    }

    static void join(Thread thread) throws InterruptedIOException {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + thread + " was ending");
        }
    }

    private void repeat(IntConsumer body, int number) {
        try {
            for (go.acquireUninterruptibly(); !ended; go.acquireUninterruptibly()) {
                body.accept(number);
                // So that neither takes the other's permit to start.
                gathered.await();
            }
        } catch (Exception broken) {
            throw new IllegalStateException("a poster could not go on", broken);
        }
    }
}
