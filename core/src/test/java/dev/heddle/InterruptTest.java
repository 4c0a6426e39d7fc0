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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// Interrupts: those of strangers, which mean cancel, and our own, which are only hints.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-03")
final class InterruptTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.virtual();
    private final Thread[] thread = new Thread[1];

    @Test
    void aForeignInterruptWakesASuspendedCoroutineAndCancelsIt() {
        world.run(
                () -> {
                    var asleep =
                            spawn(
                                    () -> {
                                        thread[0] = Thread.currentThread();
                                        delay(HOUR);
                                    });
                    suspend();

                    thread[0].interrupt();

                    assertEquals("interrupted", reason(asleep.awaitOutcome()));
                });
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void anInterruptOfARunningCoroutineIsThrownAtItsNextSuspension() {
        world.run(
                () -> {
                    var self =
                            spawn(
                                    () -> {
                                        Thread.currentThread().interrupt();
                                        world.say("running");
                                        try {
                                            suspend();
                                        } finally {
                                            world.say(
                                                    "flag "
                                                            + Thread.currentThread()
                                                                    .isInterrupted());
                                            delay(Duration.ofMillis(1));
                                            world.say("cleaned up");
                                        }
                                    });

                    assertEquals("interrupted", reason(self.awaitOutcome()));
                });
        assertEquals(List.of("running", "flag false", "cleaned up"), world.trail);
    }

    @Test
    void aForeignInterruptInACallOfTheJdkEndsTheCoroutineAsCancelled() {
        world.run(
                () -> {
                    var blocked = spawn(this::awaitNothing);
                    suspend();

                    thread[0].interrupt();

                    assertEquals("interrupted", reason(blocked.awaitOutcome()));
                });
    }

    @Test
    void whoCatchesTheInterruptAndSetsTheFlagAgainIsCancelledAtTheNextSuspension() {
        world.run(
                () -> {
                    var polite =
                            spawn(
                                    () -> {
                                        try {
                                            awaitNothing();
                                        } catch (InterruptedException caught) {
                                            Thread.currentThread().interrupt();
                                        }
                                        suspend();
                                        world.say("never");
                                    });
                    suspend();

                    thread[0].interrupt();

                    assertEquals("interrupted", reason(polite.awaitOutcome()));
                });
        assertEquals(List.of(), world.trail);
    }

    @Test
    void anInterruptAfterACancellationKeepsTheFirstReason() {
        world.run(
                () -> {
                    var asleep =
                            spawn(
                                    () -> {
                                        thread[0] = Thread.currentThread();
                                        delay(HOUR);
                                    });
                    suspend();
                    asleep.cancel("stop");
                    thread[0].interrupt();

                    assertEquals("stop", reason(asleep.awaitOutcome()));
                });
    }

    @Test
    void cancellingInterruptsACallOfTheJdk() {
        world.run(
                () -> {
                    var blocked = spawn(this::awaitNothing);
                    suspend();
                    assertEquals(CoroutineState.IN_JDK_CALL, blocked.state());

                    assertEquals("stop", reason(blocked.cancelAndAwait("stop")));
                });
    }

    @Test
    void aCallThatIgnoresTheHintReturnsAndTheNextSuspensionThrows() {
        world.run(
                () -> {
                    var permits = new Semaphore(0);
                    var blocked =
                            spawn(
                                    () -> {
                                        permits.acquireUninterruptibly();
                                        world.say("acquired");
                                        suspend();
                                        world.say("never");
                                    });
                    suspend();
                    blocked.cancel("stop");
                    suspend();
                    assertFalse(blocked.isFinished());
                    permits.release();

                    assertEquals("stop", reason(blocked.awaitOutcome()));
                });
        assertEquals(List.of("acquired"), world.trail);
    }

    @Test
    void theHintIsClearedAtTheSuspensionPointSoThatCleanUpMayBlock() {
        world.run(
                () -> {
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
                                            world.say("cleaned up");
                                        }
                                    });
                    suspend();
                    blocked.cancel("stop");
                    permits.release();
                    delay(Duration.ofMillis(10));
                    release.countDown();

                    assertEquals("stop", reason(blocked.awaitOutcome()));
                });
        assertEquals(List.of("cleaned up"), world.trail);
    }

    @Test
    void aForeignInterruptAfterAnAnsweredHintStillCancels() {
        world.run(
                () -> {
                    var twice =
                            spawn(
                                    () -> {
                                        thread[0] = Thread.currentThread();
                                        assertThrows(
                                                OperationCancelledException.class,
                                                () ->
                                                        Heddle.within(
                                                                Duration.ofMillis(1),
                                                                this::awaitNothing));
                                        world.say("limit");
                                        delay(HOUR);
                                    });
                    delay(Duration.ofMillis(5));

                    thread[0].interrupt();

                    assertEquals("interrupted", reason(twice.awaitOutcome()));
                });
        assertEquals(List.of("limit"), world.trail);
    }

    @Test
    void anInterruptedExceptionFromACancelledCoroutineCountsAsCancelled() {
        world.run(
                () -> {
                    var self =
                            spawn(
                                    () -> {
                                        Heddle.current().cancel("stop");
                                        fail(new InterruptedException("by hand"));
                                    });
                    assertEquals("stop", reason(self.awaitOutcome()));
                });
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
