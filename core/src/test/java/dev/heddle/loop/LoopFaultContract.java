package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.ErrnoException;
import dev.heddle.sys.Errno;
import dev.heddle.test.kernel.FaultySys;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A loop on a kernel that fails, on every backend with a kernel.
///
/// **Thread:** owner (the test runner).
abstract class LoopFaultContract extends LoopTestCase {
    private static final Duration TICK = Duration.ofMillis(2);

    private final Backend backend;
    private final FaultySys sys = new FaultySys();

    LoopFaultContract(Backend backend) {
        super(backend);
        this.backend = backend;
    }

    @Test
    void aWaitThatFailsEndsTheRunAndLosesNothing() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        loop.after(TICK, () -> trail.add("timer"));
        sys.failAll(Errno.EINVAL, FaultySys.WAITS);

        var failed = assertThrows(ErrnoException.class, loop::run);

        assertEquals(Errno.EINVAL, failed.errno());
        assertTrue(loop.alive());
        fixture.outside(() -> loop.post(() -> trail.add("posted"))).awaitEnd();
        sys.heal();
        assertFalse(loop.run());
        assertEquals(List.of("posted", "timer"), trail);
    }

    @Test
    void aFailureWhileTasksAreReadyRunsThemInTheNextRun() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        loop.post(() -> trail.add("task"));
        sys.failAll(Errno.EINVAL, FaultySys.WAITS);

        assertThrows(ErrnoException.class, loop::runOnce);
        assertEquals(List.of(), trail);

        sys.heal();
        loop.runOnce();
        assertEquals(List.of("task"), trail);
    }

    @Test
    void anInterruptedWaitIsRepeatedAndNoTimerIsEarly() throws IOException {
        var loop = open();
        var fired = new long[1];
        long begin = fixture.nanos();
        loop.after(TICK, () -> fired[0] = fixture.nanos());
        sys.failOnce(1, Errno.EINTR, FaultySys.WAITS);

        assertFalse(loop.run());

        assertEquals(1, sys.faults());
        assertTrue(fired[0] - begin >= TICK.toNanos());
    }

    @Test
    void aLoopWithoutADescriptorToSpareFailsAndWorksOnceThereIsOne() throws IOException {
        var loop = open();
        var trail = new ArrayList<String>();
        loop.after(TICK, () -> trail.add("timer"));
        sys.failAll(Errno.EMFILE, FaultySys.MAKERS);

        var failed = assertThrows(ErrnoException.class, loop::run);

        assertEquals(Errno.EMFILE, failed.errno());
        sys.heal();
        loop.run();
        assertEquals(List.of("timer"), trail);
    }

    @Test
    void shutdownThatFailsHalfWayMayBeRepeated() throws IOException {
        var loop = open();
        var timer = loop.after(Duration.ofDays(1), () -> {});
        sys.failAll(Errno.EINVAL, FaultySys.WAITS);

        assertThrows(ErrnoException.class, () -> loop.shutdown(Duration.ofDays(1)));
        sys.heal();
        loop.shutdown(Duration.ofDays(1));

        assertTrue(timer.isClosed());
        assertTrue(loop.toString().contains("closed"));
    }

    private Loop open() throws IOException {
        var reactor = backend.reactor(sys);
        // A turn that skips the poll would not notice the fault.
        return fixture.open(options -> options.reactor(reactor, Clock.system()).pollEveryTurn());
    }
}
