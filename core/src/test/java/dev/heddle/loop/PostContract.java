package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// What [Loop#post] promises to every thread, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class PostContract extends LoopTestCase {
    private static final int PRODUCERS = 4;
    private static final Duration HOUR = Duration.ofHours(1);

    PostContract(Backend backend) {
        super(backend);
    }

    // L50
    @ParameterizedTest
    @ValueSource(ints = {50, 20_000})
    void postsOfEachThreadRunOnTheLoopInTheirOrder(int count) throws IOException {
        var loop = fixture.open();
        var self = Thread.currentThread();
        var left = new AtomicInteger(PRODUCERS * count);
        var seen = new HashMap<Integer, List<Integer>>();
        var keepAlive = loop.async();
        for (int producer = 0; producer < PRODUCERS; producer++) {
            int name = producer;
            seen.put(name, new ArrayList<>());
            fixture.outside(
                    () -> {
                        for (int i = 0; i < count; i++) {
                            int number = i;
                            loop.post(
                                    () -> {
                                        assertEquals(self, Thread.currentThread());
                                        seen.get(name).add(number);
                                        if (left.decrementAndGet() == 0) {
                                            keepAlive.close();
                                        }
                                    });
                        }
                    });
        }

        assertFalse(loop.run());

        var inOrder = IntStream.range(0, count).boxed().toList();
        seen.forEach((name, numbers) -> assertEquals(inOrder, numbers, "of producer " + name));
        assertEquals(0, loop.stats().errors());
    }

    // L52
    @Test
    void aPostedStopEndsABlockedRun() throws IOException {
        var loop = fixture.open();
        var far = loop.after(HOUR, () -> {});

        whileAsleep(() -> loop.post(loop::stop), () -> assertTrue(loop.run(), "more work"));

        assertTrue(far.isActive());
        end(loop, far);
    }

    @Test
    void whatATaskPostsWaitsForTheNextTurn() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(
                () -> {
                    trail.add("first");
                    loop.post(() -> trail.add("caused by the first"));
                });
        loop.post(() -> trail.add("second"));

        assertEquals(2, loop.runNowait());
        assertEquals(List.of("first", "second"), trail);

        assertEquals(1, loop.runNowait());
        assertEquals(List.of("first", "second", "caused by the first"), trail);
        assertFalse(loop.alive());
    }

    @Test
    void aQueuedTaskKeepsTheLoopAlive() throws IOException {
        var loop = fixture.open();
        loop.post(() -> {});
        assertTrue(loop.alive(), "posted by the loop's own thread");
        assertFalse(loop.run());

        fixture.outside(() -> loop.post(() -> {})).awaitEnd();
        assertTrue(loop.alive(), "posted by another thread");
        assertThrows(IllegalStateException.class, loop::close);
        assertFalse(loop.run());
    }

    @Test
    void aTaskMayBePostedAgainFromItsOwnRun() throws IOException {
        var loop = fixture.open();
        var runs = new AtomicInteger();
        loop.post(
                new Task() {
                    @Override
                    protected void run() {
                        if (runs.incrementAndGet() < 5) {
                            loop.post(this);
                        }
                    }
                });

        loop.run();

        assertEquals(5, runs.get());
    }

    @Test
    void aTaskThatThrowsIsReportedAndTheOthersRun() throws IOException {
        var trail = new ArrayList<String>();
        var loop =
                fixture.open(
                        options -> options.onError((error, _) -> trail.add(error.getMessage())));
        fixture.outside(
                        () -> {
                            loop.post(() -> trail.add("one"));
                            loop.post(
                                    () -> {
                                        throw new IllegalStateException("broken");
                                    });
                            loop.post(() -> trail.add("two"));
                        })
                .awaitEnd();

        loop.run();

        assertEquals(List.of("one", "broken", "two"), trail);
    }

    @Test
    void theExecutorPosts() throws IOException {
        var loop = fixture.open();
        var threads = new ArrayList<Thread>();
        var stage = new CompletableFuture<String>();
        var answered =
                stage.thenApplyAsync(
                        text -> {
                            threads.add(Thread.currentThread());
                            return text + ", on the loop";
                        },
                        loop.executor());
        fixture.outside(() -> stage.complete("done"));

        assertEquals("done, on the loop", loop.runUntilComplete(answered));
        assertEquals(List.of(Thread.currentThread()), threads);
    }

    @Test
    void aPostAfterCloseIsRefusedWhateverTheThread() throws IOException {
        var loop = fixture.open();
        loop.run();
        loop.close();

        assertRefused(loop);
        fixture.outside(() -> assertRefused(loop)).awaitEnd();
    }

    @Test
    void aPostAfterShutdownIsRefusedWhateverTheThread() throws IOException {
        var loop = fixture.open();
        loop.shutdown(Duration.ZERO);

        assertRefused(loop);
        fixture.outside(() -> assertRefused(loop)).awaitEnd();
    }

    @Test
    void noTaskIsNoTask() throws IOException {
        var loop = fixture.open();

        assertThrows(NullPointerException.class, () -> loop.post((Runnable) null));
        assertThrows(NullPointerException.class, () -> loop.post((Task) null));
        assertThrows(NullPointerException.class, () -> loop.executor().execute(null));

        assertFalse(loop.alive());
    }

    @Test
    void shutdownDropsWhatItDoesNotRunAndTellsIt() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        fixture.outside(() -> loop.post(new Told(trail, "from outside"))).awaitEnd();
        loop.post(new Told(trail, "from the loop"));

        loop.shutdown(Duration.ZERO);

        assertEquals(List.of("from the loop dropped", "from outside dropped"), trail);
    }

    private static void assertRefused(Loop loop) {
        var refused = assertThrows(RejectedExecutionException.class, () -> loop.post(() -> {}));
        assertTrue(refused.getMessage().startsWith("closed: Loop("), refused.getMessage());
        assertThrows(RejectedExecutionException.class, () -> loop.executor().execute(() -> {}));
        assertFalse(loop.alive());
    }

    private static final class Told extends Task {
        private final List<String> trail;
        private final String name;

        Told(List<String> trail, String name) {
            this.trail = trail;
            this.name = name;
        }

        @Override
        protected void run() {
            trail.add(name + " run");
        }

        @Override
        protected void drop() {
            trail.add(name + " dropped");
        }
    }
}
