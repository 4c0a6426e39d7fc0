package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;

/// Cancellations that find a coroutine in a blocking call of the JDK, on the machine's own clock.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class CancellationInJdkBlockingTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.real();

    @Test
    void aLimitEndsASleep() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> within(Duration.ofMillis(5), () -> Thread.sleep(HOUR)));
                    assertTrue(thrown.timedOut());
                    assertFalse(Thread.currentThread().isInterrupted());
                    suspend();
                });
    }

    @Test
    void cancellingEndsASleep() {
        world.run(
                () -> {
                    var asleep = spawn(() -> Thread.sleep(HOUR));
                    suspend();

                    assertEquals("stop", reason(asleep.cancelAndAwait("stop")));
                });
    }

    @Test
    void aLimitEndsAnAcceptAndTheJdkClosesTheSocket() throws IOException {
        world.run(
                () -> {
                    try (var server = listening()) {
                        assertThrows(
                                OperationCancelledException.class,
                                () -> within(Duration.ofMillis(5), server::accept));
                        assertTrue(server.isClosed());
                    }
                });
    }

    @Test
    void cancellingEndsAnAcceptOfAChannel() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(null);
            world.run(
                    () -> {
                        var accepting = spawn(server::accept);
                        suspend();

                        assertEquals("stop", reason(accepting.cancelAndAwait("stop")));
                    });
            assertFalse(server.isOpen());
        }
    }

    @Test
    void whenASiblingFailsTheWaiterGetsItTheAcceptReturnsAndNothingIsLeft() throws IOException {
        var failure = new IllegalStateException("broken");
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    var server = listening();
                    var accepting =
                            scope.spawn(
                                    () -> {
                                        try (server) {
                                            return server.accept();
                                        }
                                    });
                    scope.spawn(
                            () -> {
                                delay(Duration.ofMillis(1));
                                fail(failure);
                            });

                    var thrown = assertThrows(IllegalStateException.class, scope::awaitCompletion);

                    assertSame(failure, thrown);
                    accepting.awaitOutcome();
                    assertTrue(accepting.isCancelled());
                    assertTrue(server.isClosed());
                    assertTrue(scope.isFinished());
                    assertEquals(List.of(Heddle.current()), Heddle.coroutines());
                });
        assertEquals(List.of(), world.reports());
    }

    @Test
    void inABlockASiblingsFailureEndsTheAcceptToo() {
        var failure = new IllegalStateException("broken");
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    scope -> {
                                                        scope.spawn(() -> acceptOnce());
                                                        scope.spawn(
                                                                () -> {
                                                                    delay(Duration.ofMillis(1));
                                                                    fail(failure);
                                                                });
                                                    }));
                    assertSame(failure, thrown);
                    assertEquals(0, thrown.getSuppressed().length);
                });
        assertEquals(List.of(), world.reports());
    }

    private static void acceptOnce() throws IOException {
        try (var server = listening()) {
            server.accept().close();
        }
    }

    @Test
    void aSleepInCleanUpIsNotInterruptedWithinTheWindow() {
        world.with(options -> options.cleanUpWindow(HOUR))
                .run(
                        () -> {
                            var tidy =
                                    spawn(
                                            () -> {
                                                try {
                                                    Thread.sleep(HOUR);
                                                } finally {
                                                    Thread.sleep(Duration.ofMillis(5));
                                                    world.say("cleaned up");
                                                }
                                            });
                            suspend();

                            assertEquals("stop", reason(tidy.cancelAndAwait("stop")));
                        });
        assertEquals(List.of("cleaned up"), world.trail);
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }
}
