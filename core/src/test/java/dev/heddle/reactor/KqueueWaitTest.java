package dev.heddle.reactor;

import static dev.heddle.sys.Kqueue.EVFILT_READ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/// How a poll waits, and what ends the wait.
final class KqueueWaitTest extends KqueueTestCase {
    @Test
    void timeoutReachesTheKernelInNanoseconds() throws IOException {
        opened();
        assertEquals(0, reactor.poll(out, 3_000_000_001L));

        assertEquals(List.of("kevent [] room 8, 3000000001 ns"), kernel.takeCalls());
        assertEquals(3_000_000_001L, kernel.nanos);
    }

    @Test
    void negativeTimeoutWaitsForEver() throws IOException {
        opened();
        kernel.whileWaiting = reactor::wake;
        reactor.poll(out, -1);

        assertEquals("kevent [] room 8, for ever", kernel.takeCalls().getFirst());
    }

    @Test
    void timeoutThatTheKernelWouldRefuseIsForEver() throws IOException {
        opened();
        kernel.whileWaiting = reactor::wake;
        reactor.poll(out, Long.MAX_VALUE);
        assertEquals("kevent [] room 8, for ever", kernel.takeCalls().getFirst());

        reactor.poll(out, 99_999_999_999_999_999L);
        assertEquals("kevent [] room 8, 99999999999999999 ns", kernel.takeCalls().getFirst());
    }

    @Test
    void timeoutIsRoundedUpToWhatTheKernelCounts() {
        assertEquals(0, KqueueReactor.roundedUp(0, 1_000));
        assertEquals(1_000, KqueueReactor.roundedUp(1, 1_000));
        assertEquals(1_000, KqueueReactor.roundedUp(1_000, 1_000));
        assertEquals(2_000, KqueueReactor.roundedUp(1_001, 1_000));
        assertEquals(1_001, KqueueReactor.roundedUp(1_001, 1));
    }

    @Test
    void interruptedWaitReturnsEarlyAndItsChangesStand() throws IOException {
        opened();
        reactor.register(3, 33, Interest.READ);
        kernel.interruptNextWait();
        assertEquals(0, reactor.poll(out, -1));
        assertEquals(0, kernel.nanos);
        kernel.activity(3, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ]", poll());
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void afterAnInterruptedWaitUnregisterStillDeletes() throws IOException {
        opened();
        reactor.register(3, 33, Interest.READ);
        kernel.interruptNextWait();
        reactor.poll(out, -1);
        reactor.unregister(3);
        kernel.activity(3, EVFILT_READ);

        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void wakeDuringTheWaitEndsIt() throws IOException {
        opened();
        kernel.whileWaiting = () -> onAnotherThread(reactor::wake);

        assertEquals(0, reactor.poll(out, -1));
        assertEquals(
                List.of(
                        "kevent [] room 8, for ever",
                        "kevent [0:USER fflags 1000000 #-1] room 0, for ever"),
                kernel.takeCalls());
    }

    @Test
    void wakesBeforeThePollCoalesce() throws IOException {
        opened();
        for (int i = 0; i < 3; i++) {
            onAnotherThread(reactor::wake);
        }
        assertEquals(1, kernel.takeCalls().size());
        reactor.poll(out, -1);
        assertThrows(IllegalStateException.class, () -> reactor.poll(out, -1), "woken twice");

        reactor.wake();
        assertEquals(0, reactor.poll(out, -1));
    }

    @Test
    void wakeBeforeThereIsAQueueIsNotLost() throws IOException {
        reactor.wake();
        assertEquals(List.of(), kernel.takeCalls());

        assertEquals(0, reactor.poll(out, -1));
        assertThrows(IllegalStateException.class, () -> reactor.poll(out, -1), "woken twice");
    }

    @Test
    void wakeIsNoEventAndHidesNone() throws IOException {
        reactor.register(3, 33, Interest.READ);
        kernel.activity(3, EVFILT_READ);
        reactor.wake();

        assertEquals("ReadyEvents[33:READ]", poll());
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void wakeDuringAPollIsAnsweredAlthoughAChangeWasRefused() throws IOException {
        opened();
        reactor.register(3, 33, Interest.READ);
        kernel.closeDescriptor(3);
        reactor.wake();
        assertEquals("ReadyEvents[33:READ|WRITE|HUP]", poll());
        kernel.takeCalls();

        // The kernel still holds the trigger: this poll ends at once, and only then may one ring
        // anew.
        reactor.wake();
        assertEquals(List.of(), kernel.takeCalls());
        assertEquals(0, reactor.poll(out, -1));
        reactor.wake();
        assertEquals(0, reactor.poll(out, -1));
    }

    @Test
    void wakeAfterCloseDoesNothing() throws IOException {
        opened();
        reactor.close();
        kernel.takeCalls();
        reactor.wake();

        assertEquals(List.of(), kernel.takeCalls());
    }

    private static void onAnotherThread(Runnable work) {
        try {
            Thread.ofPlatform().start(work).join();
        } catch (InterruptedException cause) {
            throw new AssertionError(cause);
        }
    }
}
