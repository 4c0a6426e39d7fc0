package dev.heddle.reactor;

import static dev.heddle.sys.Kqueue.EVFILT_EXCEPT;
import static dev.heddle.sys.Kqueue.EVFILT_READ;
import static dev.heddle.sys.Kqueue.EVFILT_WRITE;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.sys.Errno;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/// What a poll makes of the events that the kernel hands out.
final class KqueueReadinessTest extends KqueueTestCase {
    @Test
    void everyDirectionIsReportedWithItsToken() throws IOException {
        reactor.register(3, 33, Interest.READ);
        reactor.register(4, 44, Interest.WRITE);
        reactor.register(5, 55, Interest.PRIORITY);
        kernel.activity(3, EVFILT_READ);
        kernel.activity(4, EVFILT_WRITE);
        kernel.activity(5, EVFILT_EXCEPT);

        assertEquals("ReadyEvents[33:READ, 44:WRITE, 55:PRIORITY]", poll());
    }

    @Test
    void twoDirectionsOfOneDescriptorAreOneEvent() throws IOException {
        int both = Interest.READ | Interest.WRITE;
        reactor.register(3, 33, both);
        reactor.register(4, 44, both);
        for (int fd = 3; fd <= 4; fd++) {
            kernel.activity(fd, EVFILT_READ);
            kernel.activity(fd, EVFILT_WRITE);
        }
        assertEquals("ReadyEvents[33:READ|WRITE, 44:READ|WRITE]", poll());

        kernel.activity(4, EVFILT_READ);
        kernel.activity(3, EVFILT_WRITE);
        kernel.activity(4, EVFILT_WRITE);
        assertEquals("ReadyEvents[44:READ|WRITE, 33:WRITE]", poll());
    }

