package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Other threads that do to the threads of coroutines what any thread may do to any.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class StrangersTest {
    private static final int COROUTINES = 1000;
    private static final int ROUNDS = 20;

    private final World world = World.real();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean over;
    private int guarded;
    private int unguarded;

    @Test
    void whoeverUnparksCoroutinesAllTheTimeDoesNoHarm() throws InterruptedException {
        assertExactBeside(LockSupport::unpark);
    }

    @Test
    void whoeverTakesTheirStacksAllTheTimeDoesNoHarm() throws InterruptedException {
        assertExactBeside(thread -> assertTrue(thread.getStackTrace().length >= 0));
    }

    /// Each coroutine suspends, waits for its neighbour, and waits for a lock; all counts are
    /// exact.
    private void assertExactBeside(Consumer<Thread> molest) throws InterruptedException {
        var threads = new CopyOnWriteArrayList<Thread>();
        var stranger =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (!over) {
                                        threads.forEach(molest);
                                    }
                                });
        try {
            world.run(() -> ring(threads));
        } finally {
            over = true;
            stranger.join();
        }

        assertEquals(COROUTINES * ROUNDS, guarded);
        assertEquals(COROUTINES * ROUNDS, unguarded);
        assertEquals(List.of(), world.reports());
    }

    private void ring(List<Thread> threads) {
        var relays = new ArrayList<Promise<Integer>>();
        for (int i = 0; i <= COROUTINES; i++) {
            relays.add(new Promise<>());
        }
        for (int i = 0; i < COROUTINES; i++) {
            int number = i;
            spawn(
                    () -> {
                        threads.add(Thread.currentThread());
                        for (int round = 0; round < ROUNDS; round++) {
                            unguarded++;
                            suspend();
                            addGuarded();
                        }
                        assertEquals(number, relays.get(number).deferred().await());
                        relays.get(number + 1).complete(number + 1);
                    });
        }
        relays.getFirst().complete(0);
        assertEquals(COROUTINES, relays.getLast().deferred().await());
    }

    // Held over a suspension, so that the others queue for it in the JDK now and then.
    private void addGuarded() {
        lock.lock();
        try {
            int before = guarded;
            if (before % 100 == 0) {
                suspend();
            }
            guarded = before + 1;
        } finally {
            lock.unlock();
        }
    }

    @Test
    void wakingACoroutineFromItsOwnLoopAllocatesNothingThatGrowsWithTheWakeUps() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 20_000;

        world.run(
                () -> {
                    var loop = Carrier.current();
                    // What is compiled meanwhile costs something, too, once.
                    pingPong(rounds);
                    pingPong(rounds);
                    pingPong(rounds);
                    long before = threads.getThreadAllocatedBytes(loop.threadId());
                    pingPong(rounds);
                    long bytes = threads.getThreadAllocatedBytes(loop.threadId()) - before;
                    assertTrue(bytes < rounds, bytes + " bytes for " + rounds + " switches");
                });
    }

    // Two that suspend in turn: each switch is a wake-up through the JDK.
    private static void pingPong(int rounds) {
        var other = spawn(() -> suspendOften(rounds));
        suspendOften(rounds);
        other.await();
    }

    private static void suspendOften(int rounds) {
        for (int i = 0; i < rounds; i++) {
            suspend();
        }
    }

    @Test
    void aWakeUpByAnotherThreadIsNeverLost() throws InterruptedException {
        int wakes = 20_000;
        var sleeper = new CompletableFuture<Thread>();
        var seen = new AtomicInteger();
        var permits = new AtomicInteger();
        var waker =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (int i = 0; i < wakes; i++) {
                                        permits.incrementAndGet();
                                        LockSupport.unpark(sleeper.join());
                                        while (i % 100 == 0 && seen.get() <= i) {
                                            Thread.onSpinWait();
                                        }
                                    }
                                });

        world.run(
                () -> {
                    spawn(
                            () -> {
                                sleeper.complete(Thread.currentThread());
                                while (seen.get() < wakes) {
                                    while (permits.get() == seen.get()) {
                                        LockSupport.park();
                                    }
                                    seen.incrementAndGet();
                                }
                            });
                });
        waker.join();

        assertEquals(wakes, seen.get());
    }
}
