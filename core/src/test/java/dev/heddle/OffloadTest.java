package dev.heddle;

import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.WorkerPool;
import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Blocking work on a worker thread, and what a cancellation does to it.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class OffloadTest {
    private static final int LIMIT = 3;

    private final WorkerPool pool = new WorkerPool(1, LIMIT);
    private final World world =
            World.real().with(options -> options.loop(loop -> loop.workers(pool)));
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void closePool() {
        release.countDown();
        pool.close();
    }

    @Test
    void theBodyRunsOnAWorkerAndItsResultComesBack() {
        var worker = new Thread[1];

        String result =
                world.call(
                        () -> {
                            Thread self = Thread.currentThread();
                            String value =
                                    offload(
                                            () -> {
                                                worker[0] = Thread.currentThread();
                                                return "done";
                                            });
                            assertSame(self, Thread.currentThread());
                            assertNotSame(Carrier.current(), worker[0]);
                            return value;
                        });

        assertEquals("done", result);
        assertFalse(worker[0].isVirtual());
    }

    @HeddleTest(seeds = 20)
    void aCheckedExceptionArrivesAsItself() {
        var failure = new IOException("no such thing");

        var caught =
                assertThrows(
                        IOException.class,
                        () ->
                                offload(
                                        () -> {
                                            throw failure;
                                        }));
        assertSame(failure, caught);
    }

    @HeddleTest(seeds = 20)
    void anErrorArrivesAsItself() {
        var failure = new AssertionError("on purpose");

        var caught =
                assertThrows(
                        AssertionError.class,
                        () ->
                                Heddle.<String, RuntimeException>offload(
                                        () -> {
                                            throw failure;
                                        }));
        assertSame(failure, caught);
    }

    @Test
    void othersRunWhileTheWorkerIsBusy() {
        world.run(
                () -> {
                    var busy = spawn(() -> offload(() -> release.await()));
                    for (int i = 0; i < 1000; i++) {
                        suspend();
                    }
                    world.say("a thousand turns");
                    release.countDown();
                    busy.await();
                    world.say("released");
                });

        assertEquals(List.of("a thousand turns", "released"), world.trail);
    }

    @Test
    void cancelledBeforeItBeganItNeverRuns() {
        var ran = new AtomicBoolean();

        world.run(
                () -> {
                    occupyTheWorker();
                    var waiting = spawn(() -> offload(() -> ran.set(true)));
                    suspend();
                    assertEquals(1, pool.queued());

                    Outcome<Void> outcome = waiting.cancelAndAwait("not needed");

                    assertInstanceOf(Outcome.Cancelled.class, outcome);
                    assertEquals(0, pool.queued());
                    release.countDown();
                    offload(() -> {});
                });

        assertFalse(ran.get(), "taken back, and run all the same");
    }

    @Test
    void cancelledWhileRunningItInterruptsTheWorkerAndWaitsForTheEndOfTheBody() {
        var ended = new AtomicBoolean();

        world.run(
                () -> {
                    Promise<String> begun = Promise.external();
                    Promise<String> interrupted = Promise.external();
                    var running =
                            spawn(
                                    () ->
                                            offload(
                                                    () -> {
                                                        begun.complete("begun");
                                                        awaitInterrupt();
                                                        interrupted.complete("interrupted");
                                                        release.await();
                                                        ended.set(true);
                                                    }));
                    begun.deferred().await();

                    running.cancel("enough");

                    interrupted.deferred().await();
                    for (int i = 0; i < 100; i++) {
                        suspend();
                        assertFalse(running.isFinished(), "did not wait for the body");
                    }
                    release.countDown();
                    var outcome = running.awaitOutcome();
                    assertTrue(ended.get());
                    var cancelled = assertInstanceOf(Outcome.Cancelled.class, outcome);
                    assertEquals("enough", cancelled.cancellation().reason());
                });
    }

    @Test
    void anInterruptIsNeverLostHoweverEarlyItComes() {
        world.run(
                () -> {
                    for (int i = 0; i < 500; i++) {
                        var endless = spawn(() -> offload(OffloadTest::awaitInterrupt));
                        for (int turn = i % 7; turn > 0; turn--) {
                            suspend();
                        }
                        endless.cancelAndAwait("round " + i);
                    }
                });
    }

    @Test
    void theNextPieceOfWorkIsNotInterrupted() {
        world.run(
                () -> {
                    Promise<String> begun = Promise.external();
                    var running =
                            spawn(
                                    () ->
                                            offload(
                                                    () -> {
                                                        begun.complete("begun");
                                                        awaitInterrupt();
                                                        Thread.currentThread().interrupt();
                                                    }));
                    begun.deferred().await();
                    running.cancelAndAwait("enough");

                    assertFalse(offload(() -> Thread.currentThread().isInterrupted()));
                });
    }

    @Test
    void withADiscardHookTheCancellationDoesNotWaitAndTheLateResultIsHandedOver() {
        world.run(
                () -> {
                    Promise<String> begun = Promise.external();
                    Promise<String> discarded = Promise.external();
                    Coroutine<String> running =
                            spawn(
                                    () ->
                                            offload(
                                                    () -> {
                                                        begun.complete("begun");
                                                        awaitInterrupt();
                                                        release.await();
                                                        return "late";
                                                    },
                                                    discarded::complete));
                    begun.deferred().await();

                    var outcome = running.cancelAndAwait("enough");

                    assertInstanceOf(Outcome.Cancelled.class, outcome);
                    release.countDown();
                    assertEquals("late", discarded.deferred().await());
                });
    }

    @Test
    void aResultThatACancellationOvertakesIsDiscarded() {
        // The body runs inside the submit, so every step is known.
        var discarded = new ArrayList<String>();
        var direct =
                World.virtual().with(options -> options.loop(loop -> loop.workers(Runnable::run)));

        direct.run(
                () -> {
                    Coroutine<String> told = spawn(() -> offload(() -> "lost", discarded::add));
                    untilToldOf(told);
                    assertEquals(CoroutineState.READY, told.state());

                    var outcome = told.cancelAndAwait("too late for it");

                    assertInstanceOf(Outcome.Cancelled.class, outcome);
                });

        assertEquals(List.of("lost"), discarded);
    }

    @Test
    void aDiscardHookThatThrowsDoesNotHideTheCancellation() {
        var failure = new IllegalStateException("on purpose");
        var direct =
                World.virtual().with(options -> options.loop(loop -> loop.workers(Runnable::run)));

        direct.run(
                () -> {
                    Coroutine<String> told =
                            spawn(
                                    () ->
                                            offload(
                                                    () -> "lost",
                                                    _ -> {
                                                        throw failure;
                                                    }));
                    untilToldOf(told);

                    var outcome = told.cancelAndAwait("too late for it");

                    var cancelled = assertInstanceOf(Outcome.Cancelled.class, outcome);
                    assertEquals(
                            List.of(failure), List.of(cancelled.cancellation().getSuppressed()));
                });
    }

    @Test
    void whoWaitsOnlyForAWorkerIsNotDeadlocked() {
        world.run(
                () -> {
                    Thread loop = Carrier.current();
                    offload(
                            () -> {
                                while (!isIn(loop, "poll")) {
                                    Thread.onSpinWait();
                                }
                            });
                });

        assertEquals(List.of(), world.reports());
    }

    @Test
    void aFullQueueRefusesAtOnceAndSaysSo() {
        world.run(
                () -> {
                    var ran = new ArrayList<Coroutine<Void>>();
                    occupyTheWorker();
                    for (int i = 0; i < LIMIT; i++) {
                        ran.add(spawn(() -> offload(() -> {})));
                    }
                    suspend();
                    assertEquals(LIMIT, pool.queued());

                    var refused =
                            assertThrows(RejectedExecutionException.class, () -> offload(() -> {}));

                    assertTrue(
                            refused.getMessage().contains(String.valueOf(LIMIT)),
                            refused.getMessage());
                    release.countDown();
                    Heddle.awaitAll(ran);
                    offload(() -> {});
                });
    }

    @Test
    void aLimitEndsTheBodyAndSaysThatItsTimeIsOver() {
        // On a busy machine the time may be over before a worker has begun.
        var begun = new AtomicBoolean();
        var ended = new AtomicBoolean();

        world.run(
                () -> {
                    var over =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () ->
                                            Heddle.within(
                                                    Duration.ofMillis(1),
                                                    () ->
                                                            offload(
                                                                    () -> {
                                                                        begun.set(true);
                                                                        awaitInterrupt();
                                                                        ended.set(true);
                                                                    })));
                    assertTrue(over.timedOut());
                    assertEquals(begun.get(), ended.get(), "did not wait for the body");
                });
    }

    @Test
    void insideProtectTheBodyIsLeftAlone() {
        var result = new ArrayList<String>();

        world.run(
                () -> {
                    Promise<String> begun = Promise.external();
                    var shielded =
                            spawn(
                                    () ->
                                            Heddle.protect(
                                                    () ->
                                                            result.add(
                                                                    offload(
                                                                            () -> {
                                                                                begun.complete("");
                                                                                release.await();
                                                                                return "whole";
                                                                            }))));
                    begun.deferred().await();
                    shielded.cancel("not now");
                    suspend();
                    release.countDown();
                    assertInstanceOf(Outcome.Cancelled.class, shielded.awaitOutcome());
                });

        assertEquals(List.of("whole"), result);
    }

    @Test
    void outsideACoroutineItIsRefused() {
        var refused = assertThrows(IllegalStateException.class, () -> offload(() -> "never"));

        assertTrue(
                refused.getMessage().startsWith("offload outside a coroutine"),
                refused.getMessage());
    }

    /// Until it has its answer and has not seen it: it submits in the first turn, its work is told
    /// to have ended behind main in the third, so main runs before it in the fourth.
    private static void untilToldOf(Coroutine<?> offloading) {
        for (int turn = 0; turn < 3; turn++) {
            suspend();
        }
        assertFalse(offloading.isFinished());
    }

    private void occupyTheWorker() {
        Promise<String> begun = Promise.external();
        spawn(
                () ->
                        offload(
                                () -> {
                                    begun.complete("begun");
                                    release.await();
                                }));
        begun.deferred().await();
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException expected) {
            assertFalse(Thread.currentThread().isInterrupted(), expected.toString());
        }
    }

    private static boolean isIn(Thread thread, String method) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }
}
