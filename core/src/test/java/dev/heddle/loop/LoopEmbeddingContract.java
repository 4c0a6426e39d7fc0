package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Sys;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/// A loop inside another program's loop, and what it tells a layer above it; on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopEmbeddingContract {
    private static final Duration TICK = Duration.ofMillis(10);
    private static final Duration FAR = Duration.ofHours(1);

    @RegisterExtension final LoopFixture fixture;

    LoopEmbeddingContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    // L10
    @Test
    void backendTimeoutIsTheTimeToTheNextTimer() throws IOException {
        var loop = fixture.open();
        assertEquals(0, loop.backendTimeout(), "nothing is alive");

        long before = fixture.nanos();
        loop.after(TICK, () -> {});
        long timeout = loop.backendTimeout();
        long spent = fixture.nanos() - before;
        assertTrue(timeout <= TICK.toNanos(), () -> timeout + " ns");
        assertTrue(timeout >= TICK.toNanos() - spent, () -> timeout + " ns after " + spent);

        loop.run();
        assertEquals(0, loop.backendTimeout());
    }

    @Test
    void backendTimeoutIsForEverWithoutATimerAndNothingWithATask() throws IOException {
        var loop = fixture.open();
        var async = loop.async(() -> {});
        assertEquals(-1, loop.backendTimeout());

        loop.post(() -> {});
        assertEquals(0, loop.backendTimeout());

        loop.runNowait();
        var idle = loop.onIdle(() -> {});
        assertEquals(0, loop.backendTimeout());
        idle.close();
        async.close();
        loop.run();
    }

    // L11
    @Test
    void anEmbeddingLoopSeesWhatAnotherThreadSends() throws IOException {
        var loop = fixture.open();
        int fd = loop.backendFd();
        Assumptions.assumeTrue(fd >= 0, "this backend has no descriptor");
        var received = new AtomicInteger();
        var async = new Async[1];
        async[0] =
                loop.async(
                        () -> {
                            received.incrementAndGet();
                            async[0].close();
                        });
        try (var foreign = new ForeignLoop()) {
            // So that there is a pause in which it waits.
            loop.after(TICK, () -> fixture.outside(async[0]::send));
            while (loop.alive()) {
                foreign.await(fd, loop.backendTimeout());
                loop.runNowait();
            }
        }

        assertEquals(1, received.get());
    }

    @Test
    void anEmbeddingLoopSeesATimerThatAnotherThreadStarts() throws IOException {
        var loop = fixture.open();
        int fd = loop.backendFd();
        Assumptions.assumeTrue(fd >= 0, "this backend has no descriptor");
        var trail = new ArrayList<String>();
        var far = loop.after(Duration.ofDays(1), () -> {});
        var timer =
                loop.timer(
                        () -> {
                            trail.add("fired");
                            far.stop();
                        });
        loop.runNowait();
        try (var foreign = new ForeignLoop()) {
            fixture.outside(() -> timer.start(Duration.ofMillis(1)));
            while (loop.alive()) {
                foreign.await(fd, loop.backendTimeout());
                loop.runNowait();
            }
        }

        assertEquals(List.of("fired"), trail);
    }

    @Test
    void aBackendWithoutADescriptorSaysSo() throws IOException {
        var loop = fixture.open();
        boolean has = loop.backend() == Backend.EPOLL || loop.backend() == Backend.URING;
        assertEquals(has, loop.backendFd() >= 0);
    }

    @Test
    void theLayerAboveIsToldBeforeAndAfterEveryPoll() throws IOException {
        var trail = new ArrayList<String>();
        var embedder =
                new Embedder() {
                    @Override
                    public void beforePoll(long timeoutNanos) {
                        trail.add(
                                timeoutNanos < 0
                                        ? "for ever"
                                        : timeoutNanos > 0 ? "a while" : "look");
                    }

                    @Override
                    public void afterPoll() {
                        trail.add("after");
                    }
                };
        var loop = fixture.open(options -> options.embedder(embedder));
        var check = loop.onCheck(() -> trail.add("check"));
        check.unref();
        loop.after(Duration.ofMillis(1), () -> trail.add("timer"));
        loop.runNowait();
        while (loop.alive()) {
            loop.runOnce();
        }

        assertEquals(List.of("look", "after", "check"), trail.subList(0, 3));
        assertEquals(
                List.of("a while", "after", "check", "timer"),
                trail.subList(trail.size() - 4, trail.size()));
    }

    @Test
    void whatTheLayerAboveCausesBeforeAWaitIsNotSleptOver() throws IOException {
        List<Function<Runnable, Consumer<Loop>>> causes =
                List.of(
                        end -> loop -> loop.post(end),
                        end -> loop -> loop.after(Duration.ofNanos(1), end),
                        _ -> Loop::stop);
        for (var cause : causes) {
            var trail = new ArrayList<String>();
            var embedder = new Causing();
            var loop = fixture.open(options -> options.embedder(embedder));
            embedder.first = () -> cause.apply(loop::stop).accept(loop);
            var late = loop.after(FAR, () -> trail.add("slept"));

            assertTrue(loop.run(), "the late timer is still there");

            assertEquals(List.of(), trail);
            late.stop();
        }
    }

    @Test
    void whileTasksAreReadyTheKernelIsAskedNowAndThen() throws IOException {
        var polls = new AtomicInteger();
        var loop = fixture.open(options -> options.embedder(counting(polls)));
        var turns = new Repost(loop, 1000);
        loop.post(turns);

        loop.run();

        // In the first turn, then at the latest every 62nd; earlier if that took more than 100 µs.
        assertTrue(polls.get() >= 1000 / 62, () -> polls + " polls");
        assertEquals(polls.get(), loop.stats().polls());
        if (fixture.isSimulated()) {
            assertEquals(1 + 999 / 62, polls.get(), "time stands still");
        }
    }

    @Test
    void pollEveryTurnAsksTheKernelInEveryTurn() throws IOException {
        var polls = new AtomicInteger();
        var loop = fixture.open(options -> options.embedder(counting(polls)).pollEveryTurn());
        loop.post(new Repost(loop, 100));

        loop.run();

        assertEquals(100, polls.get());
        assertEquals(100, loop.stats().turns());
        assertFalse(loop.alive());
    }

    private static Embedder counting(AtomicInteger polls) {
        return new Embedder() {
            @Override
            public void beforePoll(long timeoutNanos) {
                polls.incrementAndGet();
            }
        };
    }

    /// Does something right before the first wait.
    ///
    /// **Thread:** loop.
    private static final class Causing implements Embedder {
        private Runnable first = () -> {};

        @Override
        public void beforePoll(long timeoutNanos) {
            if (timeoutNanos != 0) {
                first.run();
                first = () -> {};
            }
        }
    }

    /// A task that posts itself again, until it has run often enough.
    ///
    /// **Thread:** loop.
    private static final class Repost extends Task {
        private final Loop loop;
        private int left;

        Repost(Loop loop, int times) {
            this.loop = loop;
            left = times;
        }

        @Override
        protected void run() {
            left--;
            if (left > 0) {
                loop.post(this);
            }
        }
    }

    /// Another loop, which waits with `poll(2)`.
    ///
    /// **Thread:** owner (the test).
    private static final class ForeignLoop implements AutoCloseable {
        private static final long NANOS_PER_MILLI = 1_000_000;

        private final CallState state = new CallState();
        private final MemorySegment set = Memory.allocate(Poll.POLLFD_SIZE);

        void await(int fd, long timeoutNanos) {
            long millis = (timeoutNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
            Poll.set(set, 0, fd, Poll.POLLIN);
            int found = Sys.NATIVE.poll(state, set, 1, timeoutNanos < 0 ? -1 : (int) millis);
            assertTrue(found >= 0, () -> "poll gave " + found);
        }

        @Override
        public void close() {
            Memory.free(set);
            state.close();
        }
    }
}
