package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.race;
import static dev.heddle.Heddle.raceFirstSuccess;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A race cancels its losers, waits for them, and loses nothing.
final class RaceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();
    private final IOException error = new IOException("bad");

    private Op<String, RuntimeException> after(int seconds, String value) {
        return () -> {
            try {
                delay(SECOND.multipliedBy(seconds));
                return value;
            } finally {
                trail.add(value + " left");
            }
        };
    }

    private static <X extends Exception> Op<String, X> failing(int seconds, X error) {
        return () -> {
            delay(SECOND.multipliedBy(seconds));
            throw error;
        };
    }

    /// Waits for ever, and needs `seconds` to clean up.
    private Op<String, RuntimeException> slowToLeave(int seconds, VoidOp<RuntimeException> last) {
        return () -> {
            try {
                delay(SECOND.multipliedBy(100));
                return "never";
            } finally {
                protect(() -> delay(SECOND.multipliedBy(seconds)));
                trail.add("cleaned up");
                last.run();
            }
        };
    }

    // ---- the first end decides ----

    @HeddleTest(seeds = 50)
    void firstValueWinsAfterTheLosersHaveEnded(TestWorld world) {
        String won = race(after(2, "second"), after(1, "first"), slowToLeave(3, () -> {}));

        assertEquals("first", won);
        assertEquals(SECOND.multipliedBy(4), world.elapsed());
        assertEquals("first left", trail.getFirst());
        assertEquals(List.of("cleaned up"), trail.subList(2, 3));
    }

    @HeddleTest(seeds = 50)
    void firstFailureIsThrownWithItsOwnType() {
        var thrown =
                assertThrows(
                        IOException.class,
                        () -> race(List.of(failing(1, error), failing(2, error))));

        assertSame(error, thrown);
        assertEquals(0, thrown.getSuppressed().length);
    }

    @HeddleTest
    void bodyThatNeedsNoTimeWinsBeforeTheOthersBegin() {
        assertEquals(
                "at once",
                race(
                        () -> "at once",
                        () -> {
                            trail.add("begun");
                            return "too late";
                        }));
        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 50)
    void failureOfALoserInItsCleanUpIsThrownIfTheWinnerHadAValue() {
        var bad = new IllegalStateException("clean-up failed");
        var closed = new ArrayList<String>();

        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                race(
                                        List.of(after(1, "value"), slowToLeave(1, failsBy(bad))),
                                        closed::add));

        assertSame(bad, thrown);
        assertEquals(List.of("value"), closed);
    }

    @HeddleTest(seeds = 50)
    void failureOfALoserInItsCleanUpIsSuppressedOntoTheWinnersFailure() {
        var first = new IllegalArgumentException("first");
        var bad = new IllegalStateException("clean-up failed");

        var thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> race(failing(1, first), slowToLeave(1, failsBy(bad))));

        assertSame(first, thrown);
        assertEquals(List.of(bad), List.of(thrown.getSuppressed()));
    }

    private static VoidOp<RuntimeException> failsBy(RuntimeException error) {
        return () -> {
            throw error;
        };
    }

    @HeddleTest(seeds = 50)
    void valueOfALoserThatWasDoneInSpiteOfItAllIsDiscarded() {
        Op<String, RuntimeException> stubborn =
                () ->
                        protect(
                                () -> {
                                    delay(SECOND.multipliedBy(2));
                                    return "stubborn";
                                },
                                value -> trail.add("kept " + value));
        Op<String, RuntimeException> deaf =
                () -> {
                    try {
                        delay(SECOND.multipliedBy(2));
                    } catch (Cancellation ignored) {
                        return "deaf";
                    }
                    return "never";
                };

        assertEquals(
                "first",
                race(
                        List.of(() -> quick(), stubborn, deaf),
                        value -> trail.add("closed " + value)));
        assertEquals(List.of("closed deaf", "kept stubborn"), trail.stream().sorted().toList());
    }

    private static String quick() {
        delay(SECOND);
        return "first";
    }

    // ---- the first success decides ----

    @HeddleTest(seeds = 50)
    void firstSuccessPassesOverFailures(TestWorld world) throws Exception {
        String won =
                raceFirstSuccess(
                        List.<Op<String, Exception>>of(
                                failing(1, error),
                                () -> after(2, "good").call(),
                                () -> after(3, "late").call()));

        assertEquals("good", won);
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
    }

    @HeddleTest(seeds = 50)
    void noSuccessIsEveryFailureAndASingleOneIsItself() {
        assertSame(
                error, assertThrows(IOException.class, () -> raceFirstSuccess(failing(1, error))));
        var all =
                assertThrows(
                        CompositeException.class,
                        () ->
                                raceFirstSuccess(
                                        failing(2, new IllegalStateException("a")),
                                        failing(1, new IllegalStateException("b"))));
        assertEquals(2, all.errors().size());
    }

    // ---- ended from outside ----

    @HeddleTest(seeds = 50)
    void limitEndsTheWholeRaceAndWaitsForAll(TestWorld world) {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () -> within(SECOND, () -> race(after(5, "a"), slowToLeave(1, () -> {}))));

        assertTrue(thrown.timedOut());
        assertEquals(List.of("a left", "cleaned up"), trail.stream().sorted().toList());
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
    }

    @HeddleTest(seeds = 50)
    void cancelledAfterTheDecisionTheValueIsDiscarded() {
        var racer =
                spawn(
                        () ->
                                race(
                                        List.of(after(1, "value"), slowToLeave(2, () -> {})),
                                        value -> trail.add("closed " + value)));
        delay(SECOND.multipliedBy(2));

        assertInstanceOf(Outcome.Cancelled.class, racer.cancelAndAwait("enough"));
        assertEquals(List.of("value left", "cleaned up", "closed value"), trail);
    }

    @HeddleTest
    void raceWhoseEntrantsSomebodyCancelsEndsToo() {
        var racer = spawn(() -> race(after(1, "a"), after(1, "b")));
        Heddle.suspend();
        Heddle.suspend();
        Heddle.coroutines().stream()
                .filter(each -> each != racer && each != Heddle.current())
                .forEach(Coroutine::cancel);

        assertThrows(OperationCancelledException.class, racer::await);
    }

    @HeddleTest
    void raceOfNothingAndOfNullIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> race(List.<Op<String, RuntimeException>>of()));
        var withNull = new ArrayList<Op<String, RuntimeException>>();
        withNull.add(null);
        var thrown = assertThrows(NullPointerException.class, () -> race(withNull));
        assertEquals("body at position 0", thrown.getMessage());
    }

    @HeddleTest(seeds = 20)
    void failureThatARacePassedOverIsNotLostWhenTheRaceIsCutOff() {
        var early = new IllegalStateException("early");

        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                within(
                                        SECOND.multipliedBy(2),
                                        () -> raceFirstSuccess(failing(1, early), after(9, "x"))));

        assertEquals(List.of(early), List.of(thrown.getCause().getSuppressed()));
    }

    @Test
    void failureOfALoserThatCameAtTheSameMomentIsReported() {
        var world = World.virtual();
        var bad = new IllegalStateException("second");
        world.run(
                () -> {
                    var good = new Promise<String>();
                    var worse = new Promise<String>();
                    spawn(
                            () -> {
                                delay(SECOND);
                                good.complete("good");
                                worse.fail(bad);
                            });
                    assertEquals(
                            "good",
                            race(() -> good.deferred().await(), () -> worse.deferred().await()));
                });

        var reports = world.reports(Report.Kind.UNREAD_FAILURE);
        assertEquals(1, reports.size());
        assertTrue(reports.getFirst().endsWith(bad.toString()), reports.toString());
    }
}
