package dev.heddle.reactor;

import static dev.heddle.sys.Kqueue.EVFILT_READ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Kqueue;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Errors come from the call that made them, and leave no trace.
final class KqueueErrorsTest extends KqueueTestCase {
    private static final int TERMINAL = 0x2000; // S_IFCHR

    @Test
    void registrationIsCheckedAtOnce() throws IOException {
        kernel.open(20, Stat.S_IFREG);
        kernel.open(21, Stat.S_IFDIR);
        reactor.register(3, 33, Interest.READ);

        assertErrno(Errno.EBADF, () -> reactor.register(99, 1, Interest.READ));
        assertErrno(Errno.EPERM, () -> reactor.register(20, 1, Interest.READ));
        assertErrno(Errno.EPERM, () -> reactor.register(21, 1, Interest.READ));
        assertErrno(Errno.EEXIST, () -> reactor.register(3, 1, Interest.READ));
        assertErrno(Errno.ENOENT, () -> reactor.modify(4, 1, Interest.READ));
        assertErrno(Errno.ENOENT, () -> reactor.unregister(4));
        kernel.closeDescriptor(3);
        assertErrno(Errno.EBADF, () -> reactor.modify(3, 34, Interest.WRITE));
        assertEquals(List.of(), kernel.takeCalls());
        assertEquals(1, reactor.registered());
        kernel.openSocket(3);
        kernel.activity(3, EVFILT_READ);
        assertEquals("ReadyEvents[33:READ]", poll());
    }

    @Test
    void priorityIsRefusedWhereNoFilterReportsIt() throws IOException {
        try (var plain = new KqueueReactor(kernel, false)) {
            var error = assertErrno(Errno.EINVAL, () -> plain.register(3, 1, Interest.PRIORITY));
            assertEquals(
                    "register(fd 3, PRIORITY: this kqueue has no filter for urgent data):"
                            + " EINVAL (invalid argument)",
                    error.getMessage());
            assertEquals(0, plain.registered());
            plain.register(3, 1, Interest.READ);
            assertErrno(Errno.EINVAL, () -> plain.modify(3, 1, Interest.PRIORITY));
        }
    }

    @Test
    void terminalIsSubmittedByTheCall() throws IOException {
        kernel.open(20, TERMINAL);
        opened();
        reactor.register(20, 200, Interest.READ);

        assertEquals(
                List.of("kevent [+20:READ CLEAR RECEIPT #200] room 1, 0 ns"), kernel.takeCalls());
        assertEquals(List.of("kevent [] room 8, 0 ns"), callsOfPoll());
        kernel.activity(20, EVFILT_READ);
        assertEquals("ReadyEvents[200:READ]", poll());
    }

