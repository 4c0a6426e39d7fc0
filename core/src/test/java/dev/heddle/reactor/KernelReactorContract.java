package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Platform;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.test.kernel.DelegatingSys;
import dev.heddle.test.kernel.FaultySys;
import dev.heddle.testing.Bystander;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.Pipes;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/// What every backend of the real kernel promises beyond [ReactorContract]: which calls it makes,
/// and what it does when they fail.
abstract class KernelReactorContract extends ReactorContract {
    abstract Reactor open(Sys sys) throws IOException;

    @Override
    Reactor open() throws IOException {
        return open(Sys.NATIVE);
    }

    @Override
    Descriptors descriptors(Reactor reactor) {
        return new Pipes();
    }

    void reopen(Sys sys) throws IOException {
        reopen(open(sys));
    }

    @Test
    void openingAndClosingAnUnusedReactorMakesNoSystemCall() throws IOException {
        var sys = new CountingSys();
        var unused = open(sys);
        unused.wake();
        unused.close();

        assertEquals(List.of(), sys.calls());
    }

    @Test
    void anInterruptedWaitReportsNothingAndLosesNothing() throws IOException {
        var sys = new FaultySys();
        reopen(sys);
        var wire = registered(7, READ);
        assertSilent();
        wire.send();
        sys.failOnce(1, Errno.EINTR, FaultySys.WAITS);

        assertEquals(List.of(), poll(PATIENCE_NANOS));
        assertEquals(1, sys.faults());
        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void aFailureToMakeAKernelObjectIsTheCallersAndPasses() throws IOException {
        int made = 0;
        for (boolean more = true; more; made++) {
            more = failsWhenTheKernelRefusesTheNthObject(made + 1);
        }

        assertTrue(made > 1, "no kernel object was ever made");
    }

    private boolean failsWhenTheKernelRefusesTheNthObject(int nth) throws IOException {
        var sys = new FaultySys();
        try (var kernel = new Pipes()) {
            reopen(sys);
            sys.failOnce(nth, Errno.EMFILE, FaultySys.MAKERS);
            var wire = kernel.wire();
            wire.send();
            try {
                reactor.register(wire.fd(), 7, READ);
                assertEquals(List.of("7:READ"), next());
            } catch (ErrnoException refused) {
                assertEquals(Errno.EMFILE, refused.errno());
                if (reactor.registered() == 0) {
                    reactor.register(wire.fd(), 7, READ);
                }
                assertEquals(List.of("7:READ"), next());
            }
            reactor.unregister(wire.fd());
            return sys.faults() > 0;
        }
    }

    @Test
    void aPersistentFailureToWaitIsReportedWithItsErrno() throws IOException {
        var sys = new FaultySys();
        reopen(sys);
        registered(7, READ);
        sys.failAll(Errno.ENOMEM, FaultySys.WAITS);

        assertErrno(Errno.ENOMEM, () -> poll(MOMENT_NANOS));
        sys.heal();
        assertSilent();
    }

    @Test
    void manyWakesCostAtMostOneSystemCall() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        assertSilent();
        sys.forget();
        for (int i = 0; i < 1_000; i++) {
            reactor.wake();
        }

        assertTrue(sys.calls().size() <= 1, () -> "a wake each: " + sys.calls().size());
        assertEquals(List.of(), poll(FOREVER));
    }

    @Test
    void aWakeThatWasSeenMakesRoomForTheNext() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        assertSilent();
        for (int i = 0; i < 3; i++) {
            sys.forget();
            reactor.wake();

            assertFalse(sys.calls().isEmpty(), "wake " + i + " does not reach the kernel");
            // Without waiting: a wake that was lost would keep the test for ever.
            assertEquals(List.of(), poll(0));
        }
    }

    @Test
    void closedTwiceItClosesItsDescriptorsOnce() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        assertSilent();
        reactor.close();
        sys.forget();
        reactor.close();

        assertEquals(List.of(), sys.calls());
    }

    @Test
    void aWakeThatIsInterruptedIsNotLost() throws IOException {
        var sys = new FaultySys();
        reopen(sys);
        assertSilent();
        sys.failOnce(1, Errno.EINTR, Set.of("write"));
        reactor.wake();

        assertEquals(List.of(), poll(FOREVER));
    }

    @Test
    void aWakeAfterCloseTouchesNoDescriptor() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        assertSilent();
        reactor.close();
        sys.forget();
        reactor.wake();

        assertEquals(List.of(), sys.calls());
    }

    @Test
    void closeWaitsForAWakeThatIsInsideItsSystemCall() throws Exception {
        var owner = Thread.currentThread();
        var inside = new CountDownLatch(1);
        var closing = new CountDownLatch(1);
        var trail = Collections.synchronizedList(new ArrayList<String>());
        reopen(
                new DelegatingSys() {
                    @Override
                    protected int before(String call, int fd) {
                        if (Thread.currentThread() == owner) {
                            trail.add(call);
                            return 0;
                        }
                        inside.countDown();
                        awaitQuietly(closing);
                        // Time for a close that does not wait to give itself away.
                        for (int i = 0; i < 1_000; i++) {
                            Thread.yield();
                        }
                        trail.add("wake");
                        // Not let through: what it would use may be gone, if close is wrong.
                        return -Errno.EAGAIN;
                    }
                });
        assertSilent();
        trail.clear();
        try (var _ = Bystander.doing(reactor::wake)) {
            inside.await();
            closing.countDown();
            reactor.close();
        }

        assertEquals("wake", trail.getFirst());
    }

    @Test
    void aClosedNumberThatTheReactorTookForItselfIsStillRefused() throws IOException {
        var wires = List.of(descriptors.wire(), descriptors.wire(), descriptors.wire());
        wires.forEach(Wire::close);
        for (int round = 0; round < 2; round++) {
            for (var wire : wires) {
                assertErrno(Errno.EBADF, () -> reactor.register(wire.fd(), 7, READ));
            }
            // Whatever is made lazily is made now, out of the free numbers.
            assertSilent();
        }
        assertEquals(0, reactor.registered());
    }

    @Test
    void theDescriptorOfAReactorIsReadableWhenThereAreEvents() throws IOException {
        int fd = reactor.fd();
        assumeTrue(fd >= 0, "this backend has no descriptor of its own");
        var wire = registered(7, READ);
        reactor.poll(out, 0);
        assertEquals(0, readiness(fd));

        wire.send();
        assertEquals(Poll.POLLIN, readiness(fd));
        assertEquals(List.of("7:READ"), next());
        assertEquals(List.of(), poll(0));
        assertEquals(0, readiness(fd));

        reactor.wake();
        assertEquals(Poll.POLLIN, readiness(fd));
    }

    @Test
    void anEpollDescriptorCanBeWatched() throws IOException {
        assumeTrue(Platform.isLinux(), "epoll is Linux's");
        var inner = new EpollReactor(Sys.NATIVE);
        try (inner) {
            var wire = descriptors.wire();
            inner.register(wire.fd(), 1, READ);
            reactor.register(inner.fd(), 7, READ);
            assertSilent();
            wire.send();

            assertEquals(List.of("7:READ"), next());
            reactor.unregister(inner.fd());
        }
    }

    private static int readiness(int fd) {
        var pollfd = Memory.allocate(Poll.POLLFD_SIZE);
        try (var state = new CallState()) {
            Poll.set(pollfd, 0, fd, Poll.POLLIN);
            Sys.NATIVE.poll(state, pollfd, 1, 0);
            return Poll.revents(pollfd, 0);
        } finally {
            Memory.free(pollfd);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException cause) {
            throw new AssertionError(cause);
        }
    }
}
