package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// Bodies that do their worst: the loop lives, and whoever waits is told.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-04")
final class HostileBodyTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.virtual();
    private int depth;

    @Test
    void aStackThatRunsOutIsAFailureLikeAnyOther() {
        world.run(
                () -> {
                    Coroutine<Integer> deep = spawn(() -> recurse());
                    assertThrows(StackOverflowError.class, deep::await);
                    assertAlive();
                });
    }

    @Test
    void aStackThatRunsOutMayBeCaughtAndTheCoroutineGoesOn() {
        world.run(
                () -> {
                    var survivor =
                            spawn(
                                    () -> {
                                        assertThrows(StackOverflowError.class, this::recurse);
                                        delay(HOUR);
                                        return "survived";
                                    });
                    assertEquals("survived", survivor.await());
                });
    }

    @Test
    void aReportNamesTheCausesOfAnError() {
        var error = new IllegalStateException("no order", new IllegalArgumentException("no disk"));

        assertThrows(
                IllegalStateException.class,
                () ->
                        world.run(
                                () -> {
                                    spawn(
                                            () -> {
                                                throw error;
                                            });
                                }));

        assertEquals(
                List.of(
                        "uncaught in Coroutine #2, spawned at HostileBodyTest:"
                                + " java.lang.IllegalStateException: no order, caused by"
                                + " java.lang.IllegalArgumentException: no disk"),
                world.reports(Report.Kind.UNCAUGHT));
    }

    @Test
    void aStackThatRunsOutInsideASpawnLeavesTheLoopInOrder() {
        // Again and again, since it depends on the compiler's mood in which call it runs out.
        for (int program = 0; program < 10; program++) {
            var counts = new int[2];
            World.virtual()
                    .run(
                            () -> {
                                Coroutine<Integer> deep = spawn(() -> spawnDeeper(counts));
                                assertThrows(StackOverflowError.class, deep::await);
                                assertAlive();
                            });
            // The last one ran out: it never begins, or began if only its return was too deep.
            assertEquals(counts[0], counts[1], 1);
        }
    }

    private static int spawnDeeper(int[] counts) {
        counts[0]++;
        spawn(() -> counts[1]++);
        return 1 + spawnDeeper(counts);
    }

    @Test
    void tooLittleMemoryIsAFailureLikeAnyOther() {
        world.run(
                () -> {
                    Coroutine<Integer> greedy = spawn(() -> new long[Integer.MAX_VALUE - 8].length);
                    assertThrows(OutOfMemoryError.class, greedy::await);
                    assertAlive();
                });
    }

    @Test
    void anErrorOfTheJvmThatNobodyObservesEndsTheProgram() {
        var failure = new OutOfMemoryError("on purpose");

        var thrown =
                assertThrows(
                        OutOfMemoryError.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(
                                                    () -> {
                                                        throw failure;
                                                    });
                                            delay(HOUR);
                                        }));

        assertSame(failure, thrown);
        assertEquals(1, world.reports(Report.Kind.UNCAUGHT).size());
    }

    @Test
    void aThrowableThatIsNeitherExceptionNorErrorArrivesAsACause() {
        @SuppressWarnings("serial")
        class Odd extends Throwable {}
        var failure = new Odd();

        world.run(
                () -> {
                    Coroutine<String> odd = spawn(() -> HostileBodyTest.<String>sneak(failure));
                    var outcome = odd.awaitOutcome();
                    assertSame(failure, assertInstanceOf(Outcome.Failure.class, outcome).error());
                    var thrown = assertThrows(RuntimeException.class, odd::await);
                    assertSame(failure, thrown.getCause());
                });
    }

    @Test
    void aBodyThatThrowsACancellationOfItsOwnHasFailed() {
        world.run(
                () -> {
                    var stolen = new Cancellation[1];
                    var victim =
                            spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } catch (Cancellation mine) {
                                            stolen[0] = mine;
                                            throw mine;
                                        }
                                    });
                    suspend();
                    victim.cancelAndAwait("enough");
                    Coroutine<String> thief =
                            spawn(
                                    () -> {
                                        throw stolen[0];
                                    });
                    assertInstanceOf(Outcome.Failure.class, thief.awaitOutcome());
                });
    }

    @Test
    void aBodyThatInterruptsItselfIsCancelledAtItsNextSuspensionPoint() {
        world.run(
                () -> {
                    var self =
                            spawn(
                                    () -> {
                                        Thread.currentThread().interrupt();
                                        world.say("goes on");
                                        suspend();
                                        world.say("never");
                                    });
                    var outcome = self.awaitOutcome();
                    assertInstanceOf(Outcome.Cancelled.class, outcome);
                });

        assertEquals(List.of("goes on"), world.trail);
    }

    @Test
    void aBodyThatCancelsItselfIsCancelledAtItsNextSuspensionPoint() {
        world.run(
                () -> {
                    var self =
                            spawn(
                                    () -> {
                                        Heddle.current().cancel("enough of me");
                                        world.say("goes on");
                                        delay(HOUR);
                                        world.say("never");
                                    });
                    var outcome = self.awaitOutcome();
                    var cancelled = assertInstanceOf(Outcome.Cancelled.class, outcome);
                    assertEquals("enough of me", cancelled.cancellation().reason());
                });

        assertEquals(List.of("goes on"), world.trail);
    }

    @Test
    void aBodyThatSpawnsForEverIsEndedByTheShutdown() {
        world.run(
                () -> {
                    spawn(this::breed);
                    for (int i = 0; i < 100; i++) {
                        suspend();
                    }
                    Heddle.shutdown();
                });

        assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
    }

    private void breed() {
        delay(Duration.ofNanos(1));
        spawn(this::breed);
    }

    private void assertAlive() {
        var other = spawn(() -> ticks(10));
        assertEquals(10, other.await());
    }

    private int ticks(int count) {
        for (int i = 0; i < count; i++) {
            suspend();
        }
        return count;
    }

    private int recurse() {
        depth++;
        return recurse() + 1;
    }

    private static <T> T sneak(Throwable thrown) {
        HostileBodyTest.<RuntimeException>sneakily(thrown);
        throw new AssertionError("not reached");
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneakily(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void anExceptionThatThrowsWhenAskedForItsMessageIsAFailureLikeAnyOther() {
        var failure = new Mute();

        var thrown =
                assertThrows(
                        Mute.class,
                        () ->
                                world.run(
                                        () ->
                                                Scope.run(
                                                        scope -> {
                                                            scope.spawn(
                                                                    () -> {
                                                                        throw failure;
                                                                    });
                                                            scope.spawn(() -> delay(HOUR));
                                                        })));

        assertSame(failure, thrown);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void anExceptionThatThrowsWhenAskedForItsMessageShutsTheProgramDown() {
        var failure = new Mute();

        var thrown =
                assertThrows(
                        Mute.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(
                                                    () -> {
                                                        throw failure;
                                                    });
                                            delay(HOUR);
                                        }));

        assertSame(failure, thrown);
        var reports = world.reports(Report.Kind.UNCAUGHT);
        assertEquals(1, reports.size(), reports.toString());
        assertTrue(reports.getFirst().startsWith("uncaught in Coroutine #2"), reports.getFirst());
    }

    /// Neither says what happened nor where.
    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("on purpose");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new UnsupportedOperationException("on purpose");
        }
    }
}
