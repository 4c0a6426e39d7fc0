package dev.heddle.bench.vthreads;

import dev.heddle.bench.coroutines.Size;
import dev.heddle.bench.race.Check;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/// Waiting for results and for children.
///
/// **Thread:** any.
final class Futures {
    private Futures() {}

    static void completed() {
        var futures = futures(Size.COMPLETED);
        for (var future : futures) {
            future.complete(1);
        }
        long sum = 0;
        for (int i = 0; i < Size.AWAIT_COMPLETED; i++) {
            sum += futures[i % futures.length].join();
        }
        Check.count("sum", sum, Size.AWAIT_COMPLETED);
    }

    /// Each completes what the other waits for, and waits for the answer.
    static void pending() throws Exception {
        var questions = futures(Size.AWAIT_PENDING);
        var answers = futures(Size.AWAIT_PENDING);
        var answerer = Virtual.start(() -> answer(questions, answers));
        long sum = 0;
        for (int i = 0; i < Size.AWAIT_PENDING; i++) {
            questions[i].complete(i);
            sum += answers[i].join();
        }
        Virtual.join(answerer);
        Check.count("sum", sum, (long) Size.AWAIT_PENDING * (Size.AWAIT_PENDING - 1) / 2);
    }

    /// A scope is an executor that is closed: a `StructuredTaskScope` is a preview API.
    static void scopes() {
        for (int i = 0; i < Size.SCOPES; i++) {
            try (var scope = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int child = 0; child < Size.CHILDREN; child++) {
                    scope.execute(() -> {});
                }
            }
        }
    }

    private static void answer(
            CompletableFuture<Integer>[] questions, CompletableFuture<Integer>[] answers) {
        for (int i = 0; i < questions.length; i++) {
            answers[i].complete(questions[i].join());
        }
    }

    // An array of a generic type cannot be made otherwise.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static CompletableFuture<Integer>[] futures(int count) {
        var futures = new CompletableFuture[count];
        Arrays.setAll(futures, _ -> new CompletableFuture<>());
        return futures;
    }
}
