package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Kqueue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Which changes reach the kernel, and with which call.
final class KqueueChangesTest extends KqueueTestCase {
    @Test
    void firstPollMakesTheQueueThenSubmits() throws IOException {
        reactor.register(3, 77, Interest.READ);

        assertEquals(List.of(), kernel.takeCalls());
        var expected = new ArrayList<>(OPENING);
        expected.add("kevent [+3:READ CLEAR #77] room 8, 0 ns");
        assertEquals(expected, callsOfPoll());
        assertEquals(List.of("kevent [] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void changeIsEncodedByteForByte() throws IOException {
        opened();
        reactor.register(5, 0x1122334455667788L, Interest.READ);
        reactor.poll(out, 0);

        String ext = "00".repeat((int) Kqueue.KEVENT_SIZE - 32);
        assertEquals(
                "0500000000000000" // ident
                        + "ffff" // EVFILT_READ, -1
                        + "2100" // EV_ADD | EV_CLEAR
                        + "00000000" // fflags
                        + "0000000000000000" // data
                        + "8877665544332211" // udata
                        + ext,
                kernel.lastChanges);

        reactor.modify(5, -2, Interest.WRITE | Interest.PRIORITY | Interest.LEVEL);
        reactor.poll(out, 0);

        String udata = "feffffffffffffff" + ext;
        String deleted = "0500000000000000" + "ffff" + "0200" + "00000000" + "0000000000000000";
        // EVFILT_READ with NOTE_LOWAT INT_MAX, EVFILT_WRITE, EVFILT_EXCEPT with NOTE_OOB
        String read = "0500000000000000" + "ffff" + "0100" + "01000000" + "ffffff7f00000000";
        String write = "0500000000000000" + "feff" + "0100" + "00000000" + "0000000000000000";
        String except = "0500000000000000" + "f1ff" + "0100" + "02000000" + "0000000000000000";
        assertEquals(
                deleted + udata + read + udata + write + udata + except + udata,
                kernel.lastChanges);
    }

    @Test
    void everyInterestHasItsFilters() throws IOException {
        opened();
        reactor.register(3, 1, Interest.WRITE);
        reactor.register(4, 2, Interest.READ | Interest.WRITE);
        reactor.register(5, 3, Interest.READ | Interest.LEVEL);
        reactor.register(6, 4, Interest.PRIORITY);
        reactor.register(7, 5, Interest.NONE);

        assertEquals(
                List.of(
                        "kevent [+3:WRITE CLEAR #1, +4:READ CLEAR #2, +4:WRITE CLEAR #2,"
                                + " +5:READ #3, +6:READ CLEAR fflags 1 #4,"
                                + " +6:EXCEPT CLEAR fflags 2 #4] room 8, 0 ns"),
                callsOfPoll());
        assertEquals(5, reactor.registered());
    }

    @Test
    void modifyAddsAgainWithTheNewToken() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.poll(out, 0);
        reactor.modify(3, 2, Interest.READ);

        assertEquals(List.of("kevent [+3:READ CLEAR #2] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void modifyDeletesWhatIsWantedNoMore() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.poll(out, 0);
        reactor.modify(3, 1, Interest.WRITE);
        assertEquals(List.of("kevent [-3:READ #1, +3:WRITE CLEAR #1] room 8, 0 ns"), callsOfPoll());

        reactor.modify(3, 1, Interest.NONE);
        assertEquals(List.of("kevent [-3:WRITE #1] room 8, 0 ns"), callsOfPoll());
        assertEquals(1, reactor.registered());
    }

    @Test
    void changeBetweenEdgeAndLevelMakesTheFilterAnew() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.poll(out, 0);
        reactor.modify(3, 1, Interest.READ | Interest.LEVEL);
        assertEquals(List.of("kevent [-3:READ #1, +3:READ #1] room 8, 0 ns"), callsOfPoll());

        reactor.modify(3, 1, Interest.READ);
        assertEquals(List.of("kevent [-3:READ #1, +3:READ CLEAR #1] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void manyModifiesBetweenTwoPollsCostOneChange() throws IOException {
        opened();
        reactor.register(3, 0, Interest.READ);
        for (int token = 1; token <= 10; token++) {
            reactor.modify(3, token, token % 2 == 0 ? Interest.READ : Interest.WRITE);
        }

        assertEquals(List.of("kevent [+3:READ CLEAR #10] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void unregisterBeforeItWasSubmittedCostsNothing() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.register(4, 2, Interest.READ);
        reactor.unregister(3);

        assertEquals(List.of(), kernel.takeCalls());
        assertEquals(List.of("kevent [+4:READ CLEAR #2] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void unregisterDeletesAtOnceAndLeavesTheOthersWaiting() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ | Interest.WRITE);
        reactor.poll(out, 0);
        kernel.takeCalls();
        reactor.register(4, 2, Interest.READ);
        reactor.unregister(3);

        assertEquals(
                List.of("kevent [-3:READ RECEIPT #0, -3:WRITE RECEIPT #0] room 2, 0 ns"),
                kernel.takeCalls());
        assertEquals(List.of("kevent [+4:READ CLEAR #2] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void unregisterAfterAPendingModifyDeletesWhatTheKernelHas() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.poll(out, 0);
        reactor.modify(3, 2, Interest.WRITE);
        kernel.takeCalls();
        reactor.unregister(3);

        assertEquals(List.of("kevent [-3:READ RECEIPT #0] room 1, 0 ns"), kernel.takeCalls());
        assertEquals(List.of("kevent [] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void numberThatComesBackIsAddedForItsNewOwner() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.unregister(3);
        reactor.register(3, 2, Interest.WRITE);
        assertEquals(List.of("kevent [+3:WRITE CLEAR #2] room 8, 0 ns"), callsOfPoll());

        reactor.unregister(3);
        reactor.register(3, 3, Interest.READ);
        assertEquals(List.of("kevent [+3:READ CLEAR #3] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void descriptorClosedBeforeItWasUnregisteredIsForgottenQuietly() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.poll(out, 0);
        kernel.closeDescriptor(3);
        reactor.unregister(3);
        assertEquals(0, reactor.registered());

        reactor.register(4, 1, Interest.READ);
        reactor.poll(out, 0);
        kernel.closeDescriptor(4);
        kernel.openSocket(4);
        reactor.unregister(4);
        assertEquals(0, reactor.registered());
    }

    @Test
    void strangeErrorOfADeleteIsThrown() throws IOException {
        opened();
        reactor.register(3, 1, Interest.READ);
        reactor.poll(out, 0);
        kernel.failures.put("kevent", Errno.EACCES);

        var error = assertThrows(ErrnoException.class, () -> reactor.unregister(3));
        assertEquals("kevent(DELETE, fd 3): EACCES (permission denied)", error.getMessage());
        assertEquals(0, reactor.registered());
    }

    @Test
    void moreChangesThanRoomForErrorsGoBeforeTheWait() throws IOException {
        opened();
        var small = new ReadyEvents(2);
        reactor.register(3, 1, Interest.READ);
        reactor.register(4, 2, Interest.READ | Interest.WRITE);
        reactor.register(5, 3, Interest.READ);
        reactor.poll(small, 40);

        assertEquals(
                List.of(
                        "kevent [+3:READ CLEAR RECEIPT #1, +4:READ CLEAR RECEIPT #2,"
                                + " +4:WRITE CLEAR RECEIPT #2] room 3, 0 ns",
                        "kevent [+5:READ CLEAR #3] room 2, 40 ns"),
                kernel.takeCalls());
    }

    @Test
    void roomForOneEventStillTakesADescriptorWithSixChanges() throws IOException {
        opened();
        int all = Interest.READ | Interest.WRITE | Interest.PRIORITY;
        reactor.register(3, 1, all);
        reactor.poll(out, 0);
        kernel.takeCalls();
        reactor.modify(3, 1, all | Interest.LEVEL);
        reactor.poll(new ReadyEvents(1), 0);

        assertEquals(
                List.of(
                        "kevent [-3:READ RECEIPT #1, -3:WRITE RECEIPT #1, -3:EXCEPT RECEIPT #1,"
                                + " +3:READ RECEIPT #1, +3:WRITE RECEIPT #1, +3:EXCEPT"
                                + " RECEIPT fflags 2 #1] room 6, 0 ns",
                        "kevent [] room 1, 0 ns"),
                kernel.takeCalls());
    }

    @Test
    void moreChangesThanTheListHoldsGoInSeveralCalls() throws IOException {
        opened();
        var large = new ReadyEvents(1000);
        for (int fd = 10; fd < 310; fd++) {
            kernel.openSocket(fd);
            reactor.register(fd, fd, Interest.READ);
            kernel.activity(fd, Kqueue.EVFILT_READ);
        }

        assertEquals(256, reactor.poll(large, 0));
        assertEquals(2, kernel.takeCalls().size());
        assertEquals(44, reactor.poll(large, 0));
        assertEquals(309, large.token(43));
    }
}
