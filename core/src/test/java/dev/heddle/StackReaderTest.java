package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.concurrent.atomic.AtomicReference;

/// Debuggers, profilers and the watchdog read the stacks of coroutines from other threads. While
/// one is being read, the JDK does not let its thread run and puts its wake-up off.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class StackReaderTest {
    private static final int WAITS = 30_000;

    private final AtomicReference<Thread> victim = new AtomicReference<>(Thread.currentThread());

    @Test
    void aCoroutineWhoseStackIsReadWhenItIsWokenIsNotTakenForDeadlocked() throws Exception {
        var reader = Thread.ofPlatform().name("reader").start(this::readUntilInterrupted);
        try {
            assertEquals(WAITS, (int) Heddle.run(this::waitOften));
        } finally {
            reader.interrupt();
            reader.join();
        }
    }

    private int waitOften() {
        victim.set(Thread.currentThread());
        int sum = 0;
        for (int i = 0; i < WAITS; i++) {
            var promise = new Promise<Integer>();
            spawn(() -> promise.complete(1));
            sum += await(promise.deferred());
        }
        return sum;
    }

    private void readUntilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            var _ = victim.get().getStackTrace();
        }
    }
}
