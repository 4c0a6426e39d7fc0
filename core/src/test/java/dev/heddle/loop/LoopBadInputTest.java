package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/// Whatever is handed to a loop and makes no sense is refused by name and value, and nothing has
/// happened.
///
/// **Thread:** owner (the test runner).
final class LoopBadInputTest {
    private static final Duration NEGATIVE = Duration.ofNanos(-1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension final LoopFixture fixture = new LoopFixture(Backend.SIM);

    @Test
    void aTaskThatWaitsAlreadyIsRefusedAndTheOthersRun() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var task =
                new Task() {
                    @Override
                    protected void run() {
                        trail.add("task");
                    }
                };
        loop.post(task);
        loop.post(() -> trail.add("other"));
        assertThrows(IllegalStateException.class, () -> loop.post(task));
        fixture.outside(() -> assertThrows(IllegalStateException.class, () -> loop.post(task)))
                .awaitEnd();
        loop.post(() -> trail.add("last"));

        loop.run();
        assertEquals(List.of("task", "other", "last"), trail);

        loop.post(task);
        loop.run();
        assertEquals(List.of("task", "other", "last", "task"), trail);
    }

    @Test
    void aSourceCannotBePostedSinceItQueuesItself() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});

        var refused = assertThrows(IllegalArgumentException.class, () -> loop.post(timer));

        assertEquals("queues itself and cannot be posted: Timer(stopped)", refused.getMessage());
        assertFalse(loop.alive());
    }

    @Test
    void nullIsRefusedByName() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        Map<Executable, String> calls = new LinkedHashMap<>();
        calls.put(() -> Loop.open(null), "options");
        calls.put(() -> loop.post((Runnable) null), "task");
        calls.put(() -> loop.post((Task) null), "task");
        calls.put(() -> loop.timer(null), "callback");
        calls.put(() -> loop.after(SECOND, null), "callback");
        calls.put(() -> loop.after(null, () -> {}), "duration");
        calls.put(() -> loop.at(1, null), "callback");
        calls.put(() -> loop.every(SECOND, null), "callback");
        calls.put(() -> loop.every(null, () -> {}), "period");
        calls.put(() -> loop.onIdle(null), "callback");
        calls.put(() -> loop.onPrepare(null), "callback");
        calls.put(() -> loop.onCheck(null), "callback");
        calls.put(() -> loop.async(null), "callback");
        calls.put(() -> loop.onSignal("WINCH", null), "callback");
        calls.put(() -> loop.onSignal(null, () -> {}), "name");
        calls.put(() -> loop.watch(0, null), "listener");
        calls.put(() -> loop.walk(null), "visitor");
        calls.put(() -> loop.runOnce(null), "duration");
        calls.put(() -> loop.runFor(null), "duration");
        calls.put(() -> loop.runUntilComplete(null), "stage");
        calls.put(() -> loop.shutdown(null), "duration");
        calls.put(() -> timer.start(null), "duration");
        calls.put(() -> timer.start(SECOND, null), "duration");
        calls.put(() -> timer.repeat(null), "duration");
        calls.put(() -> timer.close(null), "onClosed");

        calls.forEach(LoopBadInputTest::refusesNull);

        assertNothingHappened(loop);
        assertFalse(timer.isActive());
        assertFalse(timer.isClosing());
    }

    @Test
    void nullOptionsAreRefusedByName() {
        var options = LoopOptions.defaults();
        Map<Executable, String> calls = new LinkedHashMap<>();
        calls.put(() -> options.name(null), "name");
        calls.put(() -> options.backend(null), "backend");
        calls.put(() -> options.reactor(null, () -> 0), "reactor");
        calls.put(() -> options.reactor(new SimReactor(), null), "clock");
        calls.put(() -> options.workers(null), "workers");
        calls.put(() -> options.onError(null), "errorHandler");
        calls.put(() -> options.embedder(null), "embedder");

        calls.forEach(LoopBadInputTest::refusesNull);
    }

    @Test
    void aNegativeTimeIsRefusedWithItsValue() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        var calls =
                List.<Executable>of(
                        () -> loop.after(NEGATIVE, () -> {}),
                        () -> loop.every(NEGATIVE, () -> {}),
                        () -> loop.runOnce(NEGATIVE),
                        () -> loop.runFor(NEGATIVE),
                        () -> loop.shutdown(NEGATIVE),
                        () -> timer.start(NEGATIVE),
                        () -> timer.start(SECOND, NEGATIVE),
                        () -> timer.repeat(NEGATIVE),
                        () -> loop.after(Duration.ofSeconds(Long.MIN_VALUE), () -> {}));
        for (var call : calls) {
            var refused = assertThrows(IllegalArgumentException.class, call);
            assertTrue(refused.getMessage().contains("must not be negative"), refused::getMessage);
            assertTrue(refused.getMessage().contains("PT-"), refused::getMessage);
        }
        var numbers =
                List.<Executable>of(
                        () -> loop.at(-7, () -> {}),
                        () -> timer.startAt(-7),
                        () -> timer.startNanos(-7, 0),
                        () -> timer.startNanos(0, -7));
        for (var call : numbers) {
            var refused = assertThrows(IllegalArgumentException.class, call);
            assertTrue(refused.getMessage().contains("-7 ns"), refused::getMessage);
        }

        assertNothingHappened(loop);
        assertFalse(timer.isActive());
        assertEquals(Duration.ZERO, timer.repeat());
    }

    @Test
    void aRefusedRestartLeavesTheEarlierStart() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<Long>();
        var timer = loop.after(SECOND, () -> trail.add(fixture.nanos()));

        assertThrows(IllegalArgumentException.class, () -> timer.start(NEGATIVE));
        assertThrows(IllegalArgumentException.class, () -> timer.start(Duration.ZERO, NEGATIVE));

        loop.run();
        assertEquals(List.of(SECOND.toNanos()), trail);
    }

    @Test
    void aPeriodOfZeroIsRefused() throws IOException {
        var loop = fixture.open();
        var refused =
                assertThrows(
                        IllegalArgumentException.class, () -> loop.every(Duration.ZERO, () -> {}));
        assertTrue(refused.getMessage().contains("period must be positive"), refused::getMessage);
        assertNothingHappened(loop);
    }

    @Test
    void aClosedLoopRefusesEverythingButQuestions() throws IOException {
        var loop = fixture.open();
        loop.close();
        var calls =
                List.<Executable>of(
                        loop::run,
                        loop::runOnce,
                        loop::runNowait,
                        () -> loop.runFor(SECOND),
                        () -> loop.runUntilComplete(new CompletableFuture<>()),
                        () -> loop.timer(() -> {}),
                        () -> loop.after(SECOND, () -> {}),
                        () -> loop.at(1, () -> {}),
                        () -> loop.every(SECOND, () -> {}),
                        () -> loop.onIdle(() -> {}),
                        () -> loop.onPrepare(() -> {}),
                        () -> loop.onCheck(() -> {}),
                        () -> loop.async(),
                        () -> loop.onSignal("WINCH", () -> {}),
                        () -> loop.watch(0, (_, _) -> {}),
                        loop::backendFd);
        for (var call : calls) {
            var refused = assertThrows(IllegalStateException.class, call);
            assertTrue(refused.getMessage().contains("closed"), refused::getMessage);
        }
        assertThrows(RejectedExecutionException.class, () -> loop.post(() -> {}));
        assertThrows(RejectedExecutionException.class, () -> loop.submit(() -> 1, (_, _) -> {}));

        loop.stop();
        loop.wake();
        loop.close();
        loop.shutdown(SECOND);
        assertFalse(loop.alive());
        assertEquals(0, loop.backendTimeout());
        assertEquals(0, loop.now());
        assertEquals("Loop(loop, sim, closed)", loop.toString());
        assertNothingHappened(loop);
    }

    @Test
    void aSimulatedWaitThatNothingCanEndIsADeadlockAndNotAHang() throws IOException {
        var loop = fixture.open();
        var async = loop.async(() -> {});

        var refused = assertThrows(IllegalStateException.class, loop::run);

        assertTrue(refused.getMessage().contains("deadlock"), refused::getMessage);
        async.send();
        assertEquals(1, loop.runOnce(), "the loop can still be used");
        async.close();
        loop.run();
    }

    @Test
    void aBackendReplacesAReactorAndItsClock() throws IOException {
        var stopped = new SimReactor();
        var options = fixture.options().reactor(stopped, () -> 42).backend(Backend.POLL);
        try (var loop = Loop.open(options)) {
            assertEquals(Backend.POLL, loop.backend());
            assertEquals("poll (asked for)", loop.why());
            loop.after(Duration.ofNanos(1), () -> {});
            assertFalse(loop.run(), "its clock goes");
        }
    }

    @Test
    void aLoopSaysWhatItIs() throws IOException {
        var loop = fixture.open(options -> options.name("mine"));
        var states = new ArrayList<String>();
        states.add(loop.toString());
        loop.post(() -> states.add(loop.toString()));
        loop.run();

        String here = Thread.currentThread().getName();
        assertEquals(
                List.of("Loop(mine, sim, idle)", "Loop(mine, sim, running on " + here + ")"),
                states);
        assertEquals("given", loop.why());
    }

    private static void refusesNull(Executable call, String name) {
        var refused = assertThrows(NullPointerException.class, call);
        assertEquals(name, refused.getMessage());
    }

    private static void assertNothingHappened(Loop loop) {
        assertFalse(loop.alive());
        assertEquals(0, loop.stats().turns());
        var seen = new ArrayList<Source>();
        loop.walk(seen::add);
        assertEquals(List.of(), seen);
    }
}