    @Test
    void edgeIsReportedOnceAndLevelOnEveryPoll() throws IOException {
        reactor.register(3, 33, Interest.READ);
        reactor.register(4, 44, Interest.READ | Interest.LEVEL);
        kernel.activity(3, EVFILT_READ);
        kernel.activity(4, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ, 44:READ]", poll());
        assertEquals("ReadyEvents[44:READ]", poll());

        kernel.activity(3, EVFILT_READ);
        kernel.exhausted(4, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ]", poll());
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void modifyReportsAnewWhatIsReady() throws IOException {
        reactor.register(3, 33, Interest.READ);
        kernel.activity(3, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ]", poll());
        reactor.modify(3, 34, Interest.READ);

        assertEquals("ReadyEvents[34:READ]", poll());
    }

    @Test
    void modifyToLevelTakesEffect() throws IOException {
        reactor.register(3, 33, Interest.READ);
        kernel.activity(3, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ]", poll());
        reactor.modify(3, 33, Interest.READ | Interest.LEVEL);
        assertEquals("ReadyEvents[33:READ]", poll());
        assertEquals("ReadyEvents[33:READ]", poll());

        reactor.modify(3, 33, Interest.READ);
        assertEquals("ReadyEvents[33:READ]", poll());
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void endOfStreamIsAHangUp() throws IOException {
        reactor.register(3, 33, Interest.READ);
        reactor.register(4, 44, Interest.WRITE);
        kernel.end(3, EVFILT_READ);
        kernel.end(4, EVFILT_WRITE);

        assertEquals("ReadyEvents[33:READ|WRITE|HUP, 44:READ|WRITE|HUP]", poll());
    }

    @Test
    void endOfStreamIsToldAlsoToWhomOnlyUrgentDataMatters() throws IOException {
        reactor.register(3, 33, Interest.PRIORITY);
        kernel.activity(3, EVFILT_READ);
        assertEquals("ReadyEvents[]", poll());
        kernel.end(3, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ|WRITE|HUP]", poll());

        reactor.register(4, 44, Interest.PRIORITY);
        kernel.activity(4, EVFILT_READ);
        assertEquals("ReadyEvents[]", poll());
        reactor.modify(4, 45, Interest.PRIORITY | Interest.READ);
        assertEquals("ReadyEvents[45:READ]", poll());
    }

    @Test
    void hangUpWithoutInterestIsNotReported() throws IOException {
        reactor.register(3, 33, Interest.READ);
        poll();
        reactor.modify(3, 33, Interest.NONE);
        kernel.end(3, EVFILT_READ);

        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void refusedChangeIsAHangUpAndTheOthersStand() throws IOException {
        kernel.refusals.put("4:WRITE", Errno.EPIPE);
        reactor.register(3, 33, Interest.READ);
        reactor.register(4, 44, Interest.READ | Interest.WRITE);
        reactor.register(5, 55, Interest.READ);
        kernel.activity(3, EVFILT_READ);
        kernel.activity(4, EVFILT_READ);
        kernel.activity(5, EVFILT_READ);

        assertEquals("ReadyEvents[44:READ|WRITE|HUP]", poll());
        assertEquals("ReadyEvents[33:READ, 44:READ, 55:READ]", poll());
        kernel.takeCalls();
        reactor.unregister(4);
        assertEquals("[kevent [-4:READ RECEIPT #0] room 1, 0 ns]", kernel.takeCalls().toString());
    }

    @Test
    void everyRefusedFilterOfOneDescriptorIsOneEvent() throws IOException {
        reactor.register(3, 33, Interest.READ | Interest.WRITE);
        reactor.register(4, 44, Interest.READ | Interest.WRITE);
        kernel.closeDescriptor(3);
        kernel.closeDescriptor(4);

        assertEquals("ReadyEvents[33:READ|WRITE|HUP, 44:READ|WRITE|HUP]", poll());
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void refusalsBeyondTheRoomAreReportedByLaterPolls() throws IOException {
        for (int fd = 3; fd <= 5; fd++) {
            reactor.register(fd, fd, Interest.READ | Interest.WRITE);
            kernel.closeDescriptor(fd);
        }
        var small = new ReadyEvents(2);

        assertEquals(2, reactor.poll(small, -1));
        assertEquals("ReadyEvents[3:READ|WRITE|HUP, 4:READ|WRITE|HUP]", small.toString());
        assertEquals(1, reactor.poll(small, -1));
        assertEquals("ReadyEvents[5:READ|WRITE|HUP]", small.toString());
    }

    @Test
    void additionRefusedForWantOfMemoryIsTriedAgain() throws IOException {
        kernel.refusals.put("3:READ", Errno.ENOMEM);
        reactor.register(3, 33, Interest.READ);
        assertEquals("ReadyEvents[33:READ|WRITE|HUP]", poll());
        assertEquals("ReadyEvents[33:READ|WRITE|HUP]", poll());
        kernel.refusals.clear();
        kernel.activity(3, EVFILT_READ);

        assertEquals("ReadyEvents[33:READ]", poll());
    }

    @Test
    void refusedDeleteIsDropped() throws IOException {
        reactor.register(3, 33, Interest.READ | Interest.WRITE);
        reactor.register(4, 44, Interest.READ | Interest.WRITE);
        poll();
        reactor.modify(3, 33, Interest.NONE);
        reactor.modify(4, 44, Interest.NONE);
        kernel.closeDescriptor(3); // EBADF
        kernel.closeDescriptor(4);
        kernel.openSocket(4); // ENOENT

        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void deleteThatFindsNothingDoesNotSpoilTheAddition() throws IOException {
        reactor.register(3, 33, Interest.READ);
        poll();
        reactor.modify(3, 34, Interest.READ | Interest.LEVEL);
        kernel.closeDescriptor(3);
        kernel.openSocket(3);
        kernel.activity(3, EVFILT_READ);

        assertEquals("ReadyEvents[]", poll());
        assertEquals("ReadyEvents[34:READ]", poll());
    }

    @Test
    void eventOfAForgottenDescriptorNeverReachesTheNextOwner() throws IOException {
        reactor.register(3, 33, Interest.READ);
        poll();
        kernel.activity(3, EVFILT_READ);
        kernel.closeDescriptor(3);
        kernel.openSocket(3);
        kernel.activity(3, EVFILT_READ);
        assertEquals("ReadyEvents[]", poll());

        reactor.unregister(3);
        reactor.register(3, 34, Interest.READ);
        assertEquals("ReadyEvents[34:READ]", poll());
    }

    @Test
    void nothingIsReportedAfterUnregister() throws IOException {
        reactor.register(3, 33, Interest.READ | Interest.WRITE);
        poll();
        kernel.activity(3, EVFILT_READ);
        kernel.activity(3, EVFILT_WRITE);
        reactor.unregister(3);

        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void whatDoesNotFitWaitsForTheNextPoll() throws IOException {
        for (int fd = 3; fd <= 7; fd++) {
            reactor.register(fd, fd, Interest.READ);
            kernel.activity(fd, EVFILT_READ);
        }
        var small = new ReadyEvents(2);

        assertEquals(2, reactor.poll(small, -1));
        assertEquals("ReadyEvents[3:READ, 4:READ]", small.toString());
        assertEquals(2, reactor.poll(small, -1));
        assertEquals("ReadyEvents[5:READ, 6:READ]", small.toString());
        assertEquals(1, reactor.poll(small, -1));
        assertEquals("ReadyEvents[7:READ]", small.toString());
    }
}
