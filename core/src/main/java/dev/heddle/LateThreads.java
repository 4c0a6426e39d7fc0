package dev.heddle;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Where virtual threads go on whose loop has been closed: one that was abandoned in a call of the
/// JDK must still be able to return from it.
///
/// Unbounded in threads: a bound could strand one behind another that never returns, and the
/// abandoned are few and were reported.
///
/// **Thread:** any.
final class LateThreads {
    private LateThreads() {}

    static Executor executor() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                1,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("heddle-late-", 0).factory());
    }
}
