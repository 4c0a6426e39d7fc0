package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// Interrupts: those of strangers, which mean cancel, and our own, which are only hints.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-03")
final class InterruptTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> trail = new ArrayList<>();
    private final Thread[] thread = new Thread[1];

    @HeddleTest(seeds = 20)
    void aForeignInterruptWakesASuspendedCoroutineAndCancelsIt(TestWorld world) {
        var asleep =
                spawn(
                        () -> {
                            thread[0] = Thread.currentThread();
                            delay(HOUR);
                        });
        world.settle();

        thread[0].interrupt();

        assertEquals("interrupted", reason(asleep.awaitOutcome()));

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void anInterruptOfARunningCoroutineIsThrownAtItsNextSuspension() {
        var self =
                spawn(
                        () -> {
                            Thread.currentThread().interrupt();
                            trail.add("running");
                            try {
                                suspend();
                            } finally {
                                trail.add("flag " + Thread.currentThread().isInterrupted());
                                delay(Duration.ofMillis(1));
                                trail.add("cleaned up");
                            }
                        });

        assertEquals("interrupted", reason(self.awaitOutcome()));

        assertEquals(List.of("running", "flag false", "cleaned up"), trail);
    }

    @HeddleTest(seeds = 20)
    void aForeignInterruptInACallOfTheJdkEndsTheCoroutineAsCancelled(TestWorld world) {
        var blocked = spawn(this::awaitNothing);
        world.settle();

        thread[0].interrupt();

        assertEquals("interrupted", reason(blocked.awaitOutcome()));
    }

    @HeddleTest(seeds = 20)
    void whoCatchesTheInterruptAndSetsTheFlagAgainIsCancelledAtTheNextSuspension(TestWorld world) {
        var polite =
                spawn(
                        () -> {
                            try {
                                awaitNothing();
                            } catch (InterruptedException caught) {
                                Thread.currentThread().interrupt();
                            }
                            suspend();
                            trail.add("never");
                        });
        world.settle();

        thread[0].interrupt();

        assertEquals("interrupted", reason(polite.awaitOutcome()));

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void anInterruptAfterACancellationKeepsTheFirstReason(TestWorld world) {
        var asleep =
                spawn(
                        () -> {
                            thread[0] = Thread.currentThread();
                            delay(HOUR);
                        });
        world.settle();
        asleep.cancel("stop");
        thread[0].interrupt();

        assertEquals("stop", reason(asleep.awaitOutcome()));
    }

    @HeddleTest(seeds = 20)
    void cancellingInterruptsACallOfTheJdk(TestWorld world) {
        var blocked = spawn(this::awaitNothing);
        world.settle();
        assertEquals(CoroutineState.IN_JDK_CALL, blocked.state());

        assertEquals("stop", reason(blocked.cancelAndAwait("stop")));
    }

    @HeddleTest(seeds = 20)
    void aCallThatIgnoresTheHintReturnsAndTheNextSuspensionThrows(TestWorld world) {
        var permits = new Semaphore(0);
        var blocked =
                spawn(
                        () -> {
                            permits.acquireUninterruptibly();
                            trail.add("acquired");
                            suspend();
                            trail.add("never");
                        });
        world.settle();
        blocked.cancel("stop");
        world.settle();
        assertFalse(blocked.isFinished());
        permits.release();

        assertEquals("stop", reason(blocked.awaitOutcome()));

        assertEquals(List.of("acquired"), trail);
    }

    @HeddleTest(seeds = 20)
    void theHintIsClearedAtTheSuspensionPointSoThatCleanUpMayBlock(TestWorld world) {
        var permits = new Semaphore(0);
        var release = new CountDownLatch(1);
        var blocked =
                spawn(
                        () -> {
                            permits.acquireUninterruptibly();
                            try {
                                suspend();
                            } finally {
                                release.await();
                                trail.add("cleaned up");
                            }
                        });
        world.settle();
        blocked.cancel("stop");
        permits.release();
        delay(Duration.ofMillis(10));
        release.countDown();

        assertEquals("stop", reason(blocked.awaitOutcome()));

        assertEquals(List.of("cleaned up"), trail);
    }

    @HeddleTest(seeds = 20)
    void aForeignInterruptAfterAnAnsweredHintStillCancels() {
        var twice =
                spawn(
                        () -> {
                            thread[0] = Thread.currentThread();
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> Heddle.within(Duration.ofMillis(1), this::awaitNothing));
                            trail.add("limit");
                            delay(HOUR);
                        });
        delay(Duration.ofMillis(5));

        thread[0].interrupt();

        assertEquals("interrupted", reason(twice.awaitOutcome()));

        assertEquals(List.of("limit"), trail);
    }

    @HeddleTest(seeds = 20)
    void anInterruptedExceptionFromACancelledCoroutineCountsAsCancelled() {
        var self =
                spawn(
                        () -> {
                            Heddle.current().cancel("stop");
                            fail(new InterruptedException("by hand"));
                        });
        assertEquals("stop", reason(self.awaitOutcome()));
    }

    @Test
    void whatTheJdkThrowsForAnInterruptIsKnown() {
        List.of(
                        new InterruptedException(),
                        new InterruptedIOException(),
                        new ClosedByInterruptException(),
                        new FileLockInterruptionException(),
                        new SocketException("Closed by interrupt"))
                .forEach(each -> assertTrue(JdkInterrupts.isOne(each), each.toString()));
        List.of(
                        new IOException("Closed by interrupt"),
                        new SocketTimeoutException("Read timed out"),
                        new SocketException("Connection reset"),
                        new IllegalStateException(new InterruptedException()))
                .forEach(each -> assertFalse(JdkInterrupts.isOne(each), each.toString()));
    }

    private void awaitNothing() throws InterruptedException {
        thread[0] = Thread.currentThread();
        new CountDownLatch(1).await();
    }
}
