package dev.heddle.test;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.loop.Loop;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The stacks of all coroutines of a world, as text.
///
/// **Thread:** any but the loop's.
final class Stacks {
    private Stacks() {}

    static String ofAll(TestWorld world, Thread thread, Duration limit) {
        Loop loop = world.loopOrNull();
        if (loop == null) {
            return "it has not begun" + ofThread(thread);
        }
        var answer = new CompletableFuture<String>();
        try {
            loop.post(() -> answer.complete(ofCoroutines()));
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            return "the loop does not answer: something on it does not suspend"
                    + ofLastRun(world)
                    + ofThread(thread);
        } catch (Exception ended) {
            return "its loop has ended" + ofThread(thread);
        }
    }

    private static String ofLastRun(TestWorld world) {
        Coroutine<?> last = world.probe().lastRun();
        if (last == null) {
            return "";
        }
        // Read from outside, while it runs: only what does not change is asked for.
        var text = new StringBuilder("; coroutine ").append(last.id()).append(" ran last:");
        last.stack().forEach(frame -> text.append("\n      at ").append(frame));
        return text.append("\n  ").toString();
    }

    private static String ofCoroutines() {
        var text = new StringBuilder("its coroutines:");
        for (var each : Heddle.coroutines()) {
            text.append("\n  ").append(each.info());
            each.stack().forEach(frame -> text.append("\n      at ").append(frame));
        }
        return text.toString();
    }

    private static String ofThread(Thread thread) {
        var text = new StringBuilder("; the stack of ").append(thread.getName()).append(':');
        for (var frame : thread.getStackTrace()) {
            text.append("\n      at ").append(frame);
        }
        return text.toString();
    }
}
