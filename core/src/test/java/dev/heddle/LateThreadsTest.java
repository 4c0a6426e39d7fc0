package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// What becomes of virtual threads whose loop has ended before them.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-05")
final class LateThreadsTest {
    private final World world = World.real().with(options -> options.zombieGrace(Duration.ZERO));

    // What the abandoned one waits for in a call of the JDK, which no interrupt ends.
    private final Semaphore gate = new Semaphore(0);
    private final CompletableFuture<Thread> carrierAfterwards = new CompletableFuture<>();
    private final CompletableFuture<List<String>> swallowed = new CompletableFuture<>();
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
        runAndAbandon(() -> fail(thrown -> swallowed.complete(List.of(thrown.toString()))));

        gate.release();

        assertEquals(List.of("dev.heddle.Cancellation: the program has ended"), swallowed.join());
    }

    @Test
    void ifItSwallowsThatItIsRefusedAndThenStoppedForGood() {
        var thread = new CompletableFuture<Thread>();
        runAndAbandon(
                () -> {
                    thread.complete(Thread.currentThread());
                    swallowForEver();
                });

        gate.release();
        awaitStop(thread.join());
        // A stranger does not set it free either.
        LockSupport.unpark(thread.join());
        thread.join().interrupt();
        awaitStop(thread.join());

        assertEquals(2, steps.get());
    }

    @Test
    void oneThatIgnoresEveryCancellationIsStoppedAfterItsProgram() {
        var thread = new Thread[1];
        world.with(each -> each.cleanUpWindow(Duration.ofNanos(1)))
                .run(
                        () -> {
                            var scope = new Scope();
                            scope.spawn(
                                    () -> {
                                        thread[0] = Thread.currentThread();
                                        swallowForEver();
                                    });
                            suspend();
                            scope.disposeSafely();
                        });

        awaitStop(thread[0]);

        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
        assertTrue(steps.get() > 0);
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

    private void swallowForEver() {
        while (true) {
            fail(_ -> steps.incrementAndGet());
        }
    }

    private static void fail(Consumer<Throwable> handler) {
        try {
            suspend();
        } catch (Throwable thrown) {
            handler.accept(thrown);
        }
    }

    private static void awaitStop(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
