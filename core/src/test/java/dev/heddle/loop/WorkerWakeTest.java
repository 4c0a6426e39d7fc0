package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.Leaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// That no job waits while a worker is idle that might run it: no wake-up is lost, and none is
/// spent on a worker that is busy.
///
/// The jobs of a round wait for each other, so a round ends only if as many workers run at the same
/// time as there are jobs. Many rounds, since each mistake shows in a few only.
///
/// **Thread:** owner (the test runner).
@ExtendWith({Leaks.class, NewWorkers.class})
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WorkerWakeTest {
    private static final int ROUNDS =
            System.getProperty("heddle.depth", "quick").equals("deep") ? 100_000 : 5_000;

    private final List<WorkerPool> pools = new ArrayList<>();

    @AfterEach
    void closePools() {
        pools.forEach(WorkerPool::close);
    }

    @Test
    void twoThreadsThatSubmitAtOnceGetTwoWorkers() throws Exception {
        int rounds = ROUNDS / 10;
        var start = new CyclicBarrier(2);
        var current = new WorkerPool[1];
        var both = new CyclicBarrier[1];
        var other =
                new FutureTask<>(
                        () -> {
                            for (int round = 0; round < rounds; round++) {
                                start.await();
                                current[0].execute(() -> pass(both[0]));
                                start.await();
                            }
                            return null;
                        });
        var thread = Thread.ofPlatform().start(other);
        for (int round = 0; round < rounds; round++) {
            current[0] = pool(2);
            both[0] = new CyclicBarrier(3);
            start.await();
            current[0].execute(() -> pass(both[0]));
            start.await();
            both[0].await();
            current[0].close();
        }
        other.get();
        thread.join();
    }

    @Test
    void asManyJobsAsThereAreWorkersRunAtTheSameTime() throws Exception {
        var pool = pool(3);
        var all = new CyclicBarrier(4);
        for (int round = 0; round < ROUNDS; round++) {
            for (int job = 0; job < 3; job++) {
                pool.execute(() -> pass(all));
            }
            all.await();
        }
    }

    @Test
    void aWorkerThatFindsWorkOnItsWayToSleepIsNotTakenForIdle() throws Exception {
        var pool = pool(2);
        var random = seeded();
        for (int round = 0; round < ROUNDS; round++) {
            // The worker of the first job meets the second half asleep; by the third, which the
            // second waits for, the other worker sleeps again.
            var first = new AtomicBoolean();
            var pair = new CyclicBarrier(3);
            pool.execute(() -> first.set(true));
            while (!first.get()) {
                Thread.onSpinWait();
            }
            spin(random.nextInt(10));
            pool.execute(() -> pass(pair));
            spin(random.nextInt(3000));
            pool.execute(() -> pass(pair));
            pair.await();
        }
    }

    @Test
    void twoJobsThatComeAsAWorkerGivesUpLookingGetTwoWorkers() throws Exception {
        var pool = pool(2);
        var random = seeded();
        for (int round = 0; round < ROUNDS; round++) {
            var first = new AtomicBoolean();
            var pair = new CyclicBarrier(3);
            pool.execute(() -> first.set(true));
            while (!first.get()) {
                Thread.onSpinWait();
            }
            // About as long as a worker looks for more before it parks.
            spin(random.nextInt(400));
            pool.execute(() -> pass(pair));
            pool.execute(() -> pass(pair));
            pair.await();
        }
    }

    @Test
    void noSlowJobIsForgottenWhenAllWorkersGoToSleep() throws Exception {
        var pool = pool(2);
        var random = seeded();
        for (int round = 0; round < ROUNDS; round++) {
            var done = new CountDownLatch(3);
            for (int job = 0; job < 3; job++) {
                pool.execute(done::countDown, Lane.SLOW);
                spin(random.nextInt(100));
            }
            done.await();
        }
    }

    @Test
    void halfTheWorkersAndNoMoreRunSlowJobs() throws Exception {
        var pool = pool(4);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new CountDownLatch(200);
        for (int job = 0; job < 200; job++) {
            pool.execute(
                    () -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        Thread.yield();
                        running.decrementAndGet();
                        done.countDown();
                    },
                    Lane.SLOW);
        }
        done.await();

        assertTrue(most.get() <= 2, most + " slow jobs ran at the same time");
        var two = new CyclicBarrier(3);
        pool.execute(() -> pass(two), Lane.SLOW);
        pool.execute(() -> pass(two), Lane.SLOW);
        two.await();
    }

    // L63
    @Test
    void blockedSlowJobsDoNotKeepNormalOnesWaiting() throws Exception {
        var pool = pool(4);
        var gate = new CountDownLatch(1);
        var slow = new CountDownLatch(100);
        for (int job = 0; job < 100; job++) {
            pool.execute(
                    () -> {
                        LoopTestCase.await(gate);
                        slow.countDown();
                    },
                    Lane.SLOW);
        }
        var normal = new CyclicBarrier(3);
        pool.execute(() -> pass(normal));
        pool.execute(() -> pass(normal));

        normal.await();

        assertEquals(100, slow.getCount(), "every slow job is still blocked or waits");
        gate.countDown();
        slow.await();
    }

    @Test
    void aStreamOfNormalJobsDoesNotStarveASlowOne() throws Exception {
        var pool = pool(1);
        var slow = new CountDownLatch(1);
        pool.execute(new Endless(pool, slow));
        pool.execute(slow::countDown, Lane.SLOW);

        slow.await();
    }

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("WorkerWakeTest: seed " + seed);
        return new Random(seed);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private WorkerPool pool(int threads) {
        var pool = new WorkerPool(threads, 1000);
        pools.add(pool);
        return pool;
    }

    private static void pass(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception late) {
            throw new AssertionError("the watchdog came", late);
        }
    }

    /// Submits itself twice over, so that there always is a normal job that waits.
    private static final class Endless implements Runnable {
        private final WorkerPool pool;
        private final CountDownLatch end;

        Endless(WorkerPool pool, CountDownLatch end) {
            this.pool = pool;
            this.end = end;
        }

        @Override
        public void run() {
            while (pool.queued() < 3 && end.getCount() > 0) {
                pool.execute(this);
            }
        }
    }
}
