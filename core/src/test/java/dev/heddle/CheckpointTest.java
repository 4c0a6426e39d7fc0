package dev.heddle;

import static dev.heddle.Heddle.checkpoint;
import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What loops that compute ask, and what one may ask anywhere.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CheckpointTest {
    private final List<String> trail = new ArrayList<>();

    @HeddleTest
    void checkpointThrowsACancellationThatIsDue() {
        var computing =
                spawn(
                        () -> {
                            checkpoint();
                            current().cancel("enough");
                            protect(() -> trail.add("never: protect throws on entering"));
                        });

        assertInstanceOf(Outcome.Cancelled.class, computing.awaitOutcome());
        assertEquals(List.of(), trail);
    }

    @HeddleTest
    void checkpointInAShieldThrowsNothing() {
        var computing =
                spawn(
                        () ->
                                protect(
                                        () -> {
                                            current().cancel("enough");
                                            checkpoint();
                                            trail.add("whole");
                                        }));

        assertInstanceOf(Outcome.Cancelled.class, computing.awaitOutcome());
        assertEquals(List.of("whole"), trail);
    }

    @HeddleTest
    void checkpointLetsTheOthersRunWhenTheBudgetIsSpent() {
        spawn(() -> trail.add("other"));
        int steps = 0;
        while (trail.isEmpty() && steps < 1_000) {
            checkpoint();
            steps++;
        }

        assertEquals(128, steps);
    }

    @Test
    void checkpointLetsTheOthersRunAfterAMillisecondOfComputing() {
        var world = World.virtual();
        world.run(
                () -> {
                    spawn(() -> trail.add("other"));
                    checkpoint();
                    world.compute(Duration.ofNanos(999_999));
                    checkpoint();
                    assertEquals(List.of(), trail);
                    world.compute(Duration.ofNanos(1));
                    checkpoint();
                    assertEquals(List.of("other"), trail);
                });
    }

    @HeddleTest
    void checkpointOutsideACoroutineIsRefused() {
        spawn(() -> "done")
                .onCompletion(
                        _ -> {
                            var thrown =
                                    assertThrows(IllegalStateException.class, Heddle::checkpoint);
                            trail.add(String.valueOf(thrown.getMessage()).substring(0, 10));
                        });
        suspend();
        suspend();
        assertEquals(List.of("checkpoint"), trail);
    }

    // ---- where am I ----

    @Test
    void onTheLoopAreCoroutinesAndCallbacksAndNobodyElse() throws InterruptedException {
        assertFalse(Heddle.isOnLoop());
        var world = World.real();
        var elsewhere = new ArrayList<Boolean>();
        world.run(
                () -> {
                    assertTrue(Heddle.isOnLoop());
                    spawn(() -> "x").onCompletion(_ -> trail.add("" + Heddle.isOnLoop()));
                    elsewhere.add(Heddle.offload(() -> Heddle.isOnLoop()));
                    var thread =
                            Thread.ofVirtual().unstarted(() -> elsewhere.add(Heddle.isOnLoop()));
                    thread.start();
                    thread.join();
                });
        assertEquals(List.of(false, false), elsewhere);
        assertEquals(List.of("true"), trail);
        assertFalse(Heddle.isOnLoop());
    }

    // ---- a shield with a hook ----

    @HeddleTest(seeds = 20)
    void valueOfAShieldWhoseCancellationIsThrownGoesToTheHook() {
        var child =
                spawn(() -> protect(() -> makeAndCancel(), value -> trail.add("closed " + value)));

        assertInstanceOf(Outcome.Cancelled.class, child.awaitOutcome());
        assertEquals(List.of("closed value"), trail);
        assertEquals("kept", protect(() -> "kept", value -> trail.add("never")));
    }

    private static String makeAndCancel() {
        current().cancel("meanwhile");
        suspend();
        return "value";
    }

    @HeddleTest
    void whatTheHookThrowsIsSuppressedOntoTheCancellation() {
        var bad = new IllegalStateException("cannot close");
        var child =
                spawn(
                        () ->
                                protect(
                                        () -> makeAndCancel(),
                                        _ -> {
                                            throw bad;
                                        }));

        var end = assertInstanceOf(Outcome.Cancelled.class, child.awaitOutcome());
        assertEquals(List.of(bad), List.of(end.cancellation().getSuppressed()));
    }

    @HeddleTest
    void safeFlagCanBeSetAgain() {
        try (var scope = new Scope().asNotSafely()) {
            assertFalse(scope.isSafe());
            assertTrue(scope.asSafely().isSafe());
        }
    }
}
