package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// An error that comes when its block has ended goes to the next who can take it, or is reported.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class LateErrorsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private World world = World.virtual();
    private final List<String> trail = new ArrayList<>();
    private int ignoredOnes;

    @Test
    void aFinallyHandlerOfABlockThatThrowsEndsTheProgram() {
        assertUncaught(
                "in finally",
                () -> {
                    Scope.run(block -> block.onFinally(_ -> fail("in finally")));
                    delay(HOUR);
                });
    }

    @Test
    void aCompletionHandlerOfAnAwaitedChildThatThrowsDoesToo() {
        assertUncaught(
                "in handler",
                () -> {
                    Scope.run(
                            block -> {
                                var child = block.spawn(() -> "value");
                                child.onCompletion(_ -> fail("in handler"));
                                child.await();
                            });
                    delay(HOUR);
                });
    }

    @Test
    void itIsTakenByTheBlockAroundIfThereIsOne() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () ->
                                            Scope.run(
                                                    _ -> {
                                                        Scope.run(
                                                                block ->
                                                                        block.onFinally(
                                                                                _ -> fail("late")));
                                                        delay(HOUR);
                                                    }));
                    assertEquals("late", thrown.getMessage());
                });
    }

    @Test
    void aChildThatWasGivenUpAndFailsLateIsTold() {
        // Time must pass by itself: the child is always ready.
        world = World.real().with(options -> options.cleanUpWindow(Duration.ofMillis(1)));
        assertUncaught(
                "late",
                () -> {
                    var host = spawn(() -> Scope.run(block -> block.spawn(this::ignoreAndFail)));
                    suspend();
                    suspend();
                    host.cancelAndAwait("stop");
                    trail.add("block ended");
                    delay(HOUR);
                });
        assertEquals(List.of("block ended"), trail);
        assertTrue(ignoredOnes > 3, () -> "" + ignoredOnes);
    }

    private void ignoreAndFail() {
        while (!Heddle.current().isZombie()) {
            ignoreOne();
        }
        while (trail.isEmpty()) {
            ignoreOne();
        }
        fail("late");
    }

    private void ignoreOne() {
        try {
            delay(HOUR);
        } catch (Cancellation ignored) {
            ignoredOnes++;
        }
    }

    @Test
    void reportsNameWhatIsSuppressed() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        world.run(
                                () -> {
                                    spawn(
                                            () -> {
                                                var first = new IllegalStateException("first");
                                                first.addSuppressed(new Exception("second"));
                                                throw first;
                                            });
                                    delay(HOUR);
                                }));
        String text = world.reports().getFirst().text();
        assertTrue(text.contains("first") && text.contains("second"), text);
    }

    private static void fail(String message) {
        throw new IllegalStateException(message);
    }

    private void assertUncaught(String message, VoidOp<RuntimeException> program) {
        var thrown = assertThrows(IllegalStateException.class, () -> world.run(program));
        assertEquals(message, thrown.getMessage());
        assertTrue(
                world.reports().stream()
                        .anyMatch(
                                each ->
                                        each.kind() == Report.Kind.UNCAUGHT
                                                && each.text().contains(message)),
                () -> world.reports().toString());
    }
}
