package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Waits that a token ends.
final class TokenTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    private static OperationCancelledException ended(Token token) {
        var never = new Promise<String>();
        return assertThrows(
                OperationCancelledException.class, () -> await(never.deferred(), token));
    }

    /// {@return how a wait ends whose token is settled by `act`, before or during the wait}
    private static OperationCancelledException ended(
            boolean before, Consumer<? super Promise<String>> act) {
        var promise = new Promise<String>();
        if (before) {
            act.accept(promise);
        } else {
            spawn(() -> act.accept(promise));
        }
        return ended(Token.when(promise.deferred()));
    }

    // ---- when something completes ----

    @HeddleTest(seeds = 20)
    void tokenThatCompletesEndsTheWaitWithoutACause() {
        for (boolean before : List.of(true, false)) {
            var thrown = ended(before, token -> token.complete("x"));
            assertNull(thrown.getCause());
            assertFalse(thrown.timedOut());
        }
    }

    @HeddleTest(seeds = 20)
    void tokenThatFailsEndsTheWaitWithItsFailureAsCause() {
        var error = new IOException("token");
        for (boolean before : List.of(true, false)) {
            assertSame(error, ended(before, token -> token.fail(error)).getCause());
        }
    }

    @HeddleTest(seeds = 20)
    void tokenThatIsCancelledEndsTheWaitWithTheCancellationAsCauseAndCancelsNobody() {
        for (boolean before : List.of(true, false)) {
            var thrown = ended(before, token -> token.cancel("given up"));
            var cause = assertInstanceOf(Cancellation.class, thrown.getCause());
            assertEquals("given up", cause.reason());
        }
        suspend();
        assertFalse(Heddle.current().isCancellationRequested());
    }

    @HeddleTest(seeds = 20)
    void coroutineServesAsATokenInEachOfItsEnds() {
        var error = new IllegalStateException("bad");
        var good = spawn(() -> delay(SECOND));
        var bad =
                spawn(
                                () -> {
                                    delay(SECOND);
                                    throw error;
                                })
                        .observed();
        var cancelled = spawn(() -> delay(Duration.ofDays(1)));
        suspend();
        cancelled.cancel("enough");

        assertInstanceOf(Cancellation.class, ended(Token.when(cancelled)).getCause());
        var badToken = Token.when(bad);
        assertNull(ended(Token.when(good)).getCause());
        assertSame(error, ended(badToken).getCause());
        assertSame(error, ended(badToken).getCause());
    }

    // Whether a failure was looked at shows in the check for what is left.
    @HeddleTest(seeds = 20)
    void failureThatWasThereBeforeTheWaitCountsAsLookedAtToo(TestWorld world) {
        var error = new IllegalStateException("early");
        var bad = spawn(() -> raise(error)).observed();
        world.settle();

        assertTrue(bad.isFinished());
        assertSame(error, ended(Token.when(bad)).getCause());
    }

    private static void raise(RuntimeException error) {
        throw error;
    }

    @HeddleTest(seeds = 20)
    void awaitedThingThatComesFirstWins() {
        var promise = new Promise<String>();
        var stop = new Promise<String>();
        var other =
                spawn(
                        () -> {
                            promise.complete("value");
                            delay(SECOND);
                            stop.complete("stop");
                        });

        assertEquals("value", await(promise.deferred(), Token.when(stop.deferred())));
        await(other);
    }

    @HeddleTest
    void finishedThingBeatsAFiredToken() {
        var fired = Token.when(Deferred.completed(1)).or(Token.after(Duration.ZERO));
        var error = new IllegalStateException("mine");

        assertEquals("v", await(Deferred.completed("v"), fired));
        assertSame(
                error, assertThrows(Throwable.class, () -> await(Deferred.failed(error), fired)));
    }

    @HeddleTest(seeds = 20)
    void thingThatIsItsOwnTokenGivesItsValue() {
        var before = Deferred.completed("v");
        assertEquals("v", await(before, Token.when(before)));

        var during = new Promise<String>();
        spawn(() -> during.complete("w"));
        assertEquals("w", await(during.deferred(), Token.when(during.deferred())));

        var coroutine = spawn(() -> "x");
        assertEquals("x", await(coroutine, Token.when(coroutine)));
    }

    @HeddleTest(seeds = 20)
    void answerAndTokenInTheSameTurnGiveTheAnswer() {
        var promise = new Promise<String>();
        var stop = new Promise<String>();
        spawn(
                () -> {
                    stop.complete("first");
                    promise.complete("second");
                });

        assertEquals("second", await(promise.deferred(), Token.when(stop.deferred())));
    }

    @HeddleTest(seeds = 20)
    void tokenEndsTheWaitAndNotTheWork() {
        var work =
                spawn(
                        () -> {
                            delay(SECOND.multipliedBy(2));
                            return "done";
                        });

        assertThrows(OperationCancelledException.class, () -> await(work, Token.after(SECOND)));
        assertFalse(work.isFinished());
        assertEquals("done", await(work));
    }

    // ---- after a time ----

    @HeddleTest(seeds = 20)
    void deadlineCountsFromItsMakingAndServesSeveralWaits(TestWorld world) {
        var token = Token.after(SECOND.multipliedBy(3));
        delay(SECOND);

        assertTrue(ended(token).timedOut());
        assertEquals(SECOND.multipliedBy(3), world.elapsed());
        assertTrue(ended(token).timedOut());
        assertEquals(SECOND.multipliedBy(3), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void deadlineThatPassedWhileNobodyWaitedHasFired() {
        var token = Token.after(SECOND);
        delay(SECOND.multipliedBy(2));
        spawn(() -> trail.add("other"));

        assertTrue(ended(token).timedOut());
        assertEquals(List.of(), trail, "ended without a switch");
    }

    @HeddleTest(seeds = 20)
    void zeroDeadlineHasFired(TestWorld world) {
        assertTrue(ended(Token.after(Duration.ZERO)).timedOut());

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void oneDeadlineEndsManyWaitsAtTheSameTime(TestWorld world) {
        var token = Token.after(SECOND);
        for (int i = 0; i < 100; i++) {
            spawn(
                    () -> {
                        assertTrue(ended(token).timedOut());
                        assertEquals(SECOND, world.elapsed());
                        trail.add("ended");
                    });
        }
        world.advance(SECOND);

        assertEquals(100, trail.size());
    }

    @HeddleTest(seeds = 20)
    void deadlineThatIsNotNeededKeepsNobody(TestWorld world) {
        var token = Token.after(Duration.ofDays(1));
        var promise = new Promise<String>();
        spawn(() -> promise.complete("v"));

        assertEquals("v", await(promise.deferred(), token));
        Token.after(Duration.ofDays(1));

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void longestDurationIsForEver() {
        var token = Token.after(Duration.ofSeconds(Long.MAX_VALUE));
        var promise = new Promise<String>();
        spawn(
                () -> {
                    delay(SECOND);
                    promise.complete("v");
                });

        assertEquals("v", await(promise.deferred(), token));
    }

    // ---- either ----

    @HeddleTest(seeds = 20)
    void eitherTokenEndsTheWaitAndSaysWhich() {
        var error = new IOException("stop");
        var stop = new Promise<String>();
        var token = Token.after(SECOND).or(Token.when(stop.deferred()));

        assertTrue(ended(token).timedOut());
        stop.fail(error);
        var other = Token.after(SECOND).or(Token.when(stop.deferred()));
        var thrown = ended(other);
        assertFalse(thrown.timedOut());
        assertSame(error, thrown.getCause());
    }

    @HeddleTest
    void orLeavesBothTokensAsTheyWere() {
        var stop = new Promise<String>();
        var one = Token.when(stop.deferred());
        var both = one.or(Token.after(SECOND));

        assertEquals("Token(Promise(pending) or PT1S)", both.toString());
        assertEquals("Token(Promise(pending))", one.toString());
    }

    @HeddleTest(seeds = 20)
    void tokenCombinedWithItselfStillEndsTheWaitOnce() {
        var token = Token.after(SECOND);

        assertTrue(ended(token.or(token)).timedOut());
    }
}
