package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.SimReactor;
import dev.heddle.sys.Sys;
import dev.heddle.test.Leaks;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.Pipes;
import dev.heddle.testing.ScriptedWires;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A loop of one backend before each test, a trail, and the proof that nothing is left behind.
///
/// What callbacks throw is in [#errors]; a test that expects some takes them, others fail by them.
///
/// **Thread:** owner (the test runner).
abstract class EventTestCase {
    private static final long GUARD_SECONDS = 30;

    @RegisterExtension final Leaks leaks = new Leaks();

    final List<String> trail = new ArrayList<>();
    final List<Throwable> errors = new ArrayList<>();
    Loop loop;
    Descriptors descriptors;

    // Of a simulated loop.
    final SimReactor sim = new SimReactor();

    private final Backend backend;
    private boolean loopEnded;

    EventTestCase(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void open() throws IOException {
        skipIfRefused();
        var options = LoopOptions.defaults().onError((error, _) -> errors.add(error));
        loop =
                Loop.open(
                        isSimulated()
                                ? options.reactor(sim, sim::nanos)
                                : options.backend(backend));
        descriptors = isSimulated() ? new ScriptedWires(sim) : new Pipes();
        // So that the reactor has its kernel objects, and takes no number that a test gives back.
        loop.runNowait();
    }

    @AfterEach
    void close() throws IOException {
        if (loop == null) {
            return; // skipped
        }
        try {
            endLoop();
        } catch (IllegalStateException alive) {
            loop.shutdown(Duration.ZERO);
            throw alive;
        } finally {
            descriptors.close();
        }
        if (!errors.isEmpty()) {
            throw new AssertionError("a callback threw", errors.getFirst());
        }
    }

    /// Closes the loop, which must have nothing left to do.
    final void endLoop() throws IOException {
        if (!loopEnded) {
            loop.runNowait(); // what closing a source leaves to the loop
            loop.close();
            loopEnded = true;
        }
    }

    final void shutDownLoop() throws IOException {
        loop.shutdown(Duration.ZERO);
        loopEnded = true;
    }

    final boolean isSimulated() {
        return backend == Backend.SIM;
    }

    /// {@return the messages of what callbacks threw, which is expected}
    final List<String> takeErrors() {
        var messages = errors.stream().map(Throwable::getMessage).toList();
        errors.clear();
        return messages;
    }

    /// {@return the trail of one turn that does not wait}
    final List<String> turn() throws IOException {
        trail.clear();
        loop.runNowait();
        return List.copyOf(trail);
    }

    /// Runs the loop until `done`, which other threads may bring about.
    final void runUntil(BooleanSupplier done) throws IOException {
        if (isSimulated()) {
            sim.holdTimeWhile(() -> true);
        }
        long end = System.nanoTime() + Duration.ofSeconds(GUARD_SECONDS).toNanos();
        while (!done.getAsBoolean()) {
            loop.runNowait();
            if (System.nanoTime() > end) {
                fail("does not come; the trail is " + trail);
            }
            Thread.onSpinWait();
        }
    }

    /// {@return a callback that writes down what it is told, as `name:value` or `name!error`}
    final <T> Callback<T> noting(String name) {
        return new Noting<>(trail, name);
    }

    final void assertTrail(String... expected) {
        assertEquals(List.of(expected), trail);
        trail.clear();
    }

    private void skipIfRefused() {
        try (var reactor = backend.reactor(Sys.NATIVE)) {
            assert reactor.backend() == backend;
        } catch (IOException refused) {
            System.err.println("SKIPPED: " + refused.getMessage());
            Assumptions.abort(refused.getMessage());
        }
    }
}
