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

import dev.heddle.event.Event;
import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// What cancelling does to a coroutine in each of its states, and what is seen of it.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CancellationTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    // ---- by the state of the target ----

    @HeddleTest(seeds = 20)
    void cancellingAFinishedCoroutineChangesNothing() {
        var done = spawn(() -> 7);
        assertEquals(7, await(done));

        done.cancel("too late");

        assertEquals(7, await(done));
        assertFalse(done.isCancellationRequested());
        assertFalse(done.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void cancellingAFailedCoroutineKeepsTheVeryExceptionObject(TestWorld world) {
        var failure = new IllegalStateException("broken");
        var failed = spawn(() -> fail(failure)).observed();
        world.settle();

        failed.cancel("too late");

        for (int i = 0; i < 3; i++) {
            var thrown = assertThrows(IllegalStateException.class, () -> await(failed));
            assertSame(failure, thrown);
        }
        assertEquals(0, failure.getSuppressed().length);
    }

    @HeddleTest(seeds = 20)
    void oneThatCancelsItselfGoesOnToItsNextSuspension() {
        var self =
                spawn(
                        () -> {
                            Heddle.current().cancel("enough");
                            trail.add("still running");
                            suspend();
                            trail.add("never");
                        });

        var outcome = self.awaitOutcome();

        assertEquals("enough", reason(outcome));

        assertEquals(List.of("still running"), trail);
    }

    @Test
    void oneThatNeverStartedNeverRunsAndEverybodyIsTold() {
        var world = World.virtual();
        world.run(
                () -> {
                    var scope = new Scope();
                    var unstarted = scope.spawn(() -> trail.add("body"));
                    unstarted.onCompletion(end -> trail.add("handler: " + reason(end)));
                    spawn(() -> trail.add("awaiter: " + reason(unstarted.awaitOutcome())));
                    assertEquals(1, scope.active());

                    unstarted.cancel("not wanted");

                    assertTrue(unstarted.isCancellationRequested());
                    scope.awaitCompletion();
                    assertEquals(0, scope.active());
                    assertFalse(unstarted.hasStarted());
                    assertTrue(unstarted.isCancelled());
                    scope.close();
                });
        assertEquals(List.of("awaiter: not wanted", "handler: not wanted"), trail);
    }

    @HeddleTest(seeds = 20)
    void oneThatIsSuspendedIsWokenThereAndItsWaitIsStopped(TestWorld world) {
        var asleep =
                spawn(
                        () -> {
                            try {
                                delay(HOUR);
                            } catch (Cancellation thrown) {
                                trail.add(thrown.reason() + " at " + world.elapsed());
                                throw thrown;
                            }
                        });
        delay(Duration.ofSeconds(2));

        var outcome = asleep.cancelAndAwait("stop");

        assertEquals("stop", reason(outcome));

        assertEquals(List.of("stop at PT2S"), trail);
        assertEquals(Duration.ofSeconds(2), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void oneThatIsSuspendedBySuspendIsWokenWithIt() {
        var looping = spawn(CancellationTest::suspendForEver);
        suspend();
        assertTrue(looping.isQueued());

        assertEquals("stop", reason(looping.cancelAndAwait("stop")));
    }

    @HeddleTest(seeds = 20)
    void oneThatIsWokenButHasNotRunYetGetsTheCancellationInsteadOfTheValue(TestWorld world) {
        var promise = new Promise<String>();
        var waiter = spawn(() -> await(promise.deferred()));
        world.settle();
        promise.complete("value");
        assertEquals(CoroutineState.READY, waiter.state());

        waiter.cancel("stop");

        assertEquals("stop", reason(waiter.awaitOutcome()));
        assertEquals("value", await(promise.deferred()));
    }

    @HeddleTest(seeds = 20)
    void oneThatIsWokenByAnErrorGetsItAndTheCancellationAtItsNextSuspension(TestWorld world) {
        var promise = new Promise<String>();
        var waiter =
                spawn(
                        () -> {
                            assertThrows(
                                    IllegalStateException.class, () -> await(promise.deferred()));
                            trail.add("got the error");
                            suspend();
                        });
        world.settle();
        promise.fail(new IllegalStateException("broken"));

        waiter.cancel("stop");

        assertEquals("stop", reason(waiter.awaitOutcome()));

        assertEquals(List.of("got the error"), trail);
    }

    @Test
    void oneThatTimedOutButHasNotRunYetKeepsTheTimeout() {
        var world = World.virtual();
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
                                        trail.add("timed out");
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
        assertEquals(List.of("timed out"), trail);
    }

    @HeddleTest(seeds = 20)
    void awaitingAFinishedThingDeliversAPendingCancellation() {
        var done = spawn(() -> 1);
        await(done);
        var self =
                spawn(
                        () -> {
                            Heddle.current().cancel("stop");
                            await(done);
                            trail.add("never");
                        });

        assertEquals("stop", reason(self.awaitOutcome()));

        assertEquals(List.of(), trail);
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

    @HeddleTest(seeds = 20)
    void requestedAtOnceCancelledOnlyWhenItHasEnded(TestWorld world) {
        var asleep = spawn(() -> delay(HOUR));
        world.settle();
        asleep.cancel();

        assertTrue(asleep.isCancellationRequested());
        assertFalse(asleep.isCancelled());
        world.settle();
        assertTrue(asleep.isCancelled());
        assertTrue(asleep.isFinished());
    }

    @HeddleTest(seeds = 20)
    void onesThatEndedAreNeitherSuspendedNorRunningAndHaveNoStack(TestWorld world) {
        var done = spawn(() -> 1);
        var failed = spawn(() -> fail(new IllegalStateException("broken"))).observed();
        var cancelled = spawn(() -> delay(HOUR));
        assertTrue(cancelled.stack().isEmpty(), "not begun");
        world.settle();
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
    }

    @HeddleTest(seeds = 20)
    void awaitingACancelledOneThrowsTheSameCancellationAgainAndAgain() {
        var asleep = spawn(() -> delay(HOUR));
        suspend();
        asleep.cancel("stop");

        var first = assertThrows(Cancellation.class, () -> await(asleep));
        var second = assertThrows(Cancellation.class, () -> await(asleep));

        assertEquals("stop", first.reason());
        assertSame(first, second);
        assertFalse(Heddle.current().isCancellationRequested());
    }

    // ---- for these tests ----

    private static void suspendForEver() {
        while (!Thread.currentThread().isInterrupted()) {
            suspend();
        }
    }

    @HeddleTest(seeds = 20)
    void disposingOfACoroutineCancelsIt() {
        for (Consumer<Coroutine<?>> end :
                List.<Consumer<Coroutine<?>>>of(Event::dispose, Event::release)) {
            Scope.run(
                    block -> {
                        var child = block.spawn(() -> delay(HOUR));
                        delay(SECOND);
                        end.accept(child);
                        assertEquals("disposed of", reason(child.awaitOutcome()));
                        // Once more changes nothing.
                        end.accept(child);
                        child.dispose();
                    });
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
