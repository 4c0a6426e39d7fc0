package dev.heddle.bench.vthreads;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Virtual threads, and whatever goes wrong in them.
///
/// **Thread:** any.
final class Virtual {
    /// A body that may fail.
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }

    private Virtual() {}

    /// Runs it in a virtual thread, and waits for its end.
    static void run(Body body) throws Exception {
        join(start(body));
    }

    static FutureTask<Void> start(Body body) {
        Callable<Void> task =
                () -> {
                    body.run();
                    return null;
                };
        var future = new FutureTask<>(task);
        Thread.startVirtualThread(future);
        return future;
    }

    /// @throws IllegalStateException with what the body threw
    static void join(FutureTask<Void> task) throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a virtual thread failed", failed.getCause());
        }
    }
}