    @Test
    void terminalThatTheKernelCannotWatchIsRefusedByTheCall() throws IOException {
        kernel.open(20, TERMINAL);
        kernel.refusals.put("20:WRITE", Errno.EINVAL);
        opened();

        var error =
                assertErrno(
                        Errno.EINVAL,
                        () -> reactor.register(20, 200, Interest.READ | Interest.WRITE));
        assertEquals("kevent(ADD, fd 20): EINVAL (invalid argument)", error.getMessage());
        assertEquals(
                List.of(
                        "kevent [+20:READ CLEAR RECEIPT #200, +20:WRITE CLEAR RECEIPT #200]"
                                + " room 2, 0 ns",
                        "kevent [-20:READ RECEIPT #0] room 1, 0 ns"),
                kernel.takeCalls());
        assertEquals(0, reactor.registered());
        kernel.activity(20, EVFILT_READ);
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void refusedModifyOfATerminalLeavesItAsItWas() throws IOException {
        kernel.open(20, TERMINAL);
        kernel.refusals.put("20:WRITE", Errno.EINVAL);
        reactor.register(20, 200, Interest.READ);

        assertErrno(Errno.EINVAL, () -> reactor.modify(20, 201, Interest.WRITE));
        kernel.activity(20, EVFILT_READ);
        assertEquals("ReadyEvents[200:READ]", poll());
    }

    @Test
    void queueThatCannotBeMadeIsAnErrorOfThePollAndTriedAgain() throws IOException {
        reactor.register(3, 33, Interest.READ);
        kernel.activity(3, EVFILT_READ);
        kernel.failures.put("kqueue", Errno.ENOMEM);
        var error = assertErrno(Errno.ENOMEM, () -> reactor.poll(out, 0));

        assertEquals("kqueue: ENOMEM (out of memory)", error.getMessage());
        assertEquals("ReadyEvents[33:READ]", poll());
    }

    @Test
    void queueThatCannotBeMadeLeavesNoTraceOfATerminal() {
        kernel.open(20, TERMINAL);
        kernel.failures.put("kqueue", Errno.EMFILE);

        assertErrno(Errno.EMFILE, () -> reactor.register(20, 200, Interest.READ));
        assertEquals(0, reactor.registered());
    }

    @Test
    void halfMadeQueueIsClosed() throws IOException {
        for (String call : List.of("fcntl", "kevent")) {
            kernel.failures.put(call, Errno.EACCES);
            assertErrno(Errno.EACCES, () -> reactor.poll(out, 0));
            assertEquals("close " + PretendKqueue.KQ, kernel.takeCalls().getLast());
        }
        assertEquals("ReadyEvents[]", poll());
    }

    @Test
    void failedWaitKeepsItsChangesForTheNext() throws IOException {
        opened();
        reactor.register(3, 33, Interest.READ);
        kernel.activity(3, EVFILT_READ);
        kernel.failures.put("kevent", Errno.ENOMEM);
        assertErrno(Errno.ENOMEM, () -> reactor.poll(out, 0));

        assertEquals("ReadyEvents[33:READ]", poll());
    }

    @Test
    void halfSubmittedChangesAreRepeatedAndTakenBackWhole() throws IOException {
        opened();
        reactor.register(3, 33, Interest.READ | Interest.WRITE);
        poll();
        reactor.modify(3, 34, Interest.READ | Interest.LEVEL);
        kernel.failures.put("kevent", Errno.ENOMEM);
        assertErrno(Errno.ENOMEM, () -> reactor.poll(out, 0));
        assertEquals(
                List.of("kevent [-3:READ #34, -3:WRITE #34, +3:READ #34] room 8, 0 ns"),
                callsOfPoll());

        kernel.failures.put("kevent", Errno.ENOMEM);
        assertErrno(Errno.ENOMEM, () -> reactor.unregister(3));
        reactor.register(3, 35, Interest.NONE);
        assertEquals(List.of("kevent [-3:READ #35] room 8, 0 ns"), callsOfPoll());
    }

    @Test
    void interruptedDeleteIsRepeated() throws IOException {
        opened();
        reactor.register(3, 33, Interest.READ);
        poll();
        kernel.takeCalls();
        kernel.failures.put("kevent", Errno.EINTR);
        reactor.unregister(3);

        assertEquals(
                List.of(
                        "kevent [-3:READ RECEIPT #0] room 1, 0 ns",
                        "kevent [-3:READ RECEIPT #0] room 1, 0 ns"),
                kernel.takeCalls());
    }

    @Test
    void ownNumberIsRefused() throws IOException {
        opened();
        kernel.openSocket(PretendKqueue.KQ);

        assertErrno(Errno.EBADF, () -> reactor.register(PretendKqueue.KQ, 1, Interest.READ));
        assertEquals(0, reactor.registered());
    }

    @Test
    void everyMethodOfAClosedReactorSaysSo() throws IOException {
        opened();
        reactor.close();
        reactor.close();

        assertEquals(List.of("close " + PretendKqueue.KQ), kernel.takeCalls());
        List<Executable> methods =
                List.of(
                        () -> reactor.register(3, 1, Interest.READ),
                        () -> reactor.modify(3, 1, Interest.READ),
                        () -> reactor.unregister(3),
                        () -> reactor.consumed(3, Interest.READ),
                        () -> reactor.poll(out, 0),
                        reactor::registered,
                        reactor::fd);
        for (var method : methods) {
            assertThrows(IllegalStateException.class, method);
        }
    }

    @Test
    void refusalTellsWhyAndTriesWithoutLeaving() {
        assertEquals(Optional.empty(), KqueueReactor.refusal(kernel));
        assertEquals(List.of("kqueue", "close " + PretendKqueue.KQ), kernel.takeCalls());
        kernel.failures.put("kqueue", Errno.ENOMEM);
        assertEquals(Optional.of("kqueue: ENOMEM (out of memory)"), KqueueReactor.refusal(kernel));
        kernel.failures.put("kqueue", Errno.EMFILE);
        assertEquals(Optional.empty(), KqueueReactor.refusal(kernel), "passes, so no refusal");
    }

    @Test
    void refusalOfThisSystemAgreesWithItsLibrary() {
        var refusal = KqueueReactor.refusal(Sys.NATIVE);
        assertEquals(Kqueue.missing(), refusal);
        refusal.ifPresent(why -> assertTrue(why.startsWith("kqueue: no such function in "), why));
    }

    @Test
    void descriptorGivenAwayMakesChangesTakeEffectAtOnce() throws IOException {
        kernel.refusals.put("4:READ", Errno.EPIPE);
        reactor.register(3, 33, Interest.READ);
        assertEquals(PretendKqueue.KQ, reactor.fd());
        assertEquals(
                "kevent [+3:READ CLEAR RECEIPT #33] room 1, 0 ns", kernel.takeCalls().getLast());

        reactor.modify(3, 34, Interest.READ);
        assertEquals(
                List.of("kevent [+3:READ CLEAR RECEIPT #34] room 1, 0 ns"), kernel.takeCalls());
        assertErrno(Errno.EPIPE, () -> reactor.register(4, 44, Interest.READ));
        assertEquals(1, reactor.registered());
    }

    @Test
    void descriptorGivenAwayCallsForThePollThatReportsARefusal() throws IOException {
        kernel.refusals.put("3:READ", Errno.EPIPE);
        reactor.register(3, 33, Interest.READ);
        reactor.fd();

        assertEquals(
                "kevent [0:USER fflags 1000000 #-1] room 0, for ever",
                kernel.takeCalls().getLast());
        assertEquals("ReadyEvents[33:READ|WRITE|HUP]", poll());
    }

    private static ErrnoException assertErrno(int errno, Executable call) {
        var error = assertThrows(ErrnoException.class, call);
        assertEquals(errno, error.errno(), error.getMessage());
        return error;
    }
}
