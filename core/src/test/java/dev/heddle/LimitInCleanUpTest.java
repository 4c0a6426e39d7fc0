package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A limit that ends while a wider cancellation is cleaned up does not make that forgotten.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class LimitInCleanUpTest {
    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void theCoroutinesOwnCancellationIsDueAgainAfterTheLimit(TestWorld world) {
        var host =
                spawn(
                        () -> {
                            try {
                                within(ms(20), this::cleanUpSlowly);
                            } catch (OperationCancelledException late) {
                                trail.add("plan B at " + world.elapsed().toMillis());
                                delay(ms(1));
                                trail.add("not reached");
                            }
                        });
        delay(ms(10));
        var cancelled =
                assertInstanceOf(Outcome.Cancelled.class, host.cancelAndAwait("from outside"));
        assertEquals("from outside", cancelled.cancellation().reason());
        assertEquals(List.of("plan B at 20"), trail);
        assertEquals(ms(20), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aWiderLimitIsDueAgainAfterTheNarrowerOne(TestWorld world) {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                within(
                                        ms(10),
                                        () -> {
                                            try {
                                                within(ms(20), this::cleanUpSlowly);
                                            } catch (OperationCancelledException late) {
                                                trail.add("plan B");
                                                delay(ms(1));
                                                trail.add("not reached");
                                            }
                                        }));
        assertEquals("not done within PT0.01S", thrown.getMessage());
        assertEquals(List.of("plan B"), trail);
        assertEquals(ms(20), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aBlockThatIsCutOffInCleanUpDoesNotMakeItForgottenEither() {
        var host =
                spawn(
                        () -> {
                            try {
                                Scope.run(
                                        block -> {
                                            block.spawn(
                                                    () -> {
                                                        delay(ms(20));
                                                        block.cancel("given up");
                                                    });
                                            cleanUpSlowly();
                                        });
                            } catch (OperationCancelledException cut) {
                                trail.add("plan B");
                                delay(ms(1));
                                trail.add("not reached");
                            }
                        });
        delay(ms(10));
        assertInstanceOf(Outcome.Cancelled.class, host.cancelAndAwait("from outside"));
        assertTrue(List.of(List.of("plan B"), List.of()).contains(trail), trail::toString);
    }

    @HeddleTest
    void aLimitInsideTheCleanUpLeavesTheRestOfItInPeace(TestWorld world) {
        var host =
                spawn(
                        () -> {
                            try {
                                delay(ms(1000));
                            } finally {
                                try {
                                    within(ms(5), () -> delay(ms(100)));
                                } catch (OperationCancelledException late) {
                                    delay(ms(50));
                                    trail.add("cleaned up at " + world.elapsed().toMillis());
                                }
                            }
                        });
        delay(ms(10));
        assertInstanceOf(Outcome.Cancelled.class, host.cancelAndAwait("from outside"));
        assertEquals(List.of("cleaned up at 65"), trail);
    }

    private void cleanUpSlowly() {
        try {
            delay(ms(1000));
        } finally {
            delay(ms(50));
            trail.add("not reached: the limit ends it");
        }
    }

    private static Duration ms(int millis) {
        return Duration.ofMillis(millis);
    }
}
