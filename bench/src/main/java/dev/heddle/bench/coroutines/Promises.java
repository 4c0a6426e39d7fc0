package dev.heddle.bench.coroutines;

import static dev.heddle.Heddle.await;

import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.bench.race.Check;

import java.util.List;
import java.util.stream.Stream;

/// Waiting for results.
///
/// **Thread:** loop.
final class Promises {
    private Promises() {}

    static void completed() {
        var promises = promises(Size.COMPLETED);
        promises.forEach(promise -> promise.complete(1));
        long sum = 0;
        for (int i = 0; i < Size.AWAIT_COMPLETED; i++) {
            sum += await(promises.get(i % Size.COMPLETED).deferred());
        }
        Check.count("sum", sum, Size.AWAIT_COMPLETED);
    }

    /// Each completes what the other waits for, and waits for the answer.
    static void pending() {
        var questions = promises(Size.AWAIT_PENDING);
        var answers = promises(Size.AWAIT_PENDING);
        var answerer = Heddle.spawn(() -> answer(questions, answers));
        long sum = 0;
        for (int i = 0; i < Size.AWAIT_PENDING; i++) {
            questions.get(i).complete(i);
            sum += await(answers.get(i).deferred());
        }
        await(answerer);
        Check.count("sum", sum, (long) Size.AWAIT_PENDING * (Size.AWAIT_PENDING - 1) / 2);
    }

    private static void answer(List<Promise<Integer>> questions, List<Promise<Integer>> answers) {
        for (int i = 0; i < questions.size(); i++) {
            answers.get(i).complete(await(questions.get(i).deferred()));
        }
    }

    private static List<Promise<Integer>> promises(int count) {
        return Stream.generate(Promise<Integer>::new).limit(count).toList();
    }
}
