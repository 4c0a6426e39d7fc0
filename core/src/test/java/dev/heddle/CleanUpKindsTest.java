package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;

/// Clean-up code that suspends, throws, takes long or swallows the cancellation: the resource is
/// released all the same, who swallows is seen, and the end of a scope that may leave its
/// coroutines does not wait longer than its time.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("CT-05")
final class CleanUpKindsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final World world = World.virtual();
    private int released;

    /// What a coroutine does between its cancellation and the release of its resource.
    private enum CleanUp {
        SUSPENDS {
            @Override
            void run() {
                suspend();
                delay(Duration.ofMillis(500));
            }
        },
        THROWS {
            @Override
            void run() {
                throw new IllegalStateException("while cleaning up");
            }
        },
        TAKES_TEN_SECONDS {
            @Override
            void run() {
                delay(Duration.ofSeconds(10));
            }
        },
        TAKES_TEN_SECONDS_SHIELDED {
            @Override
            void run() {
                Heddle.protect(() -> delay(Duration.ofSeconds(10)));
            }
        },
        SWALLOWS {
            @Override
            void run() {
                for (int i = 0; i < 2; i++) {
                    try {
                        delay(HOUR);
                    } catch (Cancellation again) {
                        // The point of it: it goes on as if nothing had been said.
                    }
                }
            }
        };

        abstract void run();
    }

    private void hold(CleanUp cleanUp) {
        try {
            try {
                delay(HOUR);
            } finally {
                cleanUp.run();
            }
        } finally {
            released++;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theResourceIsReleasedWhateverTheCleanUpDoes(CleanUp cleanUp) {
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    // What is thrown while cleaning up has somebody to take it.
                    scope.onException((_, _) -> {});
                    var holders =
                            List.of(
                                    scope.spawn(() -> hold(cleanUp)),
                                    scope.spawn(() -> hold(cleanUp)));
                    suspend();
                    scope.cancel("enough");
                    holders.forEach(Coroutine::awaitOutcome);
                    assertEquals(2, released);
                    scope.dispose();
                });
        assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
        assertTrue(world.elapsed().compareTo(Duration.ofSeconds(11)) < 0, "" + world.elapsed());
    }

    @ParameterizedTest
    @EnumSource
    void aScopeThatMayLeaveItsCoroutinesEndsInItsTime(CleanUp cleanUp) {
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    scope.onException((_, _) -> {});
                    scope.spawn(() -> hold(cleanUp));
                    suspend();
                    scope.cancel("enough");
                    try {
                        Heddle.within(LIMIT, () -> scope.awaitCompletion());
                    } catch (OperationCancelledException tooLong) {
                        assertTrue(tooLong.timedOut(), tooLong::toString);
                    }
                    Duration waited = world.elapsed();
                    assertTrue(waited.compareTo(LIMIT) <= 0, "waited " + waited);
                    scope.dispose();
                    delay(Duration.ofMinutes(1));
                    assertEquals(1, released);
                });
    }

    @Test
    void whoSwallowsTheCancellationIsReportedWithItsName() {
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    var swallower = scope.spawn("swallower", () -> hold(CleanUp.SWALLOWS));
                    suspend();
                    swallower.cancel("enough");
                    swallower.awaitOutcome();
                    assertFalse(swallower.isZombie(), "it ended in time");
                });
        var reports = world.reports(Report.Kind.UNANSWERED);
        assertEquals(2, reports.size(), reports.toString());
        assertTrue(reports.getFirst().contains("\"swallower\""), reports.getFirst());
    }
}
