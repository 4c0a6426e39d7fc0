package dev.heddle;

import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A scope that is being cancelled takes what its own members spawn while they clean up.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CleanUpSpawnTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(10);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void aMemberSpawnsItsGoodbyes(TestWorld world) {
        var scope = new Scope();
        scope.spawn(() -> cutThen(() -> spawn(this::sayBye)));
        scope.spawn(() -> cutThen(() -> scope.spawn(this::sayBye)));
        delay(SECOND);
        scope.dispose();
        scope.awaitCompletion();
        assertEquals(List.of("bye", "bye"), trail);
        assertEquals(SECOND.plus(MOMENT), world.elapsed());
        assertTrue(scope.isFinished());
    }

    @HeddleTest(seeds = 20)
    void aBlockWaitsForWhatItsCleanUpSpawned() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        Scope.run(
                                block -> {
                                    block.spawn(() -> cutThen(() -> spawn(this::sayBye)));
                                    block.spawn(
                                            () -> {
                                                delay(SECOND);
                                                throw new IllegalStateException("on purpose");
                                            });
                                    cutThen(() -> block.spawn(this::sayBye));
                                }));
        assertEquals(List.of("bye", "bye"), trail);
    }

    @HeddleTest(seeds = 20)
    void itIsCancelledAlreadyAndHasAWindow(TestWorld world) {
        var scope = new Scope();
        var late = new ArrayList<Coroutine<Void>>();
        scope.spawn(() -> cutThen(() -> late.add(spawn(() -> delay(HOUR)))));
        delay(SECOND);
        scope.dispose();
        suspend();
        while (late.isEmpty()) {
            suspend();
        }
        assertTrue(late.getFirst().isCancellationRequested());
        assertEquals("scope disposed of", reason(late.getFirst().awaitOutcome()));
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void strangersAreRefused() {
        var scope = new Scope();
        scope.spawn(() -> cutThen(() -> delay(MOMENT)));
        delay(SECOND);
        scope.dispose();
        assertThrows(IllegalStateException.class, () -> scope.spawn(this::sayBye));
        scope.awaitCompletion();
        assertThrows(IllegalStateException.class, () -> scope.spawn(this::sayBye));
    }

    @HeddleTest(seeds = 20)
    void aZombieIsNotCleaningUpAndIsRefused() {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () -> {
                            delay(SECOND);
                            assertThrows(IllegalStateException.class, () -> spawn(this::sayBye));
                        });
        delay(MOMENT);
        scope.disposeSafely();
        assertInstanceOf(Outcome.Success.class, zombie.awaitOutcome());
    }

    @HeddleTest
    void oneThatWasInACallOfTheJdkSpawnsBeforeItSuspends() {
        var scope = new Scope();
        var latch = new CountDownLatch(1);
        scope.spawn(
                () -> {
                    try {
                        latch.await();
                    } finally {
                        scope.spawn(this::sayBye);
                    }
                });
        suspend();
        scope.dispose();
        scope.awaitCompletion();
        assertEquals(List.of("bye"), trail);
    }

    @HeddleTest(seeds = 20)
    void aMemberThatIsRefusedIsToldWhatWorksAndItDoes() {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () -> {
                            delay(SECOND);
                            var refusal =
                                    assertThrows(
                                            IllegalStateException.class, () -> spawn(this::sayBye));
                            trail.add(refusal.getMessage());
                            Scope.run(s -> s.spawn(this::sayBye));
                        });
        delay(MOMENT);
        scope.disposeSafely();
        assertInstanceOf(Outcome.Success.class, zombie.awaitOutcome());
        assertTrue(trail.getFirst().contains("Scope.run(s -> s.spawn(…))"), trail::getFirst);
        assertEquals("bye", trail.getLast());
        var refusal = assertThrows(IllegalStateException.class, () -> scope.spawn(this::sayBye));
        assertFalse(refusal.getMessage().contains("Scope.run"), refusal::getMessage);
    }

    private void cutThen(Runnable cleanUp) {
        try {
            delay(HOUR);
        } finally {
            cleanUp.run();
        }
    }

    private void sayBye() {
        delay(MOMENT);
        trail.add("bye");
    }

    @Test
    void whatCleanUpSpawnsDoesNotHoldUpAShutdown() {
        var world = World.virtual();
        world.run(
                () -> {
                    spawn(() -> cutThen(() -> spawn(() -> delay(HOUR))));
                    Scope.run(
                            block -> {
                                block.spawn(() -> cutThen(() -> block.spawn(this::sayBye)));
                                delay(MOMENT);
                                Heddle.shutdown();
                                delay(HOUR);
                            });
                });
        assertEquals(List.of("bye"), trail);
        assertEquals(SECOND.plus(MOMENT), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aDaemonOfCleanUpIsOneMoreChild() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        Scope.run(
                                block -> {
                                    block.spawn(
                                            () -> cutThen(() -> block.spawnDaemon(this::sayBye)));
                                    delay(SECOND);
                                    throw new IllegalStateException("on purpose");
                                }));
        assertEquals(List.of("bye"), trail);
    }
}
