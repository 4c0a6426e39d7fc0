package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Platform;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.FaultySys;
import dev.heddle.testing.Pipes;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

final class EpollReactorTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        assumeTrue(Platform.isLinux(), "epoll(7) is Linux's");
        return new EpollReactor(sys);
    }

    @Test
    void newDataIsANewEdgeAlsoIfTheOldWasNotRead() throws IOException {
        var wire = registered(7, READ);
        for (int round = 0; round < 3; round++) {
            wire.send();
            assertEquals(List.of("7:READ"), next());
            assertSilent();
        }
    }

    @Test
    void aNumberWhoseOldFileIsGoneCanBeRegisteredAnew() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        wire.close();
        var successor = descriptors.wireWithNumber(wire.fd());
        reactor.register(successor.fd(), 8, READ);
        assertSilent();

        successor.send();
        assertEquals(List.of("8:READ"), next());
        assertEquals(1, reactor.registered());
    }

    @Test
    void aNewEpollHasAllThatIsRegisteredAndNothingElse() throws IOException {
        var wire = registered(7, READ | LEVEL);
        var parked = registered(8, NONE);
        var other = registered(9, READ);
        poll(0);
        twinOf(wire);
        wire.send();
        descriptors.close(wire.fd());
        reactor.unregister(wire.fd());
        assertEquals(List.of("7:READ"), next(), "the kernel has not forgotten it");

        assertTrue(reactor.renew());

        assertSilent();
        assertEquals(2, reactor.registered());
        other.send();
        assertEquals(List.of("9:READ"), next());
        reactor.modify(parked.fd(), 10, READ);
        parked.send();
        assertEquals(List.of("10:READ"), next());
        reactor.wake();
        assertEquals(List.of(), poll(FOREVER));
    }

    @Test
    void aNewEpollDoesNotTakeANumberThatIsAnotherFilesByNow() throws IOException {
        var wire = registered(7, READ);
        wire.close();
        var successor = descriptors.wireWithNumber(wire.fd());
        poll(0);

        assertTrue(reactor.renew());

        successor.send();
        assertSilent();
    }

    @Test
    void anEpollThatCannotBeMadeAnewStaysAsItWas() throws IOException {
        for (int nth = 1; nth <= 4; nth++) {
            var sys = new FaultySys();
            reopen(sys);
            var wire = registered(7, READ);
            poll(MOMENT_NANOS);
            sys.failOnce(nth, Errno.ENOMEM, Set.of("epoll_create1", "epoll_ctl"));

            assertEquals(false, reactor.renew(), "with call " + nth + " refused");

            assertEquals(1, sys.faults());
            wire.send();
            assertEquals(List.of("7:READ"), next());
            reactor.wake();
            assertEquals(List.of(), poll(FOREVER));
        }
    }

    @Test
    void anEpollThatSomebodyElseWatchesIsNotMadeAnew() throws IOException {
        reactor.fd();

        assertEquals(false, reactor.renew());
    }

    private void twinOf(Wire wire) {
        ((Pipes) descriptors).twin(wire.fd());
    }

    @Test
    void aWakeDescriptorThatCannotBeWatchedIsGivenBack() throws IOException {
        var sys = new FaultySys().failOnce(1, Errno.ENOSPC, Set.of("epoll_ctl"));
        reopen(sys);

        assertErrno(Errno.ENOSPC, () -> poll(MOMENT_NANOS));
        assertSilent();
    }

    @Test
    void whatTheKernelDoesNotLetGoStaysRegistered() throws IOException {
        var sys = new FaultySys();
        reopen(sys);
        var wire = registered(7, READ);
        sys.failOnce(1, Errno.ENOMEM, Set.of("epoll_ctl"));

        assertErrno(Errno.ENOMEM, () -> reactor.unregister(wire.fd()));
        assertEquals(1, reactor.registered());
        reactor.unregister(wire.fd());
        wire.send();
        assertSilent();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void withoutNanosecondTimeoutsTheyAreRoundedUp(int refusal) throws IOException {
        var sys = new FaultySys().failAll(refusal, "epoll_pwait2");
        reopen(sys);
        registered(7, READ);
        aTimeoutIsNeverEarly(1);
        aTimeoutIsNeverEarly(1_000_001);

        assertEquals(1, sys.faults(), "tried once, then known");
    }

    static IntStream refusals() {
        return IntStream.of(Errno.EPERM, Errno.ENOSYS);
    }

    @Test
    void millisecondsAreRoundedUpAndNeverOverflow() {
        assertEquals(1, EpollReactor.millisRoundedUp(1));
        assertEquals(1, EpollReactor.millisRoundedUp(1_000_000));
        assertEquals(2, EpollReactor.millisRoundedUp(1_000_001));
        assertEquals(Integer.MAX_VALUE, EpollReactor.millisRoundedUp(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE})
    void runningOutOfDescriptorsIsNoRefusal(int errno) {
        var sys = new FaultySys().failAll(errno, "epoll_create1");

        assertTrue(EpollReactor.refusal(sys).isEmpty());
    }
}
