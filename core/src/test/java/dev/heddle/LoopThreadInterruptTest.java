package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Interrupts of threads that are nobody's coroutine: the loop's own and the workers'. No coroutine
/// gets to see them.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-03")
final class LoopThreadInterruptTest {
    private static final String ABANDONED = "the main coroutine did not end: it was abandoned";

    @Test
    void coroutinesOfALoopWhoseThreadIsInterruptedAllTheTimeSeeNothingOfIt() {
        var loop = Thread.currentThread();
        var over = new AtomicBoolean();
        try (var _ = Bystander.doing(() -> interruptUntil(over, loop))) {
            // The first ends the program: each gets as far as it gets.
            for (int i = 0; i < 200; i++) {
                try {
                    World.real().run(() -> assertEquals(1, answer(1).await()));
                } catch (IllegalStateException byTheSecond) {
                    assertEquals(ABANDONED, byTheSecond.getMessage());
                }
            }
            over.set(true);
        } finally {
            over.set(true);
            // Left by the bystander, for whoever runs tests on this thread next.
            Thread.interrupted();
        }
    }

    private static Coroutine<Integer> answer(int number) {
        return spawn(
                () -> {
                    suspend();
                    delay(Duration.ofNanos(1000));
                    assertFalse(
                            Thread.currentThread().isInterrupted(), "it was meant for the loop");
                    return number;
                });
    }

    private static void interruptUntil(AtomicBoolean over, Thread victim) {
        while (!over.get()) {
            victim.interrupt();
            Thread.onSpinWait();
        }
    }

    @Test
    void aJobThatLeavesItsWorkerInterruptedDoesNotInterruptTheNext() {
        World.real()
                .run(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                assertFalse(offload(LoopThreadInterruptTest::interruptItself));
                            }
                        });
    }

    private static boolean interruptItself() {
        boolean before = Thread.currentThread().isInterrupted();
        Thread.currentThread().interrupt();
        return before;
    }

    @Test
    void workersThatAreInterruptedAllTheTimeDoTheirWork() {
        var over = new AtomicBoolean();
        World.real()
                .run(
                        () -> {
                            var worker = offload(Thread::currentThread);
                            try (var _ = Bystander.doing(() -> interruptUntil(over, worker))) {
                                for (int i = 0; i < 1_000; i++) {
                                    int number = i;
                                    assertEquals(number, offload(() -> number));
                                }
                                over.set(true);
                            } finally {
                                over.set(true);
                            }
                        });
    }
}
