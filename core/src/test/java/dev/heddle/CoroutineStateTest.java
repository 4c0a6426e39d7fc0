package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// What a coroutine says of itself at every point of its life.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CoroutineStateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @Test
    void fromTheSpawnToTheEnd() {
        var world = World.virtual();
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var coroutine =
                            spawn(
                                    () -> {
                                        suspend();
                                        promise.deferred().await();
                                        say(Heddle.current());
                                        return "value";
                                    });
                    say(coroutine);
                    suspend();
                    say(coroutine);
                    suspend();
                    say(coroutine);
                    promise.complete("go on");
                    say(coroutine);
                    coroutine.await();
                    say(coroutine);
                });

        assertEquals(
                List.of(
                        "QUEUED, queued, awaits its turn",
                        "READY, queued, started, suspended, awaits its turn",
                        "WAITING, started, suspended, awaits Promise(pending)",
                        "READY, queued, started, suspended, awaits its turn",
                        "RUNNING, started, running, awaits nothing",
                        "FINISHED, started, finished, awaits nothing"),
                trail);
    }

    @HeddleTest(seeds = 20)
    void cancelledBeforeItBegan(TestWorld world) {
        var coroutine = spawn(() -> "never");
        coroutine.cancel("not needed");
        say(coroutine);
        world.settle();
        say(coroutine);

        assertEquals(
                List.of(
                        "QUEUED, cancellation requested, awaits its turn",
                        "FINISHED, finished, cancellation requested, cancelled, awaits nothing"),
                trail);
    }

    @HeddleTest(seeds = 20)
    void cancelledWhileItSuspends(TestWorld world) {
        var coroutine = spawn(() -> delay(SECOND));
        world.settle();
        assertEquals(Optional.empty(), coroutine.outcome());
        coroutine.cancel("enough");
        assertTrue(coroutine.isCancellationRequested());
        assertFalse(coroutine.isCancelled());
        world.settle();
        assertTrue(coroutine.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void howeverItEndedItNeitherRunsNorIsSuspended() {
        var good = spawn(() -> "value");
        Coroutine<String> bad =
                spawn(
                        () -> {
                            throw new IllegalStateException("on purpose");
                        });
        var cancelled = spawn(() -> delay(SECOND));
        bad.observed();
        suspend();
        cancelled.cancel("enough");
        for (var each : List.of(good, bad, cancelled)) {
            each.awaitOutcome();
            assertTrue(each.isFinished());
            assertFalse(each.isSuspended());
            assertFalse(each.isRunning());
            assertFalse(each.isQueued());
            assertEquals("", each.suspendedAt());
            assertEquals(List.of(), each.stack());
        }
    }

    @HeddleTest(seeds = 20)
    void theStackIsThereWhileItIsSuspendedAndOnlyThen(TestWorld world) {
        var coroutine = spawn(CoroutineStateTest::waitHere);
        assertEquals(List.of(), coroutine.stack());
        assertEquals("", coroutine.suspendedAt());
        world.settle();
        assertTrue(
                coroutine.stack().stream()
                        .anyMatch(frame -> frame.getMethodName().equals("waitHere")),
                () -> coroutine.stack().toString());
        String line = line(coroutine, "waitHere");
        assertEquals(line, coroutine.suspendedAt());
        coroutine.await();
        assertEquals(List.of(), coroutine.stack());
        assertEquals("", coroutine.suspendedAt());
    }

    @HeddleTest(seeds = 20)
    void aCallOfTheJdkIsToldFromAWaitOfOurs(TestWorld world) {
        var gate = new Semaphore(0);
        var coroutine = spawn(() -> gate.acquireUninterruptibly());
        world.settle();
        assertEquals(CoroutineState.IN_JDK_CALL, coroutine.state());
        assertEquals("a call of the JDK", coroutine.awaitingInfo());
        assertTrue(coroutine.isSuspended());
        assertTrue(coroutine.suspendedAt().startsWith("CoroutineStateTest.java:"));
        gate.release();
        coroutine.await();
    }

    @HeddleTest(seeds = 20)
    void itsLineSaysWhatOneWantsToKnow(TestWorld world) {
        var plain = spawn(() -> waitHere());
        var named = spawn("fetch", () -> waitHere());
        assertEquals("Coroutine #2 spawned at CoroutineStateTest, not begun", plain.info());
        assertEquals(
                "Coroutine #3 \"fetch\" spawned at CoroutineStateTest, not begun", named.info());
        world.settle();
        String line = line(named, "waitHere");
        assertEquals(
                "Coroutine #3 \"fetch\" spawned at CoroutineStateTest, suspended at " + line,
                named.info());
        assertEquals(named.info(), named.toString());
        named.await();
        assertEquals(
                "Coroutine #3 \"fetch\" spawned at CoroutineStateTest, finished", named.info());
        assertTrue(Heddle.current().info().endsWith(", running"));
    }

    @HeddleTest(seeds = 20)
    void itsLineSaysHowItEnded() {
        Coroutine<String> bad =
                spawn(
                        () -> {
                            throw new IllegalStateException("on purpose");
                        });
        bad.awaitOutcome();
        assertTrue(
                bad.info().endsWith(", failed: java.lang.IllegalStateException: on" + " purpose"),
                bad.info());
        var cancelled = spawn(() -> "never");
        cancelled.cancelAndAwait("enough");
        assertTrue(cancelled.info().endsWith(", cancelled: enough"), cancelled.info());
    }

    @Test
    void inDebugModeTheLineOfTheSpawnIsKnown() {
        var world = World.virtual();
        world.with(HeddleOptions::debug)
                .run(
                        () -> {
                            var before = new Throwable().getStackTrace()[0].getLineNumber();
                            var coroutine = spawn(() -> suspend());
                            assertEquals(
                                    "CoroutineStateTest.java:" + (before + 1),
                                    coroutine.spawnedAt());
                            assertTrue(
                                    coroutine.info().contains(" at CoroutineStateTest.java:"),
                                    coroutine.info());
                            coroutine.await();
                        });
    }

    @HeddleTest(seeds = 20)
    void aNameCanBeGivenLaterAndIsTheThreadsToo(TestWorld world) {
        var coroutine = spawn(() -> delay(SECOND)).named("early");
        world.settle();
        assertEquals("early", threadOf(coroutine).getName());
        coroutine.named("late");
        assertEquals("late", coroutine.name());
        assertEquals("late", threadOf(coroutine).getName());
        coroutine.await();
    }

    @HeddleTest(seeds = 20)
    void numbersCountUpAndAreNotUsedTwice() {
        var ids = new ArrayList<Long>();
        for (int i = 0; i < 3; i++) {
            var coroutine = spawn(() -> {});
            ids.add(coroutine.id());
            coroutine.await();
        }
        assertEquals(1, Heddle.current().id());
        assertEquals(List.of(2L, 3L, 4L), ids);
    }

    @HeddleTest(seeds = 20)
    void allThatHaveNotEndedAreListedOldestFirstZombiesIncluded(TestWorld world) {
        var scope = new Scope();
        var zombie = scope.spawn("zombie", () -> delay(SECOND));
        var ended = spawn("ended", () -> {});
        var waiting = spawn("waiting", () -> delay(SECOND));
        world.settle();
        scope.disposeSafely();
        var fresh = spawn("fresh", () -> {});

        assertEquals(List.of(Heddle.current(), zombie, waiting, fresh), Heddle.coroutines());
        assertTrue(zombie.isZombie());
        assertTrue(zombie.info().contains(", zombie"), zombie.info());
        assertTrue(ended.isFinished());
        zombie.await();
        waiting.await();
    }

    private void say(Coroutine<?> coroutine) {
        trail.add(
                coroutine.state()
                        + (coroutine.isQueued() ? ", queued" : "")
                        + (coroutine.hasStarted() ? ", started" : "")
                        + (coroutine.isSuspended() ? ", suspended" : "")
                        + (coroutine.isRunning() ? ", running" : "")
                        + (coroutine.isFinished() ? ", finished" : "")
                        + (coroutine.isCancellationRequested() ? ", cancellation requested" : "")
                        + (coroutine.isCancelled() ? ", cancelled" : "")
                        + ", awaits "
                        + coroutine.awaitingInfo());
    }

    private static void waitHere() {
        delay(SECOND);
    }

    private static Thread threadOf(Coroutine<?> coroutine) {
        return Objects.requireNonNull(coroutine.fiber().thread());
    }

    private static String line(Coroutine<?> coroutine, String method) {
        return coroutine.stack().stream()
                .filter(frame -> frame.getMethodName().equals(method))
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .findFirst()
                .orElseThrow();
    }
}
