package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.concurrent.FutureTask;

/// A stack that runs out while a resource is handed over, at every depth near its end, as in
/// [StackSweepTest]: the resource is closed all the same.
///
/// The exception are the first calls of all, those that find out on which loop we are: where there
/// is no room even for these, the overflow leaves the resource open if its close has no room, too.
/// As if `spawn` could not be called, which may happen a frame earlier.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-01")
final class OwnedStackTest {
    private static final int DEPTHS = 1_000;
    private static final int FRAMES_EACH = 4;
    private static final int STACK_BYTES = 512 * 1024;

    private int overflows;
    private int successes;
    private int lost;

    private static final class Resource implements AutoCloseable {
        int closes;

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void whereverTheStackRunsOutItIsClosedOnce() throws Exception {
        var program =
                new FutureTask<Void>(
                        () -> {
                            World.virtual().run(this::sweep);
                            return null;
                        });
        new Thread(null, program, "small-stack", STACK_BYTES).start();
        program.get();
        System.out.printf(
                "owned: %d overflows, %d successes, %d lost at the very end%n",
                overflows, successes, lost);
        assertTrue(overflows > 0, "the end of the stack was never reached");
        assertTrue(successes > 0, "the spawn never succeeded");
    }

    private void sweep() {
        // Nothing below is a first use, see StackSweepTest.
        tryAt(DEPTHS);
        for (int frames = 0; frames < DEPTHS; frames++) {
            tryAt(frames);
        }
    }

    private void tryAt(int frames) {
        var resource = new Resource();
        var outcome = spawn(() -> new Dive(FRAMES_EACH * frames, resource).down()).awaitOutcome();
        suspend();
        delay(Duration.ofMillis(1));
        if (outcome instanceof Outcome.Failure<?>(var error)) {
            overflows++;
            assertTrue(error instanceof StackOverflowError, error::toString);
            if (resource.closes == 0) {
                lost++;
                assertTrue(isBeforeAnything(error), () -> frames + " frames: " + top(error));
            } else {
                assertEquals(1, resource.closes);
            }
        } else {
            successes++;
            assertEquals(1, resource.closes);
        }
    }

    // What was entered last is the call itself, or what finds the loop.
    private static boolean isBeforeAnything(Throwable overflow) {
        var trace = overflow.getStackTrace();
        for (var frame : trace) {
            if (frame.getClassName().equals("dev.heddle.Scheduler")
                    || frame.getClassName().equals("dev.heddle.Fiber")
                    || frame.getMethodName().startsWith("spawnHere")) {
                return false;
            }
        }
        return true;
    }

    private static String top(Throwable overflow) {
        var trace = overflow.getStackTrace();
        var text = new StringBuilder();
        for (int i = 0; i < 8 && i < trace.length; i++) {
            text.append("\n    ").append(trace[i]);
        }
        return text.toString();
    }

    /// Runs into the end of the stack, comes back by some frames, and hands the resource over.
    private static final class Dive {
        private final Resource resource;
        private int framesBack;
        private boolean called;

        Dive(int framesBack, Resource resource) {
            this.framesBack = framesBack;
            this.resource = resource;
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
            spawn(resource, _ -> suspend()).await();
            return 1;
        }
    }
}
