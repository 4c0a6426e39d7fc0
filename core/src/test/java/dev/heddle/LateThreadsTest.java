package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// What becomes of virtual threads whose loop has ended before them.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class LateThreadsTest {
    private final World world = World.real().with(options -> options.zombieGrace(Duration.ZERO));

    // What the abandoned one waits for in a call of the JDK, which no interrupt ends.
    private final Semaphore gate = new Semaphore(0);
    private final CompletableFuture<Thread> carrierAfterwards = new CompletableFuture<>();
    private final AtomicInteger steps = new AtomicInteger();

    @Test
    void aCoroutineAbandonedInACallOfTheJdkReturnsFromItElsewhere() {
        Thread loop = runAndAbandon(() -> {});

        gate.release();

        assertNotSame(loop, carrierAfterwards.join());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
    }

    @Test
    void itIsCancelledWhereItSuspendsNext() {
        var thrown = new CompletableFuture<Throwable>();
        runAndAbandon(
                () -> {
                    try {
                        delay(Duration.ofHours(1));
                    } catch (Throwable caught) {
                        thrown.complete(caught);
                    }
                });

        gate.release();

        assertEquals("dev.heddle.Cancellation: the program has ended", thrown.join().toString());
    }

    @Test
    void ifItSwallowsThatItIsStoppedForGood() {
        var thread = new CompletableFuture<Thread>();
        runAndAbandon(
                () -> {
                    thread.complete(Thread.currentThread());
                    while (true) {
                        try {
                            suspend();
                        } catch (Throwable swallowed) {
                            steps.incrementAndGet();
                        }
                    }
                });

        gate.release();
        while (thread.join().getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        // A stranger's unpark does not set it free either.
        LockSupport.unpark(thread.join());
        while (thread.join().getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        assertEquals(1, steps.get());
    }

    @Test
    void oneThatIgnoresEveryCancellationStopsWithItsProgram() {
        var options = world.with(each -> each.cleanUpWindow(Duration.ofNanos(1)));

        options.run(
                () -> {
                    var scope = new Scope();
                    scope.spawn(() -> swallowForEver());
                    suspend();
                    scope.disposeSafely();
                });

        int before = steps.get();
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
        // Another program in between: time enough for a thread that still ran to show.
        for (int i = 0; i < 100; i++) {
            World.real().run(() -> delay(Duration.ofNanos(1)));
        }
        assertEquals(before, steps.get());
    }

    @Test
    void aCoroutineThatWaitsInAWaitOfOursIsNotDisturbedByStrangersAfterTheEnd() {
        var thread = new Thread[1];
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.spawn(
                            () -> {
                                thread[0] = Thread.currentThread();
                                Heddle.protect(
                                        () -> {
                                            delay(Duration.ofHours(1));
                                            steps.incrementAndGet();
                                        });
                                steps.incrementAndGet();
                            });
                    suspend();
                    scope.disposeSafely();
                });

        for (int i = 0; i < 1000; i++) {
            LockSupport.unpark(thread[0]);
            thread[0].interrupt();
            assertTrue(thread[0].getStackTrace().length > 0);
        }

        assertEquals(0, steps.get());
        assertTrue(thread[0].isAlive());
    }

    @Test
    void aThreadMadeInACoroutineRunsOnTheLoop() throws InterruptedException {
        world.run(
                () -> {
                    Thread loop = Carrier.current();
                    var thread =
                            Thread.startVirtualThread(
                                    () -> carrierAfterwards.complete(Carrier.current()));
                    assertFalse(carrierAfterwards.isDone());
                    thread.join();
                    assertSame(loop, carrierAfterwards.join());
                });
    }

    @Test
    void aThreadMadeInACoroutineOutlivesIt() throws InterruptedException {
        world.run(
                () -> {
                    Coroutine<Thread> maker = Heddle.spawn(() -> startWaiter());
                    Thread waiter = maker.await();

                    gate.release();
                    waiter.join();

                    assertSame(Carrier.current(), carrierAfterwards.join());
                });
    }

    @Test
    void aThreadMadeInACoroutineOutlivesTheLoop() throws InterruptedException {
        var waiter = new Thread[1];
        world.run(
                () -> {
                    waiter[0] = startWaiter();
                    suspend();
                });

        gate.release();
        waiter[0].join();

        assertNotSame(Thread.currentThread(), carrierAfterwards.join());
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aThreadMadeInACoroutineThatIsStillQueuedAtTheEndRunsElsewhere() {
        var started = new CompletableFuture<String>();
        // Main ends without a suspension point, and the thread has had no turn by then.
        world.with(options -> options.shutdownLimit(Duration.ZERO))
                .run(
                        () -> {
                            Thread.startVirtualThread(() -> started.complete("ran"));
                        });

        assertEquals("ran", started.join());
    }

    @Test
    void theSchedulerOfACoroutineThatEndedStillTakesContinuations() {
        var fiber = new Fiber[1];
        var ran = new CompletableFuture<Thread>();
        world.run(() -> fiber[0] = Heddle.current().fiber());

        fiber[0].execute(() -> ran.complete(Thread.currentThread()));

        assertTrue(ran.join().isDaemon());
        assertNotSame(Thread.currentThread(), ran.join());
    }

    /// {@return the thread of the loop, which has ended}
    private Thread runAndAbandon(Runnable afterwards) {
        return world.call(
                () -> {
                    var scope = new Scope();
                    scope.spawn(
                            () -> {
                                gate.acquireUninterruptibly();
                                carrierAfterwards.complete(Carrier.current());
                                afterwards.run();
                            });
                    suspend();
                    scope.disposeSafely();
                    return Carrier.current();
                });
    }

    private Thread startWaiter() {
        return Thread.startVirtualThread(
                () -> {
                    gate.acquireUninterruptibly();
                    carrierAfterwards.complete(Carrier.current());
                });
    }

    private void swallowForEver() {
        while (true) {
            try {
                suspend();
            } catch (Throwable swallowed) {
                steps.incrementAndGet();
            }
        }
    }
}
