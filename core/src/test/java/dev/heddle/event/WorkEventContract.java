package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.Lane;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/// What a [WorkEvent] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class WorkEventContract extends EventTestCase {
    // Workers that work when the test says so, on its own thread.
    private final ArrayDeque<Runnable> handed = new ArrayDeque<>();

    WorkEventContract(Backend backend) {
        super(backend);
    }

    @Test
    void aWorkersResultEndsAWait() {
        try (var workers = Executors.newSingleThreadExecutor()) {
            var thread = new Thread[1];
            var work =
                    new WorkEvent<>(
                                    loop,
                                    "compute",
                                    () -> {
                                        thread[0] = Thread.currentThread();
                                        return "result";
                                    })
                            .on(workers, Lane.NORMAL);
            var sleeper = new Sleeper(loop);
            if (isSimulated()) {
                sim.holdTimeWhile(() -> true);
            }

            assertTrue(sleeper.begin().on(work).suspend());

            assertEquals(":result", sleeper.answer());
            assertFalse(thread[0] == Thread.currentThread());
            assertFalse(sleeper.begin().on(work).suspend(), "a late waiter is told at once");
            assertEquals(":result", sleeper.answer());
        }
    }

    @Test
    void whatItThrowsIsTheOutcome() throws IOException {
        var work = work("w", () -> throwing("broken"));
        work.subscribe(this.<String>noting("a"));
        work.start();
        workOne();

        assertEquals(List.of("a!broken"), turn());
        work.subscribe(this.<String>noting("late"));
        assertTrail("a!broken", "late!broken");
        assertEquals("Work(\"w\", failed)", work.info());
    }

    @Test
    void itIsHandedOverByTheFirstStartAndOnce() throws IOException {
        var work = work("w", () -> "1");
        work.subscribe(this.<String>noting("a"));
        assertEquals("Work(\"w\", not started)", work.info());
        assertEquals(0, handed.size());

        work.start();
        work.start();
        work.stop();
        work.stop();
        work.start();
        assertEquals(1, handed.size());
        assertEquals("Work(\"w\", waits for a worker)", work.info());
        assertTrue(loop.alive());
        workOne();

        assertEquals(List.of("a:1"), turn());
        assertEquals("Work(\"w\", done)", work.info());
        assertEquals(Life.CLOSED, work.life());
        assertFalse(loop.alive());
    }

    @Test
    void stoppingEndsTheInterestNotTheWork() throws IOException {
        var work =
                work(
                        "w",
                        () -> {
                            trail.add("worked");
                            return "1";
                        });
        work.start();
        work.stop();
        workOne();
        loop.runNowait();
        work.subscribe(this.<String>noting("late"));

        assertTrail("worked", "late:1");
    }

    @Test
    void cancelledBeforeTheStartItNeverRuns() {
        var work = work("w", () -> throwing("ran"));
        work.subscribe(this.<String>noting("a"));

        assertTrue(work.cancel());
        assertFalse(work.cancel());
        work.start();

        assertEquals(0, handed.size());
        assertTrail("a!cancelled before it began: \"w\"");
        assertEquals("Work(\"w\", cancelled)", work.info());
    }

    @Test
    void cancelledBeforeAWorkerBeginsItNeverRuns() throws IOException {
        var work = work("w", () -> "" + trail.add("ran"));
        work.subscribe((_, error) -> assertInstanceOf(CancellationException.class, error));
        work.subscribe(this.<String>noting("a"));
        work.start();

        assertTrue(work.cancel());
        workOne();
        assertTrail();

        assertEquals(List.of("a!cancelled before it began: \"w\""), turn());
        assertFalse(loop.alive());
    }

    @Test
    void cancelledTooLateItEndsAsUsual() throws IOException {
        var work = work("w", () -> "1");
        work.subscribe(this.<String>noting("a"));
        work.start();
        workOne();
        assertFalse(work.cancel());

        assertEquals(List.of("a:1"), turn());
        assertFalse(work.cancel());
    }

    @Test
    void anInterruptReachesTheWorkAndNotTheNextOnTheSameThread() throws Exception {
        try (var workers = Executors.newSingleThreadExecutor()) {
            var begun = new CountDownLatch(1);
            var never = new CountDownLatch(1);
            var work =
                    new WorkEvent<>(
                                    loop,
                                    "blocked",
                                    () -> {
                                        begun.countDown();
                                        never.await();
                                        return "not reached";
                                    })
                            .on(workers, Lane.NORMAL);
            work.subscribe(
                    (_, error) -> trail.add(error == null ? "none" : error.getClass().getName()));
            work.start();
            begun.await();
            assertEquals("Work(\"blocked\", running)", work.info());
            assertFalse(work.cancel());

            assertTrue(work.interrupt());
            runUntil(() -> !trail.isEmpty());

            assertTrail("java.lang.InterruptedException");
            assertFalse(work.interrupt(), "it has ended");
            assertFalse(workers.submit(Thread::interrupted).get());
        }
    }

    @Test
    void anInterruptThatComesEarlyReachesTheWorkWhenItBegins() throws Exception {
        var work = work("w", () -> "interrupted " + Thread.currentThread().isInterrupted());
        work.subscribe(this.<String>noting("a"));
        work.start();
        assertTrue(work.interrupt());
        assertTrue(work.interrupt(), "and once more");
        var flag = onAnotherThread();

        assertFalse(flag.get(), "the thread's flag is down again");
        assertEquals(List.of("a:interrupted true"), turn());
    }

    @Test
    void aRefusedStartLeavesNothing() {
        var work =
                new WorkEvent<>(loop, "w", () -> "1")
                        .on(
                                _ -> {
                                    throw new RejectedExecutionException("full");
                                },
                                Lane.NORMAL);

        assertThrows(RejectedExecutionException.class, work::start);

        assertEquals(Life.CREATED, work.life());
        assertFalse(loop.alive());
        work.on(handed::add, Lane.NORMAL).start();
        assertThrows(IllegalStateException.class, () -> work.on(handed::add, Lane.NORMAL));
        assertTrue(work.cancel());
    }

    @Test
    void disposedOfItIsTakenBackAndTellsNobody() throws IOException {
        var work = work("w", () -> "" + trail.add("ran"));
        work.subscribe(this.<String>noting("a"));
        work.start();
        work.dispose();
        workOne();

        assertTrail("a gone");
        assertEquals(List.of(), turn());
        assertThrows(IllegalStateException.class, () -> work.subscribe(noting("late")));
    }

    @Test
    void aValueThatNobodyCanReceiveGoesToTheDiscardHook() throws IOException {
        var work = work("w", () -> "unwanted").onDiscard(value -> trail.add("discarded " + value));
        work.subscribe(this.<String>noting("a"));
        work.start();
        workOne();
        work.dispose();

        assertTrail("a gone");
        assertEquals(List.of("discarded unwanted"), turn());
    }

    private WorkEvent<String> work(String name, Callable<String> body) {
        return new WorkEvent<>(loop, name, body).on(handed::add, Lane.NORMAL);
    }

    private void workOne() {
        handed.remove().run();
    }

    /// {@return whether the thread was still interrupted after the work}
    private FutureTask<Boolean> onAnotherThread() throws InterruptedException {
        var task =
                new FutureTask<>(
                        () -> {
                            workOne();
                            return Thread.currentThread().isInterrupted();
                        });
        var thread = Thread.ofPlatform().start(task);
        thread.join();
        return task;
    }

    private static <R> R throwing(String message) {
        throw new IllegalStateException(message);
    }
}
