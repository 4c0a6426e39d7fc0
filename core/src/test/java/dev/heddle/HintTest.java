package dev.heddle;

import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/// Cancellations that find nothing in a call of the JDK to end, and exceptions that tell nothing.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class HintTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(10);

    private final List<String> trail = new ArrayList<>();

    // ---- an interrupt that comes when there is nothing to end ----

    @HeddleTest(seeds = 20)
    void aCallThatHasItsResultIsNotEndedAndTheNextSuspensionPointThrows(TestWorld world) {
        var queue = new LinkedBlockingQueue<Integer>();
        var taking =
                spawn(
                        () -> {
                            trail.add("took " + queue.take());
                            delay(SECOND);
                            trail.add("not reached");
                        });
        world.settle();
        queue.add(1);
        taking.cancel("stop");
        assertEquals("stop", reason(taking.awaitOutcome()));
        assertEquals(List.of("took 1"), trail);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void alsoInABlockWhoseChildFails(TestWorld world) {
        var queue = new LinkedBlockingQueue<Integer>();
        assertThrows(
                IllegalStateException.class,
                () ->
                        Scope.run(
                                block -> {
                                    block.spawn(
                                            () -> {
                                                delay(MOMENT);
                                                queue.add(1);
                                                throw new IllegalStateException("on purpose");
                                            });
                                    trail.add("took " + queue.take());
                                    delay(SECOND);
                                    trail.add("not reached");
                                }));
        assertEquals(List.of("took 1"), trail);
        assertEquals(MOMENT, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aLoopThatSwallowsTheInterruptIsACallThatGoesOn(TestWorld world) {
        var queue = new LinkedBlockingQueue<Integer>();
        var waiting =
                spawn(
                        () -> {
                            trail.add("took " + takeWhateverHappens(queue));
                            delay(SECOND);
                            trail.add("not reached");
                        });
        world.settle();
        waiting.cancel("stop");
        world.settle();
        queue.add(1);
        assertEquals("stop", reason(waiting.awaitOutcome()));
        assertEquals(List.of("took 1"), trail);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    private static int takeWhateverHappens(LinkedBlockingQueue<Integer> queue) {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException swallowed) {
                // As old code does.
            }
        }
    }

    // ---- what is thrown ----

    @HeddleTest
    void anExceptionThatThrowsWhenItIsAskedIsAFailureLikeAnyOther(TestWorld world) {
        var hostile =
                new SocketException() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("ask somebody else");
                    }
                };
        var failing =
                spawn(
                                () ->
                                        Scope.run(
                                                block -> {
                                                    block.spawn(() -> delay(MOMENT));
                                                    try {
                                                        delay(SECOND);
                                                    } catch (Cancellation cut) {
                                                        throw hostile;
                                                    }
                                                }))
                        .observed();
        world.settle();
        var failed = assertInstanceOf(Outcome.Failure.class, failing.cancelAndAwait("stop"));
        assertSame(hostile, failed.error());
    }

    @Test
    void aCloseThatFailsWhileItIsCancelledIsReported() throws IOException {
        var world = World.virtual();
        world.run(
                () -> {
                    var closing = spawn(HintTest::closeBadly);
                    suspend();
                    assertEquals("stop", reason(closing.cancelAndAwait("stop")));
                    Heddle.withinOrElse(MOMENT, HintTest::closeBadly, () -> {});
                });
        var reports = world.reports(Report.Kind.UNREAD_FAILURE);
        assertEquals(2, reports.size());
        reports.forEach(each -> assertTrue(each.contains("disk full"), each));
    }

    private static void closeBadly() throws IOException {
        try (Closeable _ = HintTest::failToClose) {
            delay(SECOND);
        }
    }

    private static void failToClose() throws IOException {
        throw new IOException("disk full");
    }
}
