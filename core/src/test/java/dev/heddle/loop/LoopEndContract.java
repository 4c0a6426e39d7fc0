package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// How a loop ends, by close and by shutdown, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopEndContract {
    private static final Duration TICK = Duration.ofMillis(10);
    private static final Duration FAR = Duration.ofDays(1);

    @RegisterExtension final LoopFixture fixture;

    LoopEndContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    // L2
    @Test
    void closeWhileATimerIsStartedIsRefusedAndChangesNothing() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.every(TICK, calls::incrementAndGet);

        var refused = assertThrows(IllegalStateException.class, loop::close);

        assertTrue(refused.getMessage().contains("still alive"), refused::getMessage);
        assertTrue(refused.getMessage().contains("1 started source"), refused::getMessage);
        assertTrue(timer.isActive());
        loop.runOnce();
        assertEquals(1, calls.get());

        timer.close();
        assertFalse(loop.run());
        loop.close();
    }

    @Test
    void closeWhileATaskIsQueuedIsRefusedAndTheTaskRuns() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(() -> trail.add("own"));
        fixture.outside(() -> loop.post(() -> trail.add("outsider's"))).awaitEnd();

        assertThrows(IllegalStateException.class, loop::close);

        loop.run();
        assertEquals(2, trail.size());
        loop.close();
    }

    @Test
    void closeInACallbackIsRefused() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(
                () -> {
                    assertThrows(IllegalStateException.class, loop::close);
                    assertThrows(IllegalStateException.class, () -> loop.shutdown(TICK));
                    trail.add("refused");
                    loop.post(() -> trail.add("goes on"));
                });

        loop.run();

        assertEquals(List.of("refused", "goes on"), trail);
    }

    @Test
    void closingTwiceIsClosingOnce() throws IOException {
        var loop = fixture.open();
        loop.close();
        loop.close();
        loop.shutdown(TICK);
        assertTrue(loop.toString().contains("closed"), loop::toString);
    }

    @Test
    void anotherThreadMayCloseALoopThatDoesNotRun() throws IOException {
        var loop = fixture.open();
        loop.runNowait();
        fixture.outside(loop::close).awaitEnd();
        assertThrows(IllegalStateException.class, loop::run);
    }

    @Test
    void shutdownStopsEverySourceAndTells() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.every(TICK, calls::incrementAndGet);
        var hook = loop.onIdle(calls::incrementAndGet);
        var async = loop.async(calls::incrementAndGet);

        loop.shutdown(FAR);

        for (var source : List.of(timer, hook, async)) {
            assertFalse(source.isActive(), source::toString);
            assertTrue(source.isClosed(), source::toString);
        }
        assertEquals(0, calls.get());
        assertFalse(loop.alive());
    }

    @Test
    void shutdownWaitsForWorkUnderWay() throws IOException {
        var loop = fixture.open(options -> options.workers(fixture.workers(1, 1)));
        fixture.sim().holdTimeWhile(() -> loop.stats().work() > 0);
        var begun = new CountDownLatch(1);
        var trail = new ArrayList<String>();
        loop.submit(
                () -> {
                    begun.countDown();
                    workAWhile();
                    return "result";
                },
                (result, _) -> trail.add(result));
        awaitZero(begun);

        loop.shutdown(FAR);

        assertEquals(List.of("result"), trail);
        assertEquals(0, loop.stats().work());
    }

    @Test
    void shutdownCancelsWorkThatNobodyHasBegun() throws IOException {
        var loop = fixture.open();
        var pool = fixture.workers(1, 1000);
        var begun = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        // Somebody else's work, so that ours cannot begin and is nothing to wait for either.
        pool.execute(
                () -> {
                    begun.countDown();
                    awaitQuietly(gate);
                });
        awaitQuietly(begun);
        var trail = new ArrayList<String>();
        for (var lane : Lane.values()) {
            loop.submit(pool, lane, () -> "never", telling(trail));
        }

        loop.shutdown(FAR);

        assertEquals(List.of("cancelled", "cancelled"), trail);
        assertEquals(0, pool.queued());
        gate.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException cause) {
            throw new AssertionError(cause);
        }
    }

    private static Work.Completion<String> telling(List<String> trail) {
        return new Work.Completion<>() {
            @Override
            public void done(String result, Throwable error) {
                trail.add("done");
            }

            @Override
            public void cancelled() {
                trail.add("cancelled");
            }
        };
    }

    @Test
    void shutdownDropsWhatIsLeftWhenItsTimeIsOver() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(new Note(trail));
        loop.timer(() -> {}).start(FAR).close(() -> trail.add("closed"));

        loop.shutdown(Duration.ZERO);

        assertEquals(List.of("dropped", "closed"), trail);
    }

    @Test
    void shutdownDoesNotWaitForATimerThatACallbackStartsMeanwhile() throws IOException {
        var loop = fixture.open();
        var late = new ArrayList<Timer>();
        long before = fixture.nanos();
        loop.timer(() -> {}).close(() -> late.add(loop.every(FAR, () -> {})));

        loop.shutdown(Duration.ofMinutes(1));

        assertTrue(fixture.nanos() - before < Duration.ofSeconds(30).toNanos());
        assertFalse(late.getFirst().isActive());
    }

    @Test
    void aStopDoesNotMakeShutdownSpin() throws IOException {
        var loop = fixture.open(options -> options.workers(fixture.workers(1, 1)));
        fixture.sim().holdTimeWhile(() -> loop.stats().work() > 0);
        var begun = new CountDownLatch(1);
        var done = new AtomicInteger();
        loop.submit(
                () -> {
                    begun.countDown();
                    workAWhile();
                    return 1;
                },
                (result, _) -> done.addAndGet(result));
        awaitZero(begun);
        loop.stop();

        loop.shutdown(FAR);

        assertEquals(1, done.get());
        assertTrue(loop.stats().turns() < 10, () -> loop.stats().toString());
    }

    @Test
    void aTimerThatAnotherThreadStartedIsStoppedByShutdown() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var timer = loop.timer(calls::incrementAndGet);
        fixture.outside(() -> timer.start(Duration.ZERO)).awaitEnd();

        loop.shutdown(Duration.ZERO);

        assertFalse(timer.isActive());
        assertEquals(0, calls.get());
    }

    @Test
    void nothingCanBeStartedOnALoopThatIsClosed() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        var hook = loop.onIdle(() -> {});
        hook.stop();
        loop.close();

        assertThrows(IllegalStateException.class, () -> timer.start(TICK));
        assertThrows(IllegalStateException.class, () -> timer.startAt(0));
        assertThrows(IllegalStateException.class, hook::start);
        fixture.outside(() -> assertThrows(IllegalStateException.class, () -> timer.start(TICK)))
                .awaitEnd();
        assertFalse(timer.isActive());
        assertFalse(hook.isActive());
        assertFalse(loop.alive());
    }

    @Test
    void stoppingAndClosingASourceOfAClosedLoopDoesNothing() throws IOException {
        var loop = fixture.open();
        var timer = loop.after(FAR, () -> {});
        timer.unref();
        loop.close();

        assertFalse(timer.stop());
        timer.close();
        assertThrows(IllegalStateException.class, () -> timer.close(() -> {}));
    }

    // Long enough for the loop to go to sleep, or to spin many times.
    private static void workAWhile() {
        long end = Clock.system().nanos() + TICK.toNanos();
        while (Clock.system().nanos() < end) {
            Thread.onSpinWait();
        }
    }

    private static void awaitZero(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException late) {
            throw new AssertionError(late);
        }
    }

    /// A task that says what became of it.
    ///
    /// **Thread:** loop.
    private static final class Note extends Task {
        private final List<String> trail;

        Note(List<String> trail) {
            this.trail = trail;
        }

        @Override
        protected void run() {
            trail.add("run");
        }

        @Override
        protected void drop() {
            trail.add("dropped");
        }
    }
}
