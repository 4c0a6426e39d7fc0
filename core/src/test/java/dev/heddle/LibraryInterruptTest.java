package dev.heddle;

import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.net.SocketException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/// A cancellation inside a blocking call of a library counts as the cancellation, whatever the
/// library makes of the interrupt.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class LibraryInterruptTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(10);

    private final List<String> trail = new ArrayList<>();
    private final SQLException wrapped = new SQLException("interrupted, says the driver");

    /// As pools and drivers do: the flag up again, and the interrupt in words of their own.
    private void query() throws SQLException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw wrapped;
        }
    }

    /// As others do: the flag stays down.
    private void quietQuery() throws SQLException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            throw wrapped;
        }
    }

    @HeddleTest
    void aLimitThrowsItsOwnException() {
        for (VoidOp<SQLException> call :
                List.<VoidOp<SQLException>>of(this::query, this::quietQuery)) {
            var thrown =
                    assertThrows(OperationCancelledException.class, () -> within(SECOND, call));
            assertTrue(thrown.timedOut());
            assertSame(wrapped, thrown.getCause().getSuppressed()[0]);
            // Nothing of it is left for the next call.
            delay(MOMENT);
            offload(() -> {});
        }
    }

    @HeddleTest(seeds = 20)
    void aCoroutineEndsAsCancelled(TestWorld world) {
        var querying = spawn(this::query);
        world.settle();
        var cancelled = assertInstanceOf(Outcome.Cancelled.class, querying.cancelAndAwait("stop"));
        assertEquals("stop", cancelled.cancellation().reason());
        assertSame(wrapped, cancelled.cancellation().getSuppressed()[0]);
    }

    @HeddleTest(seeds = 20)
    void aChildThatNobodyAwaitsDoesNotEndTheProgram(TestWorld world) {
        var scope = new Scope().asNotSafely();
        scope.spawn(this::query);
        scope.spawn(this::quietQuery);
        world.settle();
        scope.dispose();
        scope.awaitCompletion();
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void itemsOfMapEachThatWereCancelledAreNotTheFailure() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                mapEach(
                                        List.of(1, 2, 3),
                                        3,
                                        n -> {
                                            if (n == 3) {
                                                delay(MOMENT);
                                                throw new IllegalStateException("on purpose");
                                            }
                                            query();
                                            return n;
                                        }));
        assertEquals("on purpose", thrown.getMessage());
        assertEquals(0, thrown.getSuppressed().length);
    }

    @HeddleTest(seeds = 20)
    void theBodyOfABlockThatWasCutInACallThrowsWhatItsChildFailedWith() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Scope.run(
                                        block -> {
                                            block.spawn(
                                                    () -> {
                                                        delay(MOMENT);
                                                        throw new IllegalStateException("child");
                                                    });
                                            query();
                                        }));
        assertEquals("child", thrown.getMessage());
    }

    @HeddleTest(seeds = 20)
    void aBlockInACallIsLeftAsCancelled(TestWorld world) {
        var host =
                spawn(
                        () ->
                                Scope.run(
                                        block -> {
                                            block.spawn(() -> delay(SECOND));
                                            query();
                                        }));
        world.settle();
        world.settle();
        assertEquals("stop", reason(host.cancelAndAwait("stop")));
    }

    @HeddleTest(seeds = 20)
    void cleanUpAfterSuchACallMaySuspend(TestWorld world) {
        for (Action call : List.<Action>of(this::query, this::quietQuery)) {
            trail.clear();
            var querying =
                    spawn(
                            () -> {
                                try {
                                    call.run();
                                } finally {
                                    delay(MOMENT);
                                    trail.add("delay");
                                    protect(() -> suspend());
                                    trail.add("protect");
                                    offload(() -> {});
                                    trail.add("offload");
                                }
                            });
            world.settle();
            querying.cancelAndAwait("stop");
            assertEquals(List.of("delay", "protect", "offload"), trail);
        }
    }

    /// As most do: the interrupt is the cause of what they throw.
    private static void causedQuery() throws SQLException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            throw new SQLException("as the driver says", interrupted);
        }
    }

    private static void causedQueryAndCleanUp() throws SQLException {
        try {
            causedQuery();
        } finally {
            delay(MOMENT);
        }
    }

    @HeddleTest(seeds = 20)
    void whatTheInterruptHasCausedCountsAsTheCancellationAlsoAfterCleanUpHasWaited(
            TestWorld world) {
        var querying = spawn(() -> causedQueryAndCleanUp());
        world.settle();

        var cancelled = assertInstanceOf(Outcome.Cancelled.class, querying.cancelAndAwait("stop"));

        assertEquals("stop", cancelled.cancellation().reason());
        assertInstanceOf(SQLException.class, cancelled.cancellation().getSuppressed()[0]);
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void soDoesWhatAClosedSocketHasCausedOnItsWay(TestWorld world) {
        var querying =
                spawn(
                        () -> {
                            try {
                                throwAsAfterwards();
                            } finally {
                                delay(MOMENT);
                            }
                        });
        world.settle();

        assertEquals("stop", reason(querying.cancelAndAwait("stop")));
        assertEquals(List.of(), world.reports());
    }

    /// As one does that puts its connection away: what that throws hides the interrupt.
    private static void throwAsAfterwards() throws SQLException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException hidden) {
            throw new SQLException("put away", new SocketException("Socket is closed"));
        }
    }

    @HeddleTest
    void ofALimitToo() throws SQLException {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () -> within(SECOND, () -> causedQueryAndCleanUp()));

        assertTrue(thrown.timedOut());
        assertInstanceOf(Cancellation.class, thrown.getCause());
        assertInstanceOf(SQLException.class, thrown.getCause().getSuppressed()[0]);
    }

    @HeddleTest(seeds = 20)
    void itHidesNoFailureOfAChildBesideIt(TestWorld world) {
        var failure = new IllegalStateException("clean-up of the child");
        var host =
                spawn(
                                () ->
                                        Scope.run(
                                                block -> {
                                                    block.spawn(() -> failInCleanUp(failure));
                                                    delay(MOMENT);
                                                    causedQueryAndCleanUp();
                                                }))
                        .observed();
        delay(MOMENT.multipliedBy(2));

        var failed = assertInstanceOf(Outcome.Failure.class, host.cancelAndAwait("stop"));

        assertSame(failure, failed.error());
    }

    private static void failInCleanUp(RuntimeException failure) {
        try {
            delay(Duration.ofHours(1));
        } finally {
            throwIt(failure);
        }
    }

    private static void throwIt(RuntimeException failure) {
        throw failure;
    }

    @HeddleTest(seeds = 20)
    void aRealFailureOfCleanUpIsOne(TestWorld world) {
        var failure = new IllegalStateException("nothing to do with it");
        var querying =
                spawn(
                                () -> {
                                    try {
                                        causedQueryAndCleanUp();
                                    } finally {
                                        throwIt(failure);
                                    }
                                })
                        .observed();
        world.settle();

        var failed = assertInstanceOf(Outcome.Failure.class, querying.cancelAndAwait("stop"));

        assertSame(failure, failed.error());
        assertInstanceOf(Cancellation.class, failure.getSuppressed()[0]);
    }

    @HeddleTest(seeds = 20)
    void whatHasNoCauseIsAFailureAfterASuspensionPointOfCleanUp(TestWorld world) {
        var querying =
                spawn(
                                () -> {
                                    try {
                                        query();
                                    } finally {
                                        delay(MOMENT);
                                    }
                                })
                        .observed();
        world.settle();
        var failed = assertInstanceOf(Outcome.Failure.class, querying.cancelAndAwait("stop"));
        assertSame(wrapped, failed.error());
        assertInstanceOf(Cancellation.class, failed.error().getSuppressed()[0]);
    }

    @HeddleTest(seeds = 20)
    void whoSwallowsItGetsItAgainWhenTheWindowEnds(TestWorld world) {
        var stubborn =
                spawn(
                        () -> {
                            try {
                                query();
                            } catch (SQLException swallowed) {
                                trail.add("swallowed");
                            }
                            delay(Duration.ofHours(1));
                        });
        world.settle();
        assertEquals("stop", reason(stubborn.cancelAndAwait("stop")));
        assertEquals(List.of("swallowed"), trail);
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aCallThatGoesOnLeavesItDueForTheNextSuspensionPoint(TestWorld world) {
        var lock = new ReentrantLock();
        var future = new CompletableFuture<String>();
        var permits = new Semaphore(0);
        lock.lock();
        goesOn(world, lock::lock, lock::unlock);
        goesOn(world, future::join, () -> future.complete("value"));
        goesOn(world, permits::acquireUninterruptibly, permits::release);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    private void goesOn(TestWorld world, Action call, Runnable end) {
        trail.clear();
        var waiting =
                spawn(
                        () -> {
                            call.run();
                            trail.add("went on");
                            delay(SECOND);
                            trail.add("not reached");
                        });
        world.settle();
        waiting.cancel("stop");
        world.settle();
        assertEquals(List.of(), trail);
        end.run();
        assertEquals("stop", reason(waiting.awaitOutcome()));
        assertEquals(List.of("went on"), trail);
    }

    @HeddleTest(seeds = 20)
    void aRealFailureAfterACallThatWentOnIsOne(TestWorld world) {
        var permits = new Semaphore(0);
        var failing =
                spawn(
                                () -> {
                                    permits.acquireUninterruptibly();
                                    throw new IllegalStateException("real");
                                })
                        .observed();
        world.settle();
        failing.cancel("stop");
        permits.release();
        assertInstanceOf(Outcome.Failure.class, failing.awaitOutcome());
    }

    @HeddleTest(seeds = 20)
    void aLibraryThatIsCalledAfterALockThatTookNoNoticeIsEndedAsCancelled(TestWorld world) {
        var permits = new Semaphore(0);
        var waiting =
                spawn(
                        () -> {
                            permits.acquireUninterruptibly();
                            trail.add("went on");
                            query();
                        });
        world.settle();
        waiting.cancel("stop");
        world.settle();
        permits.release();
        assertEquals("stop", reason(waiting.awaitOutcome()));
        assertEquals(List.of("went on"), trail);
    }
}
