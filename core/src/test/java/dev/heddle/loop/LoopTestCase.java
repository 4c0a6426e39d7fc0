package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/// A fixture for one backend, and the words in which claims about other threads are written.
///
/// **Thread:** owner (the test runner).
abstract class LoopTestCase {
    @RegisterExtension final LoopFixture fixture;

    LoopTestCase(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    /// Runs the loop; once it sleeps, another thread acts.
    void whileAsleep(LoopFixture.Outsider.Body action, Run run) throws IOException {
        if (fixture.isSimulated()) {
            // A simulated loop sleeps as long as there is an outsider, and nobody can watch it.
            fixture.outside(action);
            run.run();
            return;
        }
        try (var _ = Bystander.onceAsleepInKernel(() -> act(action))) {
            run.run();
        }
    }

    /// Makes a simulated loop wait for other threads as a real one does, for ever: for those that
    /// the fixture does not know of.
    void expectOthers() {
        if (fixture.isSimulated()) {
            fixture.sim().holdTimeWhile(() -> true);
        }
    }

    /// Runs the loop, one of many times: a test that the watchdog has ended once does not go on.
    static void runOneOfMany(Loop loop) throws IOException {
        loop.run();
        assertFalse(Thread.currentThread().isInterrupted(), "the watchdog came");
    }

    /// Closes the sources, after which the loop must have nothing left to do.
    static void end(Loop loop, Source... sources) throws IOException {
        for (var source : sources) {
            source.close();
        }
        assertFalse(loop.run(), "something is still alive");
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException late) {
            throw new AssertionError("the watchdog came", late);
        }
    }

    private static void act(LoopFixture.Outsider.Body action) {
        try {
            action.run();
        } catch (Exception thrown) {
            throw new AssertionError(thrown);
        }
    }

    /// A run of the loop.
    @FunctionalInterface
    interface Run {
        void run() throws IOException;
    }
}
