package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// What is told when an object is lost.
@Timeout(60)
final class LossTest {
    @Test
    void actionIsCalledOnceOnAnotherThreadWhenTheObjectIsGarbage() throws InterruptedException {
        var calls = new AtomicInteger();
        var thread = new AtomicReference<Thread>();
        watchNothing(
                () -> {
                    calls.incrementAndGet();
                    thread.set(Thread.currentThread());
                });
        collectUntilTold();

        assertEquals(1, calls.get());
        assertNotSame(Thread.currentThread(), thread.get());
        assertTrue(thread.get().isDaemon());
    }

    // Objects that are lost in one collection may be told in any order, so several are lost, one
    // collection after the other, before the rest is believed to have been told.
    private static void collectUntilTold() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            var told = new CountDownLatch(1);
            watchNothing(told::countDown);
            do {
                System.gc();
                // Time for the JVM's thread and ours, which a storm of collections would deny them.
            } while (!told.await(50, TimeUnit.MILLISECONDS));
        }
    }

    private static Loss watchNothing(Runnable action) {
        return Loss.watch(new Object(), action);
    }

    @Test
    void objectThatIsKeptIsNotLost() throws InterruptedException {
        var calls = new AtomicInteger();
        var kept = new Object();
        var loss = Loss.watch(kept, calls::incrementAndGet);
        collectUntilTold();

        assertEquals(0, calls.get());
        Reference.reachabilityFence(kept);
        assertTrue(loss.forget());
    }

    @Test
    void forgottenWatchIsNeverTold() throws InterruptedException {
        var calls = new AtomicInteger();
        var kept = new Object();
        var loss = Loss.watch(kept, calls::incrementAndGet);

        assertTrue(loss.forget());
        Reference.reachabilityFence(kept);
        collectUntilTold();

        assertEquals(0, calls.get());
    }

    @Test
    void onlyTheFirstToForgetIsToldSo() {
        var kept = new Object();
        var loss = Loss.watch(kept, () -> {});

        assertTrue(loss.forget());
        assertFalse(loss.forget());
        Reference.reachabilityFence(kept);
    }

    @Test
    void watchThatWasToldCannotBeForgotten() throws InterruptedException {
        var told = new CountDownLatch(1);
        var loss = watchNothing(told::countDown);
        collectUntilTold();
        assertEquals(0, told.getCount());

        assertFalse(loss.forget());
    }

    @Test
    void actionThatThrowsDoesNotKeepOthersFromBeingTold() throws InterruptedException {
        watchNothing(
                () -> {
                    throw new IllegalStateException("on purpose");
                });
        collectUntilTold();
        collectUntilTold();
    }

    @Test
    void forgottenOnesAreSweptOut() {
        int before = Loss.kept();
        var handles = new ArrayList<Object>();
        for (int i = 0; i < 100_000; i++) {
            var handle = new Object();
            handles.add(handle);
            assertTrue(Loss.watch(handle, () -> {}).forget());
        }

        // As many as there are, and as many again that are forgotten.
        int kept = Loss.kept();
        assertTrue(kept <= 2 * before + 4_096, () -> kept + " are kept, and were " + before);
        assertEquals(100_000, handles.size());
    }
}
