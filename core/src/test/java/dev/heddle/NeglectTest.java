package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitFirstSuccess;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Failures that nobody reads and promises that nobody uses are reported; all others are not.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class NeglectTest {
    private static final String UNREAD = "nobody ever looked at the failure of ";

    private final World world = World.virtual();

    private static IllegalStateException error() {
        return new IllegalStateException("bad");
    }

    private void assertNothingReported() {
        assertEquals(List.of(), world.reports());
    }

    private void assertUnread(String who) {
        assertEquals(
                List.of(UNREAD + who + ": " + error()), world.reports(Report.Kind.UNREAD_FAILURE));
        assertEquals(1, world.reports().size());
    }

    // ---- failures of promises ----

    @Test
    void failureOfAPromiseThatNobodyReadIsReportedAtTheEnd() {
        world.run(() -> new Promise<String>().fail(error()));

        assertUnread("a promise");
    }

    @Test
    void reportShowsWhereTheExceptionWasThrown() {
        var error = error();
        world.run(() -> Deferred.failed(error));

        assertEquals(List.of(error.getStackTrace()), world.reports().getFirst().stack());
    }

    @Test
    void debugModeSaysWhereThePromiseWasMade() {
        world.with(HeddleOptions::debug);
        world.run(() -> new Promise<String>().fail(error()));

        String text = world.reports(Report.Kind.UNREAD_FAILURE).getFirst();
        assertTrue(text.startsWith(UNREAD + "a promise made at NeglectTest.java:"), text);
    }

    @Test
    void failureOfAPromiseIsReportedWhenItIsGarbageWhileTheProgramGoesOn() {
        world.run(
                () -> {
                    failAndForget();
                    awaitReport();

                    assertUnread("a promise");
                });

        assertUnread("a promise");
    }

    private static void failAndForget() {
        new Promise<String>().fail(error());
    }

    // Each turn gives the loop a chance to hear from the cleaner. Without a report it hangs, which
    // the test's timeout ends.
    private void awaitReport() {
        while (world.reports().isEmpty()) {
            System.gc();
            delay(Duration.ofMillis(1));
        }
    }

    @Test
    void failuresAreReportedInTheOrderTheyHappened() {
        world.run(
                () -> {
                    Deferred.failed(new IOException("1"));
                    Deferred.failed(new IOException("2"));
                    Deferred.failed(new IOException("3"));
                });

        assertEquals(
                List.of("1", "2", "3"),
                world.reports(Report.Kind.UNREAD_FAILURE).stream()
                        .map(text -> text.substring(text.length() - 1))
                        .toList());
    }

    @Test
    void failureThatIsAwaitedIsNotReported() {
        world.run(
                () -> {
                    var deferred = Deferred.failed(error());
                    assertThrows(IllegalStateException.class, deferred::await);
                });

        assertNothingReported();
    }

    @Test
    void failureThatWakesSomebodyIsNotReported() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    spawn(
                            () ->
                                    assertThrows(
                                            IllegalStateException.class,
                                            promise.deferred()::await));
                    delay(Duration.ofMillis(1));
                    promise.fail(error());
                });

        assertNothingReported();
    }

    @Test
    void failureThatIsPeekedAtIsNotReported() {
        world.run(() -> Deferred.failed(error()).outcome().orElseThrow());

        assertNothingReported();
    }

    @Test
    void ignoredFailureIsNotReportedWhetherIgnoredBeforeOrAfter() {
        world.run(
                () -> {
                    Deferred.failed(error()).ignore();
                    var promise = new Promise<String>();
                    promise.deferred().ignore();
                    promise.fail(error());
                });

        assertNothingReported();
    }

    @Test
    void failureThatComesAfterItsWaitWasGivenUpIsNotReported() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    assertThrows(
                            OperationCancelledException.class,
                            () -> promise.deferred().await(Duration.ofMillis(1)));
                    promise.fail(error());
                });

        assertNothingReported();
    }

    @Test
    void ofAChainOnlyTheLastFailureIsReported() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    promise.deferred().map(x -> x + x).onFinally(() -> {});
                    promise.fail(error());
                });

        assertUnread("a promise");
    }

    @Test
    void recoveredFailureIsNotReported() {
        world.run(() -> Deferred.<String>failed(error()).recover(_ -> "good"));

        assertNothingReported();
    }

    @Test
    void failureThatWentIntoAFutureIsNotReported() {
        world.run(() -> Deferred.failed(error()).toCompletableFuture());

        assertNothingReported();
    }

    @Test
    void failureOfATokenThatEndedAWaitIsNotReported() {
        world.run(
                () -> {
                    var never = new Promise<String>();
                    var token = Token.when(Deferred.failed(error()));
                    assertThrows(
                            OperationCancelledException.class,
                            () -> await(never.deferred(), token));
                });

        assertNothingReported();
    }

    @Test
    void cancelledPromiseIsNotReported() {
        world.run(
                () -> {
                    new Promise<String>().cancel("not needed");
                    new Promise<String>().fail(new Cancellation("somebody else's", null, false));
                });

        assertNothingReported();
    }

    @Test
    void failedStageThatNobodyReadIsReported() {
        world.run(() -> Deferred.from(CompletableFuture.failedFuture(error())));

        assertUnread("a promise");
    }

    @Test
    void exceptionThatCannotSayItsNameIsReportedByItsClass() {
        world.run(() -> new Promise<String>().fail(new Mute()));

        assertEquals(
                List.of(UNREAD + "a promise: " + Mute.class.getName()),
                world.reports(Report.Kind.UNREAD_FAILURE));
    }

    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException();
        }
    }

    // ---- failures of coroutines ----

    @Test
    void failureOfAnObservedCoroutineThatNobodyReadIsReportedAndEndsNothing() {
        world.run(
                () -> {
                    spawn("worker", NeglectTest::fails).observed();
                    delay(Duration.ofMillis(1));
                    world.say("main goes on");
                });

        assertEquals(List.of("main goes on"), world.trail);
        assertUnread("worker");
    }

    private static String fails() {
        throw error();
    }

    @Test
    void failureOfAnObservedCoroutineIsReportedWhenItIsGarbageWhileTheProgramGoesOn() {
        world.run(
                () -> {
                    spawnAndForget();
                    awaitReport();

                    assertUnread("worker");
                });
    }

    private static void spawnAndForget() {
        spawn("worker", NeglectTest::fails).observed();
    }

    @Test
    void observedCoroutineThatIsAwaitedLaterThrowsAgainAndAgainAndIsNotReported() {
        world.run(
                () -> {
                    var worker = spawn(NeglectTest::fails).observed();
                    delay(Duration.ofMillis(1));
                    var first = assertThrows(IllegalStateException.class, worker::await);
                    assertSame(first, assertThrows(IllegalStateException.class, worker::await));
                });

        assertNothingReported();
    }

    @Test
    void observedCoroutineWhoseOutcomeIsAskedForIsNotReported() {
        world.run(
                () -> {
                    var worker = spawn(NeglectTest::fails).observed();
                    delay(Duration.ofMillis(1));
                    assertTrue(worker.outcome().isPresent());
                });

        assertNothingReported();
    }

    @Test
    void observedCoroutineWithACompletionHandlerIsNotReported() {
        world.run(
                () ->
                        spawn(NeglectTest::fails)
                                .observed()
                                .onCompletion(outcome -> world.say("handled")));

        assertEquals(List.of("handled"), world.trail);
        assertNothingReported();
    }

    @Test
    void failureAfterItsOnlyAwaiterLeftIsReportedAndEndsNothing() {
        world.run(
                () -> {
                    var worker = spawn("worker", NeglectTest::failsLater);
                    assertThrows(
                            OperationCancelledException.class,
                            () -> worker.await(Duration.ofMillis(1)));
                    delay(Duration.ofSeconds(2));
                });

        assertUnread("worker");
    }

    private static String failsLater() {
        delay(Duration.ofSeconds(1));
        throw error();
    }

    @Test
    void loserOfARaceThatFailsAfterwardsIsReported() {
        world.run(
                () -> {
                    var loser = spawn("worker", NeglectTest::failsLater);
                    assertEquals("fast", awaitAny(loser, spawn(() -> "fast")));
                });

        assertUnread("worker");
    }

    @Test
    void failuresThatAFirstSuccessPassedOverAreNotReported() {
        world.run(
                () -> {
                    var failing = spawn(NeglectTest::fails);
                    var good =
                            spawn(
                                    () -> {
                                        suspend();
                                        return "good";
                                    });
                    assertEquals("good", awaitFirstSuccess(failing, good));
                });

        assertNothingReported();
    }

    @Test
    void failureOfMainIsThrownAndNotReportedAsUnread() {
        assertThrows(IllegalStateException.class, () -> world.run(NeglectTest::fails));

        assertEquals(List.of(), world.reports(Report.Kind.UNREAD_FAILURE));
    }

    @Test
    void cancelledCoroutineIsNotReported() {
        world.run(
                () -> {
                    var worker = spawn(() -> delay(Duration.ofDays(1))).observed();
                    suspend();
                    worker.cancel("not needed");
                });

        assertNothingReported();
    }

    @Test
    void debugModeSaysWhereTheCoroutineWasSpawned() {
        world.with(HeddleOptions::debug);
        world.run(() -> spawn("worker", NeglectTest::fails).observed());

        String text = world.reports(Report.Kind.UNREAD_FAILURE).getFirst();
        assertTrue(text.startsWith(UNREAD + "worker spawned at NeglectTest.java:"), text);
    }

    // ---- promises that nobody used ----

    @Test
    void promiseThatNobodyUsedIsReportedInDebugModeWithThePlace() {
        world.with(HeddleOptions::debug);
        world.run(() -> new Promise<String>());

        String text = world.reports(Report.Kind.LOST_HANDLE).getFirst();
        assertTrue(text.startsWith("a promise made at NeglectTest.java:"), text);
        assertTrue(text.contains("was never used"), text);
        assertEquals(1, world.reports().size());
    }

    @Test
    void promiseThatNobodyUsedIsReportedInDebugModeWhenItIsGarbage() {
        world.with(HeddleOptions::debug);
        world.run(
                () -> {
                    makeAndForget();
                    awaitReport();

                    assertEquals(1, world.reports(Report.Kind.LOST_HANDLE).size());
                });
    }

    // With a java.lang.ref.Cleaner the loop stood still after some of these: a coroutine queued for
    // the lock of its list, and the loop's own thread behind it.
    @Test
    void lossOfManyPromisesWhileOthersAreMadeDoesNotStopTheLoop() {
        int many = 10_000;
        world.with(HeddleOptions::debug);
        world.run(
                () -> {
                    for (int i = 0; i < many; i++) {
                        makeAndForget();
                        if (i % 1_000 == 0) {
                            System.gc();
                            delay(Duration.ofMillis(1));
                        }
                    }
                });

        assertEquals(many, world.reports(Report.Kind.LOST_HANDLE).size());
    }

    private static void makeAndForget() {
        assertTrue(new Promise<String>().complete("for nobody"));
    }

    @Test
    void promiseThatNobodyUsedIsNotReportedOutsideDebugMode() {
        world.run(
                () -> {
                    new Promise<String>();
                    new Promise<String>().complete("for nobody");
                });

        assertNothingReported();
    }

    @Test
    void usedPromisesAreNotReportedInDebugMode() {
        world.with(HeddleOptions::debug);
        world.run(
                () -> {
                    var awaited = new Promise<String>();
                    awaited.complete("x");
                    await(awaited.deferred());
                    new Promise<String>().deferred().map(x -> x);
                    new Promise<String>().deferred().recover(_ -> "x");
                    new Promise<String>().deferred().onFinally(() -> {});
                    new Promise<String>().deferred().toCompletableFuture();
                    new Promise<String>().deferred().ignore();
                    Token.when(new Promise<String>().deferred());
                    var peeked = new Promise<String>();
                    peeked.complete("x");
                    assertTrue(peeked.deferred().outcome().isPresent());
                });

        assertNothingReported();
    }
}
