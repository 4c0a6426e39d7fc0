package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/// What [Loop#submit] promises, on every backend. Who the workers are is in [WorkersContract];
/// taking work back, and ending with work under way, in [CancelContract].
///
/// **Thread:** owner (the test runner).
abstract class OffloadContract extends LoopTestCase {
    private static final Work.Completion<Object> NOBODY = (_, _) -> {};

    OffloadContract(Backend backend) {
        super(backend);
    }

    private Loop open(Executor workers) throws IOException {
        var loop = fixture.open(options -> options.workers(workers));
        expectOthers();
        return loop;
    }

    // L54
    @Test
    void workRunsOnAWorkerAndItsResultComesBackOnTheLoop() throws IOException {
        var loop = open(fixture.workers(1, 1));
        var threads = new ConcurrentLinkedQueue<Thread>();
        var results = new ArrayList<Object>();

        var work =
                loop.submit(
                        () -> {
                            threads.add(Thread.currentThread());
                            return "result";
                        },
                        (result, error) -> {
                            threads.add(Thread.currentThread());
                            results.add(result);
                            results.add(error);
                        });
        assertTrue(loop.alive());
        assertFalse(loop.run());

        assertEquals(2, results.size());
        assertEquals("result", results.getFirst());
        assertEquals(null, results.getLast());
        assertNotEquals(Thread.currentThread(), threads.poll());
        assertSame(Thread.currentThread(), threads.poll());
        assertEquals(Work.State.DONE, work.state());
    }

    // L55
    @Test
    void missingPartsAreRefusedAtOnceAndTheLoopIsNotAlive() throws IOException {
        var loop = open(Runnable::run);
        Executor workers = Runnable::run;

        assertThrows(NullPointerException.class, () -> loop.submit(null, NOBODY));
        assertThrows(NullPointerException.class, () -> loop.submit(() -> "", null));
        assertThrows(
                NullPointerException.class, () -> loop.submit(null, Lane.NORMAL, () -> "", NOBODY));
        assertThrows(
                NullPointerException.class, () -> loop.submit(workers, null, () -> "", NOBODY));

        assertFalse(loop.alive());
        assertEquals(0, loop.stats().work());
    }

    // L56
    @Test
    void whatTheWorkThrowsReachesTheCompletionAndTheWorkerGoesOn() throws IOException {
        var loop = open(fixture.workers(1, 10));
        var trail = new ArrayList<String>();
        var threads = new ConcurrentLinkedQueue<Thread>();
        for (var thrown : List.of(new IOException("checked"), new AssertionError("error"))) {
            loop.submit(
                    () -> {
                        threads.add(Thread.currentThread());
                        return raise(thrown);
                    },
                    (result, error) -> trail.add(result + ", " + error.getMessage()));
        }
        loop.submit(
                () -> threads.add(Thread.currentThread()),
                (result, error) -> trail.add(result + ", " + error));

        loop.run();

        assertEquals(List.of("null, checked", "null, error", "true, null"), trail);
        assertEquals(1, threads.stream().distinct().count());
        assertEquals(0, loop.stats().errors());
    }

    @Test
    void aCompletionThatThrowsIsReportedAndTheWorkIsOver() throws IOException {
        var errors = new ArrayList<String>();
        var loop =
                fixture.open(
                        options ->
                                options.workers(Runnable::run)
                                        .onError((error, _) -> errors.add(error.getMessage())));
        loop.submit(
                () -> "",
                (_, _) -> {
                    throw new IllegalStateException("broken");
                });

        assertFalse(loop.run());

        assertEquals(List.of("broken"), errors);
    }

    @Test
    void theCompletionIsNeverCalledFromInsideSubmit() throws IOException {
        var loop = open(Runnable::run);
        var trail = new ArrayList<String>();

        loop.submit(() -> trail.add("work"), (_, _) -> trail.add("done"));
        assertEquals(List.of("work"), trail);
        loop.run();

        assertEquals(List.of("work", "done"), trail);
    }

    @Test
    void anyThreadMaySubmit() throws IOException {
        var loop = open(fixture.workers(2, 100));
        var done = new ArrayList<Integer>();
        var keepAlive = loop.async();
        for (int i = 0; i < 3; i++) {
            int number = i;
            fixture.outside(
                    () ->
                            loop.submit(
                                    () -> number,
                                    (result, _) -> {
                                        done.add(result);
                                        if (done.size() == 3) {
                                            keepAlive.close();
                                        }
                                    }));
        }

        loop.run();

        done.sort(null);
        assertEquals(List.of(0, 1, 2), done);
    }

    private static String raise(Throwable thrown) throws Exception {
        if (thrown instanceof Exception checked) {
            throw checked;
        }
        throw (Error) thrown;
    }
}
