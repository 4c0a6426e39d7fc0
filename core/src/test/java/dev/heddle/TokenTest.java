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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Waits that a token ends.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class TokenTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

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

    @Test
    void tokenThatCompletesEndsTheWaitWithoutACause() {
        world.run(
                () -> {
                    for (boolean before : List.of(true, false)) {
                        var thrown = ended(before, token -> token.complete("x"));
                        assertNull(thrown.getCause());
                        assertFalse(thrown.timedOut());
                    }
                });
    }

    @Test
    void tokenThatFailsEndsTheWaitWithItsFailureAsCause() {
        world.run(
                () -> {
                    var error = new IOException("token");
                    for (boolean before : List.of(true, false)) {
                        assertSame(error, ended(before, token -> token.fail(error)).getCause());
                    }
                });
    }

    @Test
    void tokenThatIsCancelledEndsTheWaitWithTheCancellationAsCauseAndCancelsNobody() {
        world.run(
                () -> {
                    for (boolean before : List.of(true, false)) {
                        var thrown = ended(before, token -> token.cancel("given up"));
                        var cause = assertInstanceOf(Cancellation.class, thrown.getCause());
                        assertEquals("given up", cause.reason());
                    }
                    suspend();
                    assertFalse(Heddle.current().isCancellationRequested());
                });
    }

    @Test
    void coroutineServesAsATokenInEachOfItsEnds() {
        world.run(
                () -> {
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
                });
    }

    @Test
    void awaitedThingThatComesFirstWins() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var stop = new Promise<String>();
                    spawn(
                            () -> {
                                promise.complete("value");
                                delay(SECOND);
                                stop.complete("stop");
                            });

                    assertEquals("value", await(promise.deferred(), Token.when(stop.deferred())));
                });
    }

    @Test
    void finishedThingBeatsAFiredToken() {
        world.run(
                () -> {
                    var fired = Token.when(Deferred.completed(1)).or(Token.after(Duration.ZERO));
                    var error = new IllegalStateException("mine");

                    assertEquals("v", await(Deferred.completed("v"), fired));
                    assertSame(
                            error,
                            assertThrows(
                                    Throwable.class, () -> await(Deferred.failed(error), fired)));
                });
    }

    @Test
    void thingThatIsItsOwnTokenGivesItsValue() {
        world.run(
                () -> {
                    var before = Deferred.completed("v");
                    assertEquals("v", await(before, Token.when(before)));

                    var during = new Promise<String>();
                    spawn(() -> during.complete("w"));
                    assertEquals("w", await(during.deferred(), Token.when(during.deferred())));

                    var coroutine = spawn(() -> "x");
                    assertEquals("x", await(coroutine, Token.when(coroutine)));
                });
    }

    @Test
    void answerAndTokenInTheSameTurnGiveTheAnswer() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var stop = new Promise<String>();
                    spawn(
                            () -> {
                                stop.complete("first");
                                promise.complete("second");
                            });

                    assertEquals("second", await(promise.deferred(), Token.when(stop.deferred())));
                });
    }

    @Test
    void tokenEndsTheWaitAndNotTheWork() {
        world.run(
                () -> {
                    var work =
                            spawn(
                                    () -> {
                                        delay(SECOND.multipliedBy(2));
                                        return "done";
                                    });

                    assertThrows(
                            OperationCancelledException.class,
                            () -> await(work, Token.after(SECOND)));
                    assertFalse(work.isFinished());
                    assertEquals("done", await(work));
                });
    }

    // ---- after a time ----

    @Test
    void deadlineCountsFromItsMakingAndServesSeveralWaits() {
        world.run(
                () -> {
                    var token = Token.after(SECOND.multipliedBy(3));
                    delay(SECOND);

                    assertTrue(ended(token).timedOut());
                    assertEquals(SECOND.multipliedBy(3), world.elapsed());
                    assertTrue(ended(token).timedOut());
                    assertEquals(SECOND.multipliedBy(3), world.elapsed());
                });
    }

    @Test
    void deadlineThatPassedWhileNobodyWaitedHasFired() {
        world.run(
                () -> {
                    var token = Token.after(SECOND);
                    delay(SECOND.multipliedBy(2));
                    spawn(() -> world.say("other"));

                    assertTrue(ended(token).timedOut());
                    world.say("ended without a switch");
                });

        assertEquals(List.of("ended without a switch", "other"), world.trail);
    }

    @Test
    void zeroDeadlineHasFired() {
        world.run(() -> assertTrue(ended(Token.after(Duration.ZERO)).timedOut()));

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void oneDeadlineEndsManyWaitsAtTheSameTime() {
        world.run(
                () -> {
                    var token = Token.after(SECOND);
                    for (int i = 0; i < 100; i++) {
                        spawn(
                                () -> {
                                    assertTrue(ended(token).timedOut());
                                    assertEquals(SECOND, world.elapsed());
                                    world.say("ended");
                                });
                    }
                });

        assertEquals(100, world.trail.size());
    }

    @Test
    void deadlineThatIsNotNeededKeepsNobody() {
        world.run(
                () -> {
                    var token = Token.after(Duration.ofDays(1));
                    var promise = new Promise<String>();
                    spawn(() -> promise.complete("v"));

                    assertEquals("v", await(promise.deferred(), token));
                    Token.after(Duration.ofDays(1));
                });

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void longestDurationIsForEver() {
        world.run(
                () -> {
                    var token = Token.after(Duration.ofSeconds(Long.MAX_VALUE));
                    var promise = new Promise<String>();
                    spawn(
                            () -> {
                                delay(SECOND);
                                promise.complete("v");
                            });

                    assertEquals("v", await(promise.deferred(), token));
                });
    }

    // ---- either ----

    @Test
    void eitherTokenEndsTheWaitAndSaysWhich() {
        world.run(
                () -> {
                    var error = new IOException("stop");
                    var stop = new Promise<String>();
                    var token = Token.after(SECOND).or(Token.when(stop.deferred()));

                    assertTrue(ended(token).timedOut());
                    stop.fail(error);
                    var other = Token.after(SECOND).or(Token.when(stop.deferred()));
                    var thrown = ended(other);
                    assertFalse(thrown.timedOut());
                    assertSame(error, thrown.getCause());
                });
    }

    @Test
    void orLeavesBothTokensAsTheyWere() {
        world.run(
                () -> {
                    var stop = new Promise<String>();
                    var one = Token.when(stop.deferred());
                    var both = one.or(Token.after(SECOND));

                    assertEquals("Token(Promise(pending) or PT1S)", both.toString());
                    assertEquals("Token(Promise(pending))", one.toString());
                });
    }

    @Test
    void tokenCombinedWithItselfStillEndsTheWaitOnce() {
        world.run(
                () -> {
                    var token = Token.after(SECOND);

                    assertTrue(ended(token.or(token)).timedOut());
                });
    }
}
