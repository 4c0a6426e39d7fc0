package dev.heddle.test;

import dev.heddle.Heddle;
import dev.heddle.loop.Loop;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs a world on a thread of its own, and gives it up when its real time is over: says what every
/// coroutine does, and leaves the thread to itself if it does not even answer that.
///
/// The caller's thread may be interrupted (JUnit's `@Timeout` does that): then the same happens at
/// once. The loop's thread never is.
///
/// **Thread:** owner (who waits for it).
final class HangGuard {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final TestWorld world;

    HangGuard(TestWorld world) {
        this.world = world;
    }

    void run(Runnable body) {
        var done = new CompletableFuture<Void>();
        var thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("heddle-test")
                        .start(
                                () -> {
                                    try {
                                        body.run();
                                        done.complete(null);
                                    } catch (Throwable thrown) {
                                        done.completeExceptionally(thrown);
                                    }
                                });
        try {
            await(done, thread);
        } finally {
            if (done.isDone()) {
                awaitEnd(thread);
            }
        }
    }

    // It has said how the test ended and has nothing left to do, but is a thread for a moment more:
    // whoever looks for threads that were left would see it.
    private static void awaitEnd(Thread thread) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(ANSWER_LIMIT);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(CompletableFuture<Void> done, Thread thread) {
        Duration limit = world.settings().limit();
        try {
            done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            throw WorldRun.<RuntimeException>asItIs(cause == null ? failed : cause);
        } catch (TimeoutException late) {
            throw givenUp("the test hangs: it has not ended within " + limit, thread, done);
        } catch (InterruptedException interrupted) {
            var error = givenUp("the test was interrupted", thread, done);
            error.addSuppressed(interrupted);
            Thread.currentThread().interrupt();
            throw error;
        }
    }

    private AssertionError givenUp(String what, Thread thread, CompletableFuture<Void> done) {
        var error = new AssertionError(what + "\n" + Stacks.ofAll(world, thread, ANSWER_LIMIT));
        error.setStackTrace(thread.getStackTrace());
        stop(done);
        return error;
    }

    // Best effort: a loop that still answers is ended, so that it does not go on beside later tests
    // and take their time. First by asking: clean-up may hold what other tests need.
    private void stop(CompletableFuture<Void> done) {
        Loop loop = world.loopOrNull();
        if (loop == null) {
            return;
        }
        try {
            loop.post(HangGuard::cancelAll);
            loop.wake();
            if (!hasEnded(done)) {
                world.probe().giveUp();
                loop.wake();
                hasEnded(done);
            }
        } catch (RejectedExecutionException _) {
            // It has ended meanwhile.
        }
    }

    private static void cancelAll() {
        Heddle.coroutines().forEach(each -> each.cancel("the test was given up"));
    }

    private static boolean hasEnded(CompletableFuture<Void> done) {
        try {
            done.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException _) {
            return true;
        } catch (InterruptedException _) {
            // Nobody wants to wait.
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
