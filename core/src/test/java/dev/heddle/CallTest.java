package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.Loop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/// Threads that are not on a loop have it run something, and wait.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CallTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /// Runs `body` on a thread of its own while a program runs, whose loop it is given.
    private static <T> T outside(Fn<Loop, T, Exception> body) throws Exception {
        return World.real()
                .<T, Exception>call(
                        () -> {
                            var result = new CompletableFuture<T>();
                            Loop loop = Heddle.current().loop();
                            Thread.ofPlatform()
                                    .start(
                                            () -> {
                                                try {
                                                    result.complete(body.apply(loop));
                                                } catch (Throwable thrown) {
                                                    result.completeExceptionally(thrown);
                                                }
                                            });
                            return await(Deferred.<T>from(result), Exception.class);
                        });
    }

    @Test
    void bodyRunsAsACoroutineOfTheLoopAndItsValueComesBack() throws Exception {
        String value =
                outside(
                        loop ->
                                Heddle.call(
                                        loop,
                                        () -> {
                                            delay(Duration.ofMillis(1));
                                            assertSame(loop, Heddle.current().loop());
                                            return "value";
                                        }));

        assertEquals("value", value);
    }

    @Test
    void failureIsThrownWithItsOwnTypeAndNotReported() throws Exception {
        var error = new IOException("bad");
        boolean same =
                outside(
                        loop ->
                                error
                                        == assertThrows(
                                                IOException.class,
                                                () -> Heddle.call(loop, failing(error))));

        assertTrue(same);
    }

    private static VoidOp<IOException> failing(IOException error) {
        return () -> {
            throw error;
        };
    }

    @Test
    void timeoutCancelsTheCoroutineAndIsThrownWhenItHasEnded() throws Exception {
        var cleanedUp = new CountDownLatch(1);
        boolean timedOut =
                outside(
                        loop ->
                                assertThrows(
                                                OperationCancelledException.class,
                                                () ->
                                                        Heddle.call(
                                                                loop,
                                                                Duration.ofMillis(1),
                                                                () -> endless(cleanedUp)))
                                        .timedOut());

        assertTrue(timedOut);
    }

    private static String endless(CountDownLatch cleanedUp) {
        try {
            delay(HOUR);
            return "never";
        } finally {
            cleanedUp.countDown();
        }
    }

    @Test
    void interruptOfTheCallerCancelsTheCoroutine() throws Exception {
        var cleanedUp = new CountDownLatch(1);
        outside(
                loop -> {
                    Thread caller = Thread.currentThread();
                    assertThrows(
                            InterruptedException.class,
                            () ->
                                    Heddle.call(
                                            loop,
                                            () -> {
                                                caller.interrupt();
                                                endless(cleanedUp);
                                            }));
                    assertEquals(0, cleanedUp.getCount());
                    assertFalse(Thread.interrupted());
                    return true;
                });
    }

    @Test
    void valueThatComesInSpiteOfAnInterruptIsReturnedAndTheFlagStays() throws Exception {
        outside(
                loop -> {
                    Thread caller = Thread.currentThread();
                    String value =
                            Heddle.call(
                                    loop,
                                    () -> {
                                        caller.interrupt();
                                        try {
                                            delay(HOUR);
                                        } catch (Cancellation swallowed) {
                                            return "all the same";
                                        }
                                        return "never";
                                    });
                    assertEquals("all the same", value);
                    assertTrue(Thread.interrupted());
                    return true;
                });
    }

    @Test
    void cancellationByTheProgramIsThrownAsOne() throws Exception {
        outside(
                loop -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () ->
                                            Heddle.call(
                                                    loop,
                                                    Duration.ofHours(1),
                                                    () -> {
                                                        Heddle.current().cancel("by the program");
                                                        delay(HOUR);
                                                    }));
                    assertEquals("by the program", thrown.getMessage());
                    assertFalse(thrown.timedOut());
                    return true;
                });
    }

    @Test
    void onTheLoopItselfAndAfterItsEndItIsRefused() {
        var kept =
                World.real()
                        .<Loop, RuntimeException>call(
                                () -> {
                                    Loop loop = Heddle.current().loop();
                                    var refused =
                                            assertThrows(
                                                    IllegalStateException.class,
                                                    () -> Heddle.call(loop, () -> "never"));
                                    assertTrue(
                                            String.valueOf(refused.getMessage())
                                                    .endsWith("spawn and await"),
                                            refused.getMessage());
                                    return loop;
                                });

        assertThrows(IllegalStateException.class, () -> Heddle.call(kept, () -> "never"));
    }
}
