package dev.heddle;

import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/// Wake-ups that meet the end of the loop: a coroutine that sleeps in a call of the JDK is woken by
/// other threads at the very moment in which its program ends. Wherever it goes on, it goes on: its
/// scheduler neither throws nor loses it.
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-05")
final class ExecuteRaceTest {
    private static final int RACES = 1_000_000;
    private static final int EACH = 2_000;

    @Test
    void noneOfAMillionThatAreWokenWhileTheirLoopClosesIsLost() throws InterruptedException {
        long began = System.nanoTime();
        for (int program = 0; program < RACES / EACH; program++) {
            race();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        System.out.println("JV-05: " + RACES + " races, 0 stuck, " + seconds + " s");
    }

    private static void race() throws InterruptedException {
        var sleepers = new Sleepers();
        var parked = new CountDownLatch(1);
        try (var _ = Bystander.doing(() -> sleepers.wake(parked, 0, EACH / 2));
                var _ = Bystander.doing(() -> sleepers.wake(parked, EACH / 2, EACH))) {
            World.real()
                    .with(options -> options.zombieGrace(Duration.ZERO))
                    .run(
                            () -> {
                                var scope = new Scope();
                                for (int i = 0; i < EACH; i++) {
                                    int number = i;
                                    scope.spawn(() -> sleepers.sleep(number));
                                }
                                suspend();
                                scope.disposeSafely();
                                // From here on nobody waits for them: the loop closes.
                                parked.countDown();
                            });
        }
        sleepers.awaitAll();
    }

    /// Sleep in a call of the JDK until they are told.
    private static final class Sleepers {
        private final AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(EACH);
        private final CountDownLatch awake = new CountDownLatch(EACH);
        private final boolean[] told = new boolean[EACH];

        void sleep(int number) {
            threads.set(number, Thread.currentThread());
            try {
                while (!isTold(number)) {
                    LockSupport.park(this);
                    // The end of the program interrupts; that is not what is waited for.
                    Thread.interrupted();
                }
            } finally {
                awake.countDown();
            }
        }

        private synchronized boolean isTold(int number) {
            return told[number];
        }

        private synchronized void tell(int number) {
            told[number] = true;
        }

        void wake(CountDownLatch parked, int from, int to) {
            try {
                parked.await();
            } catch (InterruptedException late) {
                throw new AssertionError(late);
            }
            for (int i = from; i < to; i++) {
                tell(i);
                LockSupport.unpark(threads.get(i));
            }
        }

        void awaitAll() throws InterruptedException {
            boolean all = awake.await(60, TimeUnit.SECONDS);
            assertEquals(0, all ? 0 : awake.getCount(), "stuck for ever");
        }
    }
}
