package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.OnHeddle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Throwables that do their worst, thrown wherever a program can throw: whoever waits gets the very
/// object, the loop lives, and what was suppressed stays suppressed.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-04")
final class HostileThrowableTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /// What is thrown.
    private enum Kind {
        @SuppressWarnings("removal") // Nobody throws it for the program any more, but it can.
        THREAD_DEATH(ThreadDeath::new),
        CIRCLE_OF_CAUSES(HostileThrowableTest::circle),
        MUTE(Mute::new),
        CHECKED(() -> new IOException("sneaked past the compiler")),
        NEITHER_EXCEPTION_NOR_ERROR(() -> new Throwable("plain")),
        WITHOUT_STACK(
                () ->
                        new Exception("no stack", null, false, false) {
                            private static final long serialVersionUID = 1;
                        }),
        OUT_OF_MEMORY(() -> new OutOfMemoryError("on purpose")),
        STOLEN_CANCELLATION(() -> new Cancellation("somebody else's", null, false));

        private final Supplier<Throwable> maker;

        Kind(Supplier<Throwable> maker) {
            this.maker = maker;
        }
    }

    /// Where it is thrown: each gives what whoever waits gets.
    private enum Place {
        BODY {
            @Override
            Throwable thrownAt(Throwable thrown) {
                return failureOf(spawn(() -> sneak(thrown)));
            }
        },
        AFTER_A_WAIT {
            @Override
            Throwable thrownAt(Throwable thrown) {
                return failureOf(
                        spawn(
                                () -> {
                                    delay(Duration.ofMillis(1));
                                    return sneak(thrown);
                                }));
            }
        },
        FINALLY {
            @Override
            Throwable thrownAt(Throwable thrown) {
                return failureOf(
                        spawn(
                                () -> {
                                    try {
                                        suspend();
                                        return "never seen";
                                    } finally {
                                        sneak(thrown);
                                    }
                                }));
            }
        },
        PROMISE_CALLBACK {
            @Override
            Throwable thrownAt(Throwable thrown) {
                var promise = new Promise<Integer>();
                var made = promise.deferred().map(_ -> HostileThrowableTest.<String>sneak(thrown));
                promise.complete(1);
                return failureOf(made);
            }
        },
        WORKER {
            @Override
            Throwable thrownAt(Throwable thrown) {
                return failureOf(
                        spawn(() -> offload(() -> HostileThrowableTest.<String>sneak(thrown))));
            }
        };

        abstract Throwable thrownAt(Throwable thrown);
    }

    static Stream<Arguments> everywhere() {
        return Arrays.stream(Kind.values())
                .flatMap(kind -> Arrays.stream(Place.values()).map(p -> Arguments.of(kind, p)));
    }

    @OnHeddle
    @ParameterizedTest
    @MethodSource("everywhere")
    void whoWaitsGetsTheVeryObjectAndTheLoopLives(Kind kind, Place place) {
        var thrown = kind.maker.get();
        var before = new IllegalStateException("suppressed on purpose");
        boolean keeps = kind != Kind.WITHOUT_STACK && kind != Kind.STOLEN_CANCELLATION;
        if (keeps) {
            thrown.addSuppressed(before);
        }
        var got = place.thrownAt(thrown);
        // A plain Throwable cannot be rethrown by what declares no such thing.
        boolean wrapped = place == Place.WORKER && kind == Kind.NEITHER_EXCEPTION_NOR_ERROR;
        assertSame(thrown, wrapped ? got.getCause() : got);
        assertEquals(3, spawn(HostileThrowableTest::threeSteps).await());
        if (keeps) {
            assertSame(before, thrown.getSuppressed()[0]);
        }
    }

    static Stream<Kind> fatal() {
        // Somebody else's cancellation is no news, wherever it ends.
        return Arrays.stream(Kind.values()).filter(kind -> kind != Kind.STOLEN_CANCELLATION);
    }

    @ParameterizedTest
    @MethodSource("fatal")
    void uncaughtItEndsTheProgramIsReportedOnceAndCleanUpRuns(Kind kind) {
        var world = World.virtual();
        var thrown = kind.maker.get();
        var got =
                assertThrows(
                        Throwable.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(() -> sneak(thrown));
                                            try {
                                                delay(HOUR);
                                            } finally {
                                                world.say("cleaned up");
                                            }
                                        }));
        assertTrue(got == thrown || got.getCause() == thrown, () -> "another one: " + got);
        assertEquals(List.of("cleaned up"), world.trail);
        assertEquals(1, world.reports(Report.Kind.UNCAUGHT).size());
    }

    private static int threeSteps() {
        suspend();
        delay(Duration.ofMillis(1));
        return 3;
    }

    private static Throwable failureOf(Awaitable<?> awaited) {
        return switch (awaited.awaitOutcome()) {
            case Outcome.Failure<?>(var error) -> error;
            case Outcome.Success<?>(var value) -> new AssertionError("succeeded: " + value);
            case Outcome.Cancelled<?>(var why) -> new AssertionError("cancelled", why);
        };
    }

    private static Throwable circle() {
        var first = new IllegalStateException("first");
        first.initCause(new IllegalArgumentException("second", first));
        return first;
    }

    private static <T> T sneak(Throwable thrown) {
        HostileThrowableTest.<RuntimeException>sneakily(thrown);
        throw new AssertionError("not reached");
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneakily(Throwable thrown) throws X {
        throw (X) thrown;
    }

    /// Says nothing when it is asked, but throws.
    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("getMessage");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new UnsupportedOperationException("getCause");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new UnsupportedOperationException("getStackTrace");
        }

        @Override
        public String toString() {
            throw new UnsupportedOperationException("toString");
        }
    }
}
