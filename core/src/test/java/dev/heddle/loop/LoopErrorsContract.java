package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// A callback that throws harms nobody but itself, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopErrorsContract {
    private static final Duration FAR = Duration.ofDays(1);

    @RegisterExtension final LoopFixture fixture;

    private final List<Throwable> errors = new ArrayList<>();
    private final List<Task> sources = new ArrayList<>();

    LoopErrorsContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    @Test
    void aTaskThatThrowsIsReportedAndTheNextOneRuns() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        loop.post(failing("task"));
        loop.post(() -> trail.add("later"));

        assertFalse(loop.run());

        assertEquals(List.of("task"), messages());
        assertEquals(List.of("later"), trail);
        assertEquals(1, loop.stats().errors());
    }

    @Test
    void anErrorIsReportedAsWellAsAnException() throws IOException {
        var loop = open();
        var error = new StackOverflowError("made up");
        loop.post(
                () -> {
                    throw error;
                });

        loop.run();

        assertSame(error, errors.getFirst());
    }

    @Test
    void aTimerThatThrowsIsReportedAndLaterTimersFire() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        var timer = loop.after(Duration.ZERO, failing("timer"));
        loop.after(Duration.ZERO, () -> trail.add("same turn"));
        loop.after(Duration.ofMillis(1), () -> trail.add("later turn"));

        assertFalse(loop.run());

        assertEquals(List.of("timer"), messages());
        assertEquals(List.of(timer), sources);
        assertEquals(List.of("same turn", "later turn"), trail);
        assertFalse(timer.isActive());
    }

    @Test
    void aRepeatingTimerThatThrowsTicksOn() throws IOException {
        var loop = open();
        var timer = loop.every(Duration.ofMillis(1), failing("tick"));
        while (errors.size() < 3) {
            loop.runOnce();
        }

        assertEquals(List.of("tick", "tick", "tick"), messages());
        assertTrue(timer.stop());
    }

    @Test
    void hooksThatThrowAreReportedAndTheTurnGoesOn() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        var hooks =
                List.of(
                        loop.onIdle(failing("idle")),
                        loop.onIdle(() -> trail.add("second idle")),
                        loop.onPrepare(failing("prepare")),
                        loop.onCheck(failing("check")),
                        loop.onCheck(() -> trail.add("second check")));
        loop.post(() -> trail.add("task"));

        loop.runOnce();

        assertEquals(List.of("idle", "prepare", "check"), messages());
        assertEquals(List.of(hooks.get(0), hooks.get(2), hooks.get(3)), sources);
        assertEquals(List.of("second idle", "second check", "task"), trail);
        hooks.forEach(Hook::stop);
    }

    @Test
    void aWatchThatThrowsIsReportedAndTheOtherIsTold() throws IOException {
        var loop = open();
        var trail = new ArrayList<Watch>();
        var watches = new ArrayList<Watch>();
        for (int i = 0; i < 2; i++) {
            int fd = fixture.readable();
            watches.add(
                    loop.watch(
                            fd,
                            Interest.READ,
                            (watch, _) -> {
                                trail.add(watch);
                                throw new IllegalStateException("watch");
                            }));
        }
        while (trail.size() < 2) {
            loop.runOnce();
        }

        assertEquals(List.of("watch", "watch"), messages());
        assertEquals(trail, sources);
        watches.forEach(Watch::stop);
    }

    @Test
    void anAsyncThatThrowsMayBeSentAgain() throws IOException {
        var loop = open();
        var async = loop.async(failing("async"));
        async.send();
        loop.runOnce();
        async.send();
        loop.runOnce();

        assertEquals(List.of("async", "async"), messages());
        async.close();
        loop.run();
    }

    @Test
    void aCloseCallbackThatThrowsIsReportedAndTheSourceIsClosed() throws IOException {
        var loop = open();
        var timer = loop.after(FAR, () -> {});
        timer.close(failing("closed"));

        loop.run();

        assertEquals(List.of("closed"), messages());
        assertTrue(timer.isClosed());
        assertTrue(sources.getFirst().toString().contains("Timer"), sources::toString);
    }

    @Test
    void completionsOfWorkThatThrowAreReported() throws IOException {
        var loop = open();
        var ended = loop.submit(Runnable::run, Lane.NORMAL, () -> 1, new FailingCompletion());
        var cancelled = loop.submit(_ -> {}, Lane.NORMAL, () -> 1, new FailingCompletion());
        cancelled.cancel();

        assertFalse(loop.run());

        assertEquals(List.of("done", "cancelled"), messages());
        assertEquals(List.of(ended, cancelled), sources);
        assertEquals(0, loop.stats().work());
    }

    @Test
    void aTaskThatThrowsWhenItIsDroppedIsReportedAndTheOthersAreDropped() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        for (var name : List.of("first", "second")) {
            loop.post(
                    new Task() {
                        @Override
                        protected void run() {
                            throw new AssertionError("run");
                        }

                        @Override
                        protected void drop() {
                            trail.add(name);
                            throw new IllegalStateException(name);
                        }
                    });
        }

        loop.shutdown(Duration.ZERO);

        assertEquals(List.of("first", "second"), trail);
        assertEquals(List.of("first", "second"), messages());
    }

    @Test
    void anErrorHandlerThatThrowsDoesNotEndTheLoop() throws Exception {
        var reported = new CompletableFuture<Throwable>();
        var trail = new ArrayList<String>();
        var loop =
                fixture.open(
                        options ->
                                options.onError(
                                        (_, _) -> {
                                            throw new RejectedExecutionException("handler");
                                        }));
        loop.post(failing("task"));
        loop.post(() -> trail.add("later"));

        runReporting(loop, reported);

        assertEquals(List.of("later"), trail);
        var error = reported.get(1, TimeUnit.SECONDS);
        assertEquals("task", error.getMessage());
        assertEquals("handler", error.getSuppressed()[0].getMessage());
    }

    @Test
    void anErrorHandlerThatThrowsTheErrorItselfDoesNotEndTheLoop() throws Exception {
        var reported = new CompletableFuture<Throwable>();
        var trail = new ArrayList<String>();
        var error = new IllegalStateException("task");
        var loop =
                fixture.open(
                        options ->
                                options.onError(
                                        (_, _) -> {
                                            throw error;
                                        }));
        loop.post(
                () -> {
                    throw error;
                });
        loop.post(() -> trail.add("later"));

        runReporting(loop, reported);

        assertEquals(List.of("later"), trail);
        assertSame(error, reported.get(1, TimeUnit.SECONDS));
    }

    @Test
    void withoutAHandlerTheThreadsOwnIsToldOnAnotherThread() throws Exception {
        var reported = new CompletableFuture<Throwable>();
        var trail = new ArrayList<String>();
        var loop = fixture.openWithoutErrorHandler();
        loop.post(failing("task"));
        loop.post(() -> trail.add("later"));

        runReporting(loop, reported);

        assertEquals("task", reported.get(1, TimeUnit.SECONDS).getMessage());
        assertEquals(List.of("later"), trail);
    }

    // On a thread of its own: the test's has the test runner's handler.
    private void runReporting(Loop loop, CompletableFuture<Throwable> reported) {
        var runner =
                fixture.outside(
                        () -> {
                            Thread.currentThread()
                                    .setUncaughtExceptionHandler(
                                            (_, error) -> reported.complete(error));
                            // And ends at once: the error must not need the thread any more.
                            loop.run();
                        });
        runner.awaitEnd();
    }

    private Loop open() throws IOException {
        return fixture.open(
                options ->
                        options.onError(
                                (error, source) -> {
                                    errors.add(error);
                                    sources.add(source);
                                }));
    }

    private List<String> messages() {
        return errors.stream().map(Throwable::getMessage).toList();
    }

    private static Runnable failing(String message) {
        return () -> {
            throw new IllegalStateException(message);
        };
    }

    /// Throws whatever it is told.
    ///
    /// **Thread:** loop.
    private static final class FailingCompletion implements Work.Completion<Integer> {
        @Override
        public void done(Integer result, Throwable error) {
            throw new IllegalStateException("done");
        }

        @Override
        public void cancelled() {
            throw new IllegalStateException("cancelled");
        }
    }
}
