package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

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

/// How a coroutine ends that was cancelled, and by which reason.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CancellationOutcomeTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void theFirstReasonWins() {
        var asleep = spawn(() -> delay(HOUR));
        suspend();

        asleep.cancel("first");
        asleep.cancel("second");

        assertEquals("first", reason(asleep.awaitOutcome()));
    }

    @HeddleTest(seeds = 20)
    void aReasonIsNeeded() {
        var asleep = spawn(() -> delay(HOUR));
        assertThrows(NullPointerException.class, () -> asleep.cancel(null));
        assertFalse(asleep.isCancellationRequested());
        asleep.cancel("stop");
    }

    @HeddleTest(seeds = 20)
    void returningAValueAfterTheRequestIsSuccess(TestWorld world) {
        var stubborn =
                spawn(
                        () -> {
                            try {
                                delay(HOUR);
                            } catch (Cancellation swallowed) {
                                trail.add(swallowed.reason());
                            }
                            return "value";
                        });
        world.settle();

        stubborn.cancel("stop");

        assertEquals("value", await(stubborn));
        assertTrue(stubborn.isCancellationRequested());
        assertFalse(stubborn.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void anotherExceptionInCleanUpIsAFailureWithTheCancellationSuppressed(TestWorld world) {
        var broken = new IOException("disk full");
        var untidy =
                spawn(
                        () -> {
                            try {
                                delay(HOUR);
                            } finally {
                                fail(broken);
                            }
                        });
        untidy.observed();
        world.settle();

        var outcome = untidy.cancelAndAwait("stop");

        assertEquals(new Outcome.Failure<Void>(broken), outcome);
        assertEquals(1, broken.getSuppressed().length);
        var suppressed = assertInstanceOf(Cancellation.class, broken.getSuppressed()[0]);
        assertEquals("stop", suppressed.reason());
    }

    @HeddleTest(seeds = 20)
    void anExceptionBeforeTheCancellationWasThrownHasNothingSuppressed() {
        var failure = new IllegalStateException("broken");
        var self =
                spawn(
                        () -> {
                            Heddle.current().cancel("stop");
                            return fail(failure);
                        });

        assertEquals(new Outcome.Failure<Object>(failure), self.awaitOutcome());
        assertEquals(0, failure.getSuppressed().length);
    }

    @HeddleTest(seeds = 20)
    void endingBySomebodyElsesCancellationIsAFailure() {
        var victim = spawn(() -> delay(HOUR));
        var awaiter = spawn(() -> await(victim));
        suspend();
        victim.cancel("stop");

        var outcome = awaiter.awaitOutcome();

        var failure = assertInstanceOf(Outcome.Failure.class, outcome);
        assertInstanceOf(Cancellation.class, failure.error());
        assertFalse(awaiter.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void oneThatWasCancelledAndEndsBySomebodyElsesCancellationKeepsItsOwnReason() {
        var victim = spawn(() -> delay(HOUR));
        var awaiter =
                spawn(
                        () -> {
                            try {
                                delay(HOUR);
                            } finally {
                                await(victim);
                            }
                        });
        suspend();
        victim.cancel("theirs");

        assertEquals("mine", reason(awaiter.cancelAndAwait("mine")));
    }

    @HeddleTest(seeds = 20)
    void catchingExceptionDoesNotSwallowACancellation() {
        var careless =
                spawn(
                        () -> {
                            try {
                                delay(HOUR);
                            } catch (Exception swallowed) {
                                trail.add("swallowed " + swallowed);
                            }
                        });
        suspend();

        assertEquals("stop", reason(careless.cancelAndAwait("stop")));

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void anUnobservedCancellationIsSilent(TestWorld world) {
        var asleep = spawn(() -> delay(HOUR));
        suspend();
        asleep.cancel("stop");

        assertEquals(List.of(), world.reports());
    }

    @Test
    void anUnobservedExceptionEndsTheProgram() {
        var world = World.virtual();
        var failure = new IllegalStateException("broken");

        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(() -> fail(failure));
                                            spawn(() -> delay(HOUR));
                                            delay(HOUR);
                                        }));

        assertSame(failure, thrown);
        assertEquals(1, world.reports(Report.Kind.UNCAUGHT).size());
        assertEquals(Duration.ZERO, world.elapsed());
    }
}
