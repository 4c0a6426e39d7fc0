package dev.heddle;

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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// What cancelling does to a coroutine in each of its states, and what is seen of it.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CancellationTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.virtual();

    // ---- by the state of the target ----

    @Test
    void cancellingAFinishedCoroutineChangesNothing() {
        world.run(
                () -> {
                    var done = spawn(() -> 7);
                    assertEquals(7, await(done));

                    done.cancel("too late");

                    assertEquals(7, await(done));
                    assertFalse(done.isCancellationRequested());
                    assertFalse(done.isCancelled());
                });
    }

    @Test
    void cancellingAFailedCoroutineKeepsTheVeryExceptionObject() {
        world.run(
                () -> {
                    var failure = new IllegalStateException("broken");
                    var failed = spawn(() -> fail(failure)).observed();
                    suspend();

                    failed.cancel("too late");

                    for (int i = 0; i < 3; i++) {
                        var thrown = assertThrows(IllegalStateException.class, () -> await(failed));
                        assertSame(failure, thrown);
                    }
                    assertEquals(0, failure.getSuppressed().length);
                });
    }

    @Test
    void oneThatCancelsItselfGoesOnToItsNextSuspension() {
        world.run(
                () -> {
                    var self =
                            spawn(
                                    () -> {
                                        Heddle.current().cancel("enough");
                                        world.say("still running");
                                        suspend();
                                        world.say("never");
                                    });

                    var outcome = self.awaitOutcome();

                    assertEquals("enough", reason(outcome));
                });
        assertEquals(List.of("still running"), world.trail);
    }

    @Test
    void oneThatNeverStartedNeverRunsAndEverybodyIsTold() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var unstarted = scope.spawn(() -> world.say("body"));
                    unstarted.onCompletion(end -> world.say("handler: " + reason(end)));
                    spawn(() -> world.say("awaiter: " + reason(unstarted.awaitOutcome())));
                    assertEquals(1, scope.active());

                    unstarted.cancel("not wanted");

                    assertTrue(unstarted.isCancellationRequested());
                    scope.awaitCompletion();
                    assertEquals(0, scope.active());
                    assertFalse(unstarted.hasStarted());
                    assertTrue(unstarted.isCancelled());
                    scope.close();
                });
        assertEquals(List.of("awaiter: not wanted", "handler: not wanted"), world.trail);
    }

    @Test
    void oneThatIsSuspendedIsWokenThereAndItsWaitIsStopped() {
        world.run(
                () -> {
                    var asleep =
                            spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } catch (Cancellation thrown) {
                                            world.say(thrown.reason() + " at " + world.elapsed());
                                            throw thrown;
                                        }
                                    });
                    delay(Duration.ofSeconds(2));

                    var outcome = asleep.cancelAndAwait("stop");

                    assertEquals("stop", reason(outcome));
                });
        assertEquals(List.of("stop at PT2S"), world.trail);
        assertEquals(Duration.ofSeconds(2), world.elapsed());
    }

    @Test
    void oneThatIsSuspendedBySuspendIsWokenWithIt() {
        world.run(
                () -> {
                    var looping = spawn(CancellationTest::suspendForEver);
                    suspend();
                    assertTrue(looping.isQueued());

                    assertEquals("stop", reason(looping.cancelAndAwait("stop")));
                });
    }

    @Test
    void oneThatIsWokenButHasNotRunYetGetsTheCancellationInsteadOfTheValue() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var waiter = spawn(() -> await(promise.deferred()));
                    suspend();
                    promise.complete("value");
                    assertEquals(CoroutineState.READY, waiter.state());

                    waiter.cancel("stop");

                    assertEquals("stop", reason(waiter.awaitOutcome()));
                    assertEquals("value", await(promise.deferred()));
                });
    }

    @Test
    void oneThatIsWokenByAnErrorGetsItAndTheCancellationAtItsNextSuspension() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var waiter =
                            spawn(
                                    () -> {
                                        assertThrows(
                                                IllegalStateException.class,
                                                () -> await(promise.deferred()));
                                        world.say("got the error");
                                        suspend();
                                    });
                    suspend();
                    promise.fail(new IllegalStateException("broken"));

                    waiter.cancel("stop");

                    assertEquals("stop", reason(waiter.awaitOutcome()));
                });
        assertEquals(List.of("got the error"), world.trail);
    }

    @Test
    void oneThatTimedOutButHasNotRunYetKeepsTheTimeout() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var waiter =
                            spawn(
                                    () -> {
                                        assertThrows(
                                                OperationCancelledException.class,
                                                () ->
                                                        promise.deferred()
                                                                .await(Duration.ofMillis(5)));
                                        world.say("timed out");
                                        suspend();
                                    });
                    // Fires in the same turn, before the timeout's verdict; then comes back to
                    // find the waiter woken.
                    delay(Duration.ofMillis(5));
                    while (waiter.state() == CoroutineState.WAITING) {
                        suspend();
                    }
                    assertEquals(CoroutineState.READY, waiter.state());

                    waiter.cancel("stop");

                    assertEquals("stop", reason(waiter.awaitOutcome()));
                });
        assertEquals(List.of("timed out"), world.trail);
    }

    @Test
    void awaitingAFinishedThingDeliversAPendingCancellation() {
        world.run(
                () -> {
                    var done = spawn(() -> 1);
                    await(done);
                    var self =
                            spawn(
                                    () -> {
                                        Heddle.current().cancel("stop");
                                        await(done);
                                        world.say("never");
                                    });

                    assertEquals("stop", reason(self.awaitOutcome()));
                });
        assertEquals(List.of(), world.trail);
    }

    @Test
    void anotherThreadMayCancel() throws InterruptedException {
        var real = World.real();
        var started = new CountDownLatch(1);
        var holder = new AtomicReference<Coroutine<?>>();
        Thread other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    awaitLatch(started);
                                    holder.get().cancel("from outside");
                                });

        real.run(
                () -> {
                    var asleep = spawn(() -> delay(HOUR));
                    holder.set(asleep);
                    suspend();
                    started.countDown();

                    assertEquals("from outside", reason(asleep.awaitOutcome()));
                });
        other.join();
    }

    // ---- what is seen of it ----

    @Test
    void requestedAtOnceCancelledOnlyWhenItHasEnded() {
        world.run(
                () -> {
                    var asleep = spawn(() -> delay(HOUR));
                    suspend();
                    asleep.cancel();

                    assertTrue(asleep.isCancellationRequested());
                    assertFalse(asleep.isCancelled());
                    suspend();
                    assertTrue(asleep.isCancelled());
                    assertTrue(asleep.isFinished());
                });
    }

    @Test
    void onesThatEndedAreNeitherSuspendedNorRunningAndHaveNoStack() {
        world.run(
                () -> {
                    var done = spawn(() -> 1);
                    var failed = spawn(() -> fail(new IllegalStateException("broken"))).observed();
                    var cancelled = spawn(() -> delay(HOUR));
                    assertTrue(cancelled.stack().isEmpty(), "not begun");
                    suspend();
                    assertTrue(cancelled.isSuspended());
                    assertFalse(cancelled.stack().isEmpty());
                    cancelled.cancelAndAwait("stop");
                    assertThrows(IllegalStateException.class, () -> await(failed));

                    for (var each : List.of(done, failed, cancelled)) {
                        assertTrue(each.isFinished(), each.info());
                        assertFalse(each.isSuspended(), each.info());
                        assertFalse(each.isRunning(), each.info());
                        assertFalse(each.isQueued(), each.info());
                        assertTrue(each.stack().isEmpty(), each.info());
                    }
                });
    }

    @Test
    void awaitingACancelledOneThrowsTheSameCancellationAgainAndAgain() {
        world.run(
                () -> {
                    var asleep = spawn(() -> delay(HOUR));
                    suspend();
                    asleep.cancel("stop");

                    var first = assertThrows(Cancellation.class, () -> await(asleep));
                    var second = assertThrows(Cancellation.class, () -> await(asleep));

                    assertEquals("stop", first.reason());
                    assertSame(first, second);
                    assertFalse(Heddle.current().isCancellationRequested());
                });
    }

    // ---- for these tests ----

    private static void suspendForEver() {
        while (!Thread.currentThread().isInterrupted()) {
            suspend();
        }
    }

    static <T, X extends Throwable> T fail(X failure) throws X {
        throw failure;
    }

    static String reason(Outcome<?> outcome) {
        return assertInstanceOf(Outcome.Cancelled.class, outcome).cancellation().reason();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
    }
}
