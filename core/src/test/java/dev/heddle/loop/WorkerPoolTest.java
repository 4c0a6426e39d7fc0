package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.Leaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// What a pool takes, what it refuses, and how it ends. Who gets to run when is in
/// [WorkerWakeTest].
///
/// **Thread:** owner (the test runner).
@ExtendWith({Leaks.class, NewWorkers.class})
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WorkerPoolTest {
    private final List<Thread> workers = new CopyOnWriteArrayList<>();
    private final List<WorkerPool> pools = new ArrayList<>();

    @AfterEach
    void closePools() {
        pools.forEach(WorkerPool::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65, Integer.MAX_VALUE})
    void aBadNumberOfThreadsIsRefused(int threads) {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> new WorkerPool(threads, 1));
        assertTrue(refused.getMessage().endsWith(" " + threads), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void aBadLimitIsRefused(int limit) {
        var refused = assertThrows(IllegalArgumentException.class, () -> new WorkerPool(1, limit));
        assertTrue(refused.getMessage().endsWith(" " + limit), refused.getMessage());
    }

    @Test
    void nobodyCanCloseTheSharedPool() {
        assertThrows(IllegalStateException.class, () -> WorkerPool.shared().close());
    }

    @Test
    void noJobAndNoLaneAreRefused() {
        var pool = pool(1, 1);
        assertThrows(NullPointerException.class, () -> pool.execute(null));
        assertThrows(NullPointerException.class, () -> pool.execute(() -> {}, null));
        assertEquals(0, pool.queued());
    }

    // L62
    @Test
    void aFullQueueRefusesAtOnceAndTakesAgainWhenThereIsRoom() throws InterruptedException {
        var pool = pool(1, 2);
        var gate = occupy(pool, 1);
        var done = new CountDownLatch(2);
        pool.execute(done::countDown);
        pool.execute(done::countDown, Lane.SLOW);

        for (var lane : Lane.values()) {
            var refused =
                    assertThrows(
                            RejectedExecutionException.class, () -> pool.execute(() -> {}, lane));
            assertTrue(refused.getMessage().contains("2 pieces of work"), refused.getMessage());
        }
        assertEquals(2, pool.queued());
        gate.countDown();
        done.await();

        assertEquals(0, pool.queued());
        run(pool);
    }

    @Test
    void aPoolStartsNoMoreThreadsThanItMay() throws InterruptedException {
        var pool = pool(3, 1000);
        var done = new CountDownLatch(300);
        for (int i = 0; i < 300; i++) {
            pool.execute(
                    () -> {
                        note();
                        done.countDown();
                    });
        }
        done.await();

        assertTrue(workers.stream().distinct().count() <= 3, workers.toString());
        assertTrue(workers.stream().allMatch(Thread::isDaemon));
    }

    @Test
    void jobsThatWaitForEachOtherAllBeginHoweverManyWorkersThereWere() throws InterruptedException {
        for (int had = 0; had <= 4; had++) {
            var pool = pool(4, 16);
            together(pool, had);
            together(pool, 4);
        }
    }

    /// Runs so many jobs at once, each of which waits until all have begun.
    private static void together(WorkerPool pool, int count) throws InterruptedException {
        var begun = new CountDownLatch(count);
        var ended = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            pool.execute(
                    () -> {
                        begun.countDown();
                        LoopTestCase.await(begun);
                        ended.countDown();
                    });
        }
        ended.await();
    }

    @Test
    void jobsOfOneLaneBeginInTheirOrder() throws InterruptedException {
        var pool = pool(1, 1000);
        var gate = occupy(pool, 1);
        var order = new CopyOnWriteArrayList<Integer>();
        var expected = new ArrayList<Integer>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            expected.add(number);
            pool.execute(() -> order.add(number));
        }
        gate.countDown();
        run(pool);

        assertEquals(expected, order);
    }

    @Test
    void aJobThatThrowsIsReportedAndItsWorkerGoesOn() throws InterruptedException {
        var pool = pool(1, 10);
        var seen = new CopyOnWriteArrayList<Throwable>();
        var broken = new IllegalStateException("broken");
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> seen.add(thrown));
        try {
            pool.execute(
                    () -> {
                        note();
                        throw broken;
                    });
            run(pool);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        assertEquals(List.of(broken), seen);
        assertSame(workers.getFirst(), workers.getLast());
    }

    @Test
    void anUncaughtExceptionHandlerThatThrowsCostsNoWorker() throws InterruptedException {
        var pool = pool(1, 10);
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (_, thrown) -> {
                    throw new IllegalStateException("the handler is broken too", thrown);
                });
        try {
            pool.execute(
                    () -> {
                        note();
                        throw new IllegalStateException("broken");
                    });
            run(pool);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        assertSame(workers.getFirst(), workers.getLast());
    }

    @Test
    void anInterruptOfOneJobDoesNotReachTheNext() throws InterruptedException {
        var pool = pool(1, 10);
        var interrupted = new CopyOnWriteArrayList<Boolean>();
        pool.execute(() -> Thread.currentThread().interrupt());
        pool.execute(() -> interrupted.add(Thread.currentThread().isInterrupted()));
        run(pool);

        assertEquals(List.of(false), interrupted);
    }

    @Test
    void aClosedPoolRefusesAndItsWorkersEnd() throws InterruptedException {
        var pool = pool(2, 10);
        run(pool);
        pool.close();
        pool.close();

        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
        for (var worker : workers) {
            worker.join();
        }
    }

    @Test
    void whatWaitsWhenThePoolClosesIsNotRun() throws InterruptedException {
        var pool = pool(1, 10);
        var ran = new AtomicInteger();
        var gate = occupy(pool, 1);
        pool.execute(ran::incrementAndGet);
        pool.execute(ran::incrementAndGet, Lane.SLOW);
        pool.close();
        gate.countDown();
        for (var worker : workers) {
            worker.join();
        }

        assertEquals(0, ran.get());
        assertEquals(0, pool.queued());
    }

    @Test
    void aPoolMayBeClosedByItsOwnJob() throws InterruptedException {
        var pool = pool(1, 10);
        var done = new CountDownLatch(1);
        pool.execute(
                () -> {
                    note();
                    pool.close();
                    done.countDown();
                });
        done.await();
        workers.getFirst().join();

        assertFalse(workers.getFirst().isAlive());
    }

    @Test
    void itSaysHowFullItIs() {
        assertEquals("WorkerPool(threads=2, queued=0/7)", pool(2, 7).toString());
        assertEquals(2, pool(2, 7).threads());
    }

    private WorkerPool pool(int threads, int limit) {
        var pool = new WorkerPool(threads, limit);
        pools.add(pool);
        return pool;
    }

    private void note() {
        workers.add(Thread.currentThread());
    }

    /// Keeps that many workers busy until the latch is counted down.
    private CountDownLatch occupy(WorkerPool pool, int count) throws InterruptedException {
        var gate = new CountDownLatch(1);
        var inside = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            pool.execute(
                    () -> {
                        note();
                        inside.countDown();
                        LoopTestCase.await(gate);
                    });
        }
        inside.await();
        return gate;
    }

    /// Runs one more job and waits for it; with one worker all earlier ones have ended then.
    private void run(WorkerPool pool) throws InterruptedException {
        var done = new CountDownLatch(1);
        pool.execute(
                () -> {
                    note();
                    done.countDown();
                });
        done.await();
    }
}
