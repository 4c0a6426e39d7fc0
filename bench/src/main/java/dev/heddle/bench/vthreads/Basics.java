package dev.heddle.bench.vthreads;

import dev.heddle.bench.coroutines.Size;

/// Starting, ending and yielding.
///
/// **Thread:** any.
final class Basics {
    private Basics() {}

    static void spawn() throws InterruptedException {
        for (int i = 0; i < Size.SPAWN_ROUNDS; i++) {
            join(start(Size.SPAWN, () -> {}));
        }
    }

    static void yieldByTurns() throws InterruptedException {
        join(start(2, () -> yieldTimes(Size.SWITCH)));
    }

    static void crowd() throws InterruptedException {
        join(start(Size.CROWD, () -> yieldTimes(Size.CROWD_TURNS)));
    }

    static Thread[] start(int count, Runnable body) {
        var threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = Thread.startVirtualThread(body);
        }
        return threads;
    }

    static void join(Thread[] threads) throws InterruptedException {
        for (var thread : threads) {
            thread.join();
        }
    }

    // The scheduler is what is asked about here.
    @SuppressWarnings("ThreadPriorityCheck")
    private static void yieldTimes(int times) {
        for (int i = 0; i < times; i++) {
            Thread.yield();
        }
    }
}
