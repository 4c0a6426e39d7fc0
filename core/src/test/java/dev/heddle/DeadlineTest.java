package dev.heddle;

import static dev.heddle.Heddle.checkpoint;
import static dev.heddle.Heddle.deadline;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;
import static dev.heddle.Heddle.withinOrElse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Limits that can be seen and moved, that pass on time, and that have something to fall back on.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeadlineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    private static Duration seconds(int count) {
        return SECOND.multipliedBy(count);
    }

    private static Duration left() {
        return deadline().orElseThrow().remaining();
    }

    // ---- seeing it ----

    @HeddleTest(seeds = 20)
    void earliestLimitAroundTheCallerIsTheDeadline() {
        assertEquals(Optional.empty(), deadline());
        within(
                seconds(5),
                () -> {
                    delay(SECOND);
                    assertEquals(seconds(4), left());
                    within(seconds(9), () -> assertEquals(seconds(4), left()));
                    within(seconds(2), () -> assertEquals(seconds(2), left()));
                    assertEquals(seconds(4), left());
                });
        assertEquals(Optional.empty(), deadline());
    }

    @HeddleTest
    void limitsOutsideAShieldDoNotCountInside() {
        within(
                SECOND,
                () ->
                        protect(
                                () -> {
                                    assertEquals(Optional.empty(), deadline());
                                    within(seconds(3), () -> assertEquals(seconds(3), left()));
                                }));
    }

    @HeddleTest(seeds = 20)
    void limitAroundABlockIsTheDeadlineOfItsChildren() {
        within(
                seconds(5),
                () ->
                        Scope.run(
                                _ -> {
                                    var child =
                                            spawn(
                                                    () -> {
                                                        delay(SECOND);
                                                        return Scope
                                                                .<Duration, RuntimeException>call(
                                                                        _ ->
                                                                                spawn(() -> left())
                                                                                        .await());
                                                    });
                                    assertEquals(seconds(4), child.await());
                                    var inLimit = within(SECOND, () -> spawn(() -> left()).await());
                                    assertEquals(seconds(4), inLimit, "it outlives that limit");
                                }));
    }

    @HeddleTest
    void coroutineOfASafeScopeHasNoDeadline() {
        within(
                SECOND,
                () -> {
                    try (var scope = new Scope()) {
                        assertEquals(Optional.empty(), scope.spawn(() -> deadline()).await());
                    }
                });
    }

    // ---- moving it ----

    @HeddleTest(seeds = 20)
    void deadlineThatWasMovedLaterPassesLater(TestWorld world) {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                within(
                                        SECOND,
                                        () -> {
                                            assertTrue(deadline().orElseThrow().moveTo(seconds(7)));
                                            delay(seconds(3));
                                            assertEquals(seconds(4), left());
                                            delay(seconds(60));
                                        }));

        assertEquals(seconds(7), world.elapsed());
        assertTrue(thrown.timedOut());
        assertEquals("not done within PT7S, to which its deadline was moved", thrown.getMessage());
    }

    @HeddleTest(seeds = 20)
    void deadlineThatWasMovedEarlierPassesEarlier(TestWorld world) {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                seconds(60),
                                () -> {
                                    var mine = deadline().orElseThrow();
                                    spawn(() -> mine.moveTo(SECOND));
                                    delay(seconds(50));
                                }));

        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest
    void deadlineMovedToNowPassesNow() {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        within(
                                SECOND,
                                () -> {
                                    var mine = deadline().orElseThrow();
                                    assertTrue(mine.moveTo(Duration.ZERO));
                                    assertEquals(Duration.ZERO, mine.remaining());
                                    assertFalse(mine.moveTo(SECOND), "it has passed");
                                    suspend();
                                }));
    }

    @HeddleTest
    void deadlineOfALimitThatHasEndedStaysWhereItIs() {
        var kept = within(SECOND, () -> deadline().orElseThrow());

        assertFalse(kept.moveTo(seconds(2)));
        assertEquals(Duration.ZERO, kept.remaining());
        assertEquals("Deadline(over)", kept.toString());
        assertThrows(IllegalArgumentException.class, () -> kept.moveTo(SECOND.negated()));
    }

    // ---- the first suspension point after it ----

    @Test
    void firstSuspensionPointAfterAPassedLimitThrowsThoughTheLoopNeverGotToTheTimer() {
        var world = World.virtual();
        world.run(
                () ->
                        assertThrows(
                                OperationCancelledException.class,
                                () ->
                                        within(
                                                SECOND,
                                                () -> {
                                                    checkpoint();
                                                    world.compute(SECOND);
                                                    checkpoint();
                                                    trail.add("never");
                                                })));
        assertEquals(List.of(), trail);
    }

    @Test
    void awaitOfWhatHasEndedThrowsAfterAPassedLimit() {
        var world = World.virtual();
        world.run(
                () -> {
                    var done = Deferred.completed("done");
                    assertEquals("done", within(SECOND, () -> done.await()));
                    assertThrows(
                            OperationCancelledException.class,
                            () ->
                                    within(
                                            SECOND,
                                            () -> {
                                                world.compute(seconds(2));
                                                return done.await();
                                            }));
                });
    }

    @Test
    void ofTwoLimitsThatPassedTheOuterOneIsThrown() {
        var world = World.virtual();
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () ->
                                            within(
                                                    seconds(2),
                                                    () ->
                                                            withinOrElse(
                                                                    SECOND,
                                                                    () -> {
                                                                        world.compute(seconds(3));
                                                                        checkpoint();
                                                                    },
                                                                    () -> trail.add("never"))));
                    assertEquals("not done within PT2S", thrown.getMessage());
                });
        assertEquals(List.of(), trail);
    }

    // ---- something to fall back on ----

    @HeddleTest(seeds = 20)
    void fallbackIsUsedOnlyIfThisLimitEndedTheBody(TestWorld world) throws IOException {
        assertEquals("in time", withinOrElse(SECOND, () -> "in time", () -> "fallback"));
        assertEquals(
                "fallback",
                withinOrElse(
                        SECOND,
                        () -> {
                            delay(seconds(9));
                            return "late";
                        },
                        () -> "fallback"));
        assertEquals(SECOND, world.elapsed());
        withinOrElse(SECOND, () -> delay(seconds(9)), () -> trail.add("moved on"));
        assertEquals(List.of("moved on"), trail);
    }

    @HeddleTest(seeds = 20)
    void outerLimitPassesThrough() {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                within(
                                        SECOND,
                                        () ->
                                                withinOrElse(
                                                        seconds(5),
                                                        () -> delay(seconds(9)),
                                                        () -> trail.add("never"))));

        assertEquals("not done within PT1S", thrown.getMessage());
        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void innerLimitThatTheBodyLetsOutIsNotThisOne() {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                withinOrElse(
                                        seconds(5),
                                        () -> within(SECOND, () -> delay(seconds(9))),
                                        () -> trail.add("never")));

        assertEquals("not done within PT1S", thrown.getMessage());
    }

    @HeddleTest
    void cancellationPassesThroughAndFailuresKeepTheirType() {
        var error = new IOException("bad");
        assertSame(
                error,
                assertThrows(
                        IOException.class,
                        () ->
                                withinOrElse(
                                        SECOND,
                                        () -> {
                                            throw error;
                                        },
                                        () -> trail.add("never"))));
        var child =
                spawn(
                        () ->
                                withinOrElse(
                                        seconds(9),
                                        () -> delay(seconds(8)),
                                        () -> trail.add("never")));
        delay(SECOND);
        assertInstanceOf(Outcome.Cancelled.class, child.cancelAndAwait("enough"));
        assertEquals(List.of(), trail);
    }
}
