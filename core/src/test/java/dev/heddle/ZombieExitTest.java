package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.ChildJvm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// How long zombies keep a process: real ones, in real time.
///
/// What is asked is 0.2 s after the last active coroutine if they answer, and the grace and 0.2 s
/// if they do not. The machine that this runs on may be busy, so the bound only tells that from
/// what a wrong answer would cost: the grace of those that answer, or for ever. The figure is
/// printed.
@Tag("CT-06")
final class ZombieExitTest {
    private static final int GRACE_SECONDS = 20;
    private static final double ALLOWED_SECONDS = GRACE_SECONDS / 2.0;

    @Test
    void zombiesThatAnswerDoNotDelayTheEndOfTheProcess() throws Exception {
        var child = ChildJvm.run(Program.class, List.of(), "answer");

        double seconds = secondsAfterTheLast(child);
        assertTrue(seconds < ALLOWED_SECONDS, "the end took " + seconds + " s");
        assertFalse(child.output().contains("abandoned"), child.output());
    }

    @Test
    void zombiesThatDoNotAnswerDelayItByTheGraceAndNoMore() throws Exception {
        var child = ChildJvm.run(Program.class, List.of(), "refuse");

        double seconds = secondsAfterTheLast(child);
        assertTrue(seconds >= 1, "the grace was cut to " + seconds + " s");
        assertTrue(seconds < 1 + ALLOWED_SECONDS, "the end took " + seconds + " s");
        assertTrue(child.output().contains("abandoned"), child.output());
    }

    private static double secondsAfterTheLast(ChildJvm child) {
        assertEquals(0, child.exit(), child.output());
        assertFalse(child.output().contains("deadlock"), child.output());
        double seconds = child.figures().get("seconds");
        System.out.println("CT-06: the end came " + seconds + " s after the last active coroutine");
        return seconds;
    }

    /// What the child runs: 100 zombies, each with a timer that runs for an hour.
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            boolean answer = args[0].equals("answer");
            var last = new long[1];
            Heddle.with()
                    .zombieGrace(Duration.ofSeconds(answer ? GRACE_SECONDS : 1))
                    .onReport(report -> System.out.println(report.text()))
                    .run(
                            () -> {
                                var scope = new Scope();
                                for (int i = 0; i < 100; i++) {
                                    scope.spawn(answer ? Program::answer : Program::refuse);
                                }
                                suspend();
                                scope.disposeSafely();
                                last[0] = System.nanoTime();
                            });
            // At the very end of the process, shutdown included.
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () ->
                                            System.out.printf(
                                                    "seconds=%.3f%n",
                                                    (System.nanoTime() - last[0]) / 1e9)));
        }

        private static void answer() {
            delay(Duration.ofHours(1));
        }

        private static void refuse() {
            var never = new CountDownLatch(1);
            protect(
                    () -> {
                        while (never.getCount() > 0) {
                            try {
                                never.await();
                            } catch (InterruptedException ignored) {
                                // The point of it: it does not answer, whoever asks.
                            }
                        }
                    });
        }
    }
}
