package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.test.kernel.DelegatingSys;
import dev.heddle.test.kernel.FaultySys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;

final class PollReactorTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        return new PollReactor(sys);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, READ | LEVEL})
    void aDescriptorThatIsClosedWhileRegisteredIsReportedOnceAsHungUp(int interest)
            throws IOException {
        var wire = registered(7, interest);
        assertSilent();
        wire.close();

        assertEquals(List.of("7:READ|WRITE|HUP"), next());
        assertSilent();
        reactor.unregister(wire.fd());
        assertSilent();
    }

    @Test
    void aReportedDirectionIsReportedAgainIfItIsConsumedTooEarly() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        assertEquals(List.of("7:READ"), next());
        reactor.consumed(wire.fd(), WRITE);
        assertSilent();

        reactor.consumed(wire.fd(), READ);
        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void whatWasReportedStaysSoWhenSlotsMove() throws IOException {
        var first = registered(1, READ);
        var second = registered(2, READ);
        second.send();
        assertEquals(List.of("2:READ"), next());
        reactor.unregister(first.fd());
        reactor.consumed(second.fd(), WRITE);

        assertSilent();
    }

    @Test
    void anErrorThatPassedAndCameBackIsNews() throws IOException {
        reopen(new ErrorEverywhere());
        int fd = registered(7, READ).fd();
        assertEquals(List.of("7:READ|WRITE|HUP"), poll(0));
        assertEquals(List.of(), poll(0));
        reactor.consumed(fd, READ);

        assertEquals(List.of("7:READ|WRITE|HUP"), poll(0));
    }

    @Test
    void aPollThatDoesNotWaitMakesNoPipe() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        registered(7, READ).send();
        assertEquals(List.of("7:READ"), poll(0));

        assertEquals(List.of("fstat", "poll"), sys.calls());
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void withoutNanosecondTimeoutsTheyAreRoundedUp(int refusal) throws IOException {
        var sys = new FaultySys().failAll(refusal, "ppoll");
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
    void aRefusalGivesTheReason() {
        var sys = new FaultySys().failAll(Errno.EPERM, "poll");

        assertTrue(PollReactor.refusal(Sys.NATIVE).isEmpty());
        assertEquals(
                "poll: EPERM (operation not permitted)", PollReactor.refusal(sys).orElseThrow());
    }

    @Test
    void anInterruptedQuestionIsNoRefusal() {
        var sys = new FaultySys().failAll(Errno.EINTR, "poll");

        assertTrue(PollReactor.refusal(sys).isEmpty());
    }

    /// Every descriptor that `poll(2)` is asked about has an error; the kernel itself is not asked.
    private static final class ErrorEverywhere extends DelegatingSys {
        @Override
        public int poll(CallState state, MemorySegment fds, long count, int timeoutMillis) {
            int found = 0;
            for (int i = 0; i < count; i++) {
                boolean asked = Poll.fd(fds, i) >= 0;
                long revents = (i + 1) * Poll.POLLFD_SIZE - Short.BYTES;
                fds.set(ValueLayout.JAVA_SHORT, revents, asked ? Poll.POLLERR : 0);
                found += asked ? 1 : 0;
            }
            return found;
        }
    }
}
