package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/// Who may do a loop's work, and what happens if they will not: on every backend.
///
/// **Thread:** owner (the test runner).
abstract class WorkersContract extends LoopTestCase {
    private static final Work.Completion<Object> NOBODY = (_, _) -> {};

    WorkersContract(Backend backend) {
        super(backend);
    }

    private Loop open(Executor workers) throws IOException {
        var loop = fixture.open(options -> options.workers(workers));
        expectOthers();
        return loop;
    }

    // L61
    @Test
    void eightLoopsShareOnePoolAndEachGetsItsOwnCompletions() throws IOException {
        var pool = fixture.workers(4, 1000);
        var wrong = new ConcurrentLinkedQueue<String>();
        var all = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            var loop = open(pool);
            int name = i;
            fixture.outside(
                    () -> {
                        var seen = new ArrayList<Integer>();
                        all.countDown();
                        all.await();
                        for (int work = 0; work < 20; work++) {
                            loop.submit(
                                    () -> name,
                                    (result, _) -> {
                                        if (!loop.isOnLoop() || result != name) {
                                            wrong.add(name + " got " + result);
                                        }
                                        seen.add(result);
                                    });
                        }
                        loop.run();
                        assertEquals(20, seen.size());
                    });
        }

        fixture.awaitOutsiders();

        assertEquals(List.of(), List.copyOf(wrong));
    }

    // L62
    @Test
    void aFullQueueRefusesAtOnceAndLeavesTheLoopAsItWas() throws IOException {
        var loop = open(fixture.workers(1, 1));
        var gate = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var done = new ArrayList<String>();
        loop.submit(
                () -> {
                    begun.countDown();
                    gate.await();
                    return "first";
                },
                (result, _) -> done.add(result));
        await(begun);
        loop.submit(() -> "second", (result, _) -> done.add(result));

        var refused =
                assertThrows(
                        RejectedExecutionException.class,
                        () -> loop.submit(() -> "third", (result, _) -> done.add(result)));

        assertTrue(refused.getMessage().contains("full"), refused.getMessage());
        assertEquals(2, loop.stats().work());
        gate.countDown();
        assertFalse(loop.run());
        assertEquals(List.of("first", "second"), done);
        assertFalse(loop.alive());
    }

    @Test
    void aRefusalLeavesAnIdleLoopIdle() throws IOException {
        var loop =
                open(
                        _ -> {
                            throw new RejectedExecutionException("no room");
                        });

        for (int i = 0; i < 3; i++) {
            assertThrows(RejectedExecutionException.class, () -> loop.submit(() -> "", NOBODY));
        }

        assertFalse(loop.alive());
        assertEquals(0, loop.stats().work());
        assertFalse(loop.run());
    }

    @Test
    void anExecutorThatKeepsWhatItRefusedCannotRunItLater() throws IOException {
        var kept = new ArrayList<Runnable>();
        var loop =
                open(
                        job -> {
                            kept.add(job);
                            throw new RejectedExecutionException("no room, but kept");
                        });
        var trail = new ArrayList<String>();
        assertThrows(
                RejectedExecutionException.class,
                () -> loop.submit(() -> trail.add("work"), (_, _) -> trail.add("done")));

        kept.forEach(Runnable::run);

        assertFalse(loop.run());
        assertEquals(List.of(), trail);
        assertEquals(0, loop.stats().work());
    }

    @Test
    void anExecutorThatThrowsAfterItRanTheWorkHasNotRefusedIt() throws Exception {
        var reported = new ConcurrentLinkedQueue<String>();
        var loop =
                open(
                        job -> {
                            job.run();
                            throw new IllegalStateException("too late");
                        });
        var trail = new ArrayList<String>();
        var self = Thread.currentThread();
        var handler = self.getUncaughtExceptionHandler();
        var told = new CountDownLatch(1);
        self.setUncaughtExceptionHandler(
                (_, error) -> {
                    reported.add(error.getMessage());
                    told.countDown();
                });
        try {
            loop.submit(() -> trail.add("work"), (_, _) -> trail.add("done"));
            await(told);
        } finally {
            self.setUncaughtExceptionHandler(handler);
        }

        assertFalse(loop.run());
        assertEquals(List.of("work", "done"), trail);
        assertEquals(List.of("too late"), List.copyOf(reported));
        assertEquals(0, loop.stats().work());
    }

    @Test
    void workersMayBeGivenOrChosenPerSubmit() throws IOException {
        var given = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("given").factory());
        var chosen =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().name("chosen").factory());
        try (given;
                chosen) {
            var loop = open(given);
            var names = new ArrayList<String>();

            loop.submit(() -> Thread.currentThread().getName(), (name, _) -> names.add(name));
            loop.run();
            loop.submit(
                    chosen,
                    Lane.SLOW,
                    () -> Thread.currentThread().getName(),
                    (name, _) -> names.add(name));
            loop.run();

            assertEquals(List.of("given", "chosen"), names);
        }
    }

    @Test
    void withoutWorkersOfItsOwnALoopUsesTheSharedOnes() throws IOException {
        var loop = fixture.open();
        expectOthers();
        var names = new ArrayList<String>();

        loop.submit(() -> Thread.currentThread().getName(), (name, _) -> names.add(name));
        loop.run();

        assertTrue(names.getFirst().startsWith("heddle-worker-"), names.toString());
        assertEquals(4, WorkerPool.shared().threads());
    }

    // L63
    @Test
    void hundredBlockedLookUpsDoNotKeepOtherWorkWaiting() throws IOException {
        var pool = fixture.workers(4, 1000);
        var loop = open(pool);
        var gate = new CountDownLatch(1);
        var order = new ArrayList<String>();
        for (int i = 0; i < 100; i++) {
            loop.submit(
                    pool,
                    Lane.SLOW,
                    () -> {
                        gate.await();
                        return "look-up";
                    },
                    (result, _) -> order.add(result));
        }
        loop.submit(
                () -> "computed",
                (result, _) -> {
                    order.add(result);
                    gate.countDown();
                });

        loop.run();

        assertEquals(101, order.size());
        assertEquals("computed", order.getFirst());
    }
}
