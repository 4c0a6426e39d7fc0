package dev.heddle;

import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// While somebody takes the stack of a virtual thread, it cannot be run on.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class StackTraceRaceTest {
    private static final int ROUNDS = 20_000;

    @Test
    void aCoroutineWhoseStackIsTakenAllTheTimeMissesNoWakeUp() throws InterruptedException {
        var done = new AtomicBoolean();
        var threads = new Thread[2];
        var taker =
                Thread.ofPlatform()
                        .unstarted(
                                () -> {
                                    while (!done.get()) {
                                        threads[0].getStackTrace();
                                        threads[1].getStackTrace();
                                    }
                                });
        try {
            long sum = World.real().call(() -> pingPong(threads, taker));
            assertEquals((long) ROUNDS * (ROUNDS - 1) / 2, sum);
        } finally {
            done.set(true);
            taker.join();
        }
    }

    private static long pingPong(Thread[] threads, Thread taker) {
        List<Promise<Integer>> questions = promises();
        List<Promise<Integer>> answers = promises();
        threads[0] = Thread.currentThread();
        var other =
                spawn(
                        () -> {
                            threads[1] = Thread.currentThread();
                            taker.start();
                            for (int i = 0; i < ROUNDS; i++) {
                                answers.get(i).complete(questions.get(i).deferred().await());
                            }
                        });
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            questions.get(i).complete(i);
            sum += answers.get(i).deferred().await();
        }
        other.await();
        return sum;
    }

    private static List<Promise<Integer>> promises() {
        var all = new ArrayList<Promise<Integer>>();
        for (int i = 0; i < ROUNDS; i++) {
            all.add(new Promise<>());
        }
        return all;
    }
}
