package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.concurrent.FutureTask;

/// A stack that runs out in the middle of what we do: at every depth near the end of the stack a
/// coroutine suspends, spawns, or calls us in another way. It succeeds, or fails with the overflow;
/// whoever waits is told, and the loop goes on.
///
/// The depth is counted from the end of the stack: the recursion runs into it, goes back by so many
/// frames, and calls there. So it does not matter how big a frame is, which changes while the
/// compiler works.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-01")
final class StackSweepTest {
    private static final int DEPTHS = 1_000;

    // So that all of them together are more than what native calls want to find free.
    private static final int FRAMES_EACH = 4;

    // Small, so that the end is soon reached.
    private static final int STACK_BYTES = 512 * 1024;

    /// What is called at the end of the stack.
    private enum Call {
        DELAY {
            @Override
            void make() {
                delay(Duration.ofMillis(1));
            }
        },
        SUSPEND {
            @Override
            void make() {
                suspend();
            }
        },
        SPAWN_AND_AWAIT {
            @Override
            void make() {
                assertEquals(7, spawn(() -> 7).await());
            }
        },
        SCOPE {
            @Override
            void make() {
                Scope.run(scope -> scope.spawn(() -> delay(Duration.ofMillis(1))));
            }
        },
        LIMIT {
            @Override
            void make() {
                Heddle.within(Duration.ofHours(1), () -> delay(Duration.ofMillis(1)));
            }
        },
        SHIELD {
            @Override
            void make() {
                Heddle.protect(() -> delay(Duration.ofMillis(1)));
            }
        },
        PROMISE {
            @Override
            void make() {
                var promise = new Promise<Integer>();
                spawn(() -> promise.complete(7));
                assertEquals(7, promise.deferred().await());
            }
        },
        CALLBACK {
            // Called by the loop, when the promise is kept: it fails what comes of it.
            @Override
            void make() {
                var promise = new Promise<Integer>();
                var made = promise.deferred().map(value -> overflow(value) + 1);
                promise.complete(7);
                assertTrue(made.awaitOutcome() instanceof Outcome.Failure<Integer>);
            }

            private static int overflow(int value) {
                return overflow(value + 1) + 1;
            }
        },
        CANCEL {
            @Override
            void make() {
                var victim = spawn(() -> delay(Duration.ofHours(1)));
                suspend();
                victim.cancelAndAwait("enough");
            }
        };

        abstract void make();
    }

    private int overflows;
    private int successes;

    @ParameterizedTest
    @EnumSource
    void whereverTheStackRunsOutTheAwaiterIsToldAndTheLoopGoesOn(Call call) throws Exception {
        var program =
                new FutureTask<Void>(
                        () -> {
                            sweep(call);
                            return null;
                        });
        new Thread(null, program, "small-stack", STACK_BYTES).start();
        program.get();
        System.out.printf(
                "%s: %d overflows, %d successes at %d depths%n",
                call, overflows, successes, DEPTHS);
        assertTrue(overflows > 0, "the end of the stack was never reached");
        assertTrue(successes > 0, "the call never succeeded");
    }

    private void sweep(Call call) {
        World.virtual()
                .run(
                        () -> {
                            // A class or a call site whose first use runs out of stack is broken
                            // for ever, by the rules of the JVM: so nothing here is a first use.
                            spawn(call::make).await();
                            tryAt(DEPTHS, call);
                            for (int frames = 0; frames < DEPTHS; frames++) {
                                tryAt(frames, call);
                            }
                        });
    }

    private void tryAt(int frames, Call call) {
        var deep = spawn(() -> new Dive(FRAMES_EACH * frames, call).down());
        switch (deep.awaitOutcome()) {
            case Outcome.Success<Integer>(var value) -> {
                assertEquals(1, value);
                successes++;
            }
            case Outcome.Failure<Integer>(var error) -> {
                assertTrue(isOverflow(error), () -> frames + ": " + error);
                overflows++;
            }
            case Outcome.Cancelled<Integer>(var cancellation) ->
                    throw new AssertionError(frames + " frames", cancellation);
        }
        assertEquals(3, spawn(StackSweepTest::threeSteps).await());
    }

    // The JDK may put something around it, as its stack walker does.
    private static boolean isOverflow(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof StackOverflowError;
    }

    private static int threeSteps() {
        suspend();
        delay(Duration.ofMillis(1));
        return 3;
    }

    /// Runs into the end of the stack, comes back by some frames, and calls.
    private static final class Dive {
        private final Call call;
        private int framesBack;
        private boolean called;

        Dive(int framesBack, Call call) {
            this.framesBack = framesBack;
            this.call = call;
        }

        int down() {
            try {
                return down();
            } catch (StackOverflowError end) {
                if (called || framesBack-- > 0) {
                    throw end;
                }
            }
            called = true;
            call.make();
            return 1;
        }
    }
}
