package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.sys.Errno;
import dev.heddle.test.Leaks;
import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// The other side of the simulated kernel: its clock and its scripts.
@ExtendWith(Leaks.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SimReactorScriptTest {
    private static final long FOREVER = -1;
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final SimReactor reactor = new SimReactor();
    private final ReadyEvents out = new ReadyEvents(8);
    private final List<String> trail = new ArrayList<>();
    private int asked;

    @Test
    void onlyWaitingMovesTheClock() {
        assertEquals(0, reactor.nanos());
        reactor.poll(out, 0);
        assertEquals(0, reactor.nanos());
        reactor.poll(out, HOUR);
        assertEquals(HOUR, reactor.nanos());
        reactor.poll(out, 1);
        assertEquals(HOUR + 1, reactor.nanos());
    }

    @Test
    void whatIsReadyIsReportedWithoutTimePassing() throws IOException {
        int fd = watched(7);
        reactor.ready(fd, Interest.READ);

        assertEquals("ReadyEvents[7:READ]", poll(HOUR));
        assertEquals(0, reactor.nanos());
    }

    @Test
    void aWaitEndsWhenAScriptMakesSomethingReady() throws IOException {
        int fd = watched(7);
        reactor.at(300, () -> reactor.ready(fd, Interest.READ));
        reactor.at(500, () -> trail.add("too late"));

        assertEquals("ReadyEvents[7:READ]", poll(FOREVER));
        assertEquals(300, reactor.nanos());
        assertEquals(List.of(), trail);
    }

    @Test
    void scriptsRunInOrderOfTimeThenOfInsertion() {
        note(20, "later");
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            note(10, name);
        }
        note(30, "at the end");
        note(31, "after the end");
        reactor.poll(out, 30);

        assertEquals(
                List.of(
                        "a@10",
                        "b@10",
                        "c@10",
                        "d@10",
                        "e@10",
                        "f@10",
                        "later@20",
                        "at the end@30"),
                trail);
    }

    @Test
    void aScriptWhoseTimeHasPassedRunsInTheNextPoll() {
        reactor.poll(out, HOUR);
        note(5, "late");
        assertEquals(List.of(), trail);
        reactor.poll(out, 0);

        assertEquals(List.of("late@" + HOUR), trail);
    }

    @Test
    void aScriptMayAddAScript() {
        reactor.at(
                10,
                () -> {
                    note(10, "same time");
                    note(15, "later");
                    note(5, "past");
                });
        reactor.poll(out, 20);

        assertEquals(List.of("past@10", "same time@10", "later@15"), trail);
    }

    @Test
    void aScriptThatRepeatsItselfNowDoesNotHoldUpAPollThatDoesNotWait() {
        reactor.at(0, this::repeat);
        reactor.poll(out, 0);
        reactor.poll(out, 0);

        assertEquals(List.of("again", "again"), trail);
    }

    private void repeat() {
        trail.add("again");
        reactor.at(0, this::repeat);
    }

    @Test
    void aScriptMayWakeTheLoop() {
        reactor.at(40, reactor::wake);

        assertEquals("ReadyEvents[]", poll(FOREVER));
        assertEquals(40, reactor.nanos());
    }

    @Test
    void theLongestTimeoutFromALateTimeDoesNotOverflow() {
        reactor.poll(out, HOUR);
        reactor.at(2 * HOUR, reactor::wake);
        reactor.poll(out, Long.MAX_VALUE);

        assertEquals(2 * HOUR, reactor.nanos());
    }

    @Test
    void aScriptThatThrowsIsHeardByThePollAndRunsOnce() {
        reactor.at(
                3,
                () -> {
                    throw new UnsupportedOperationException("scripted");
                });

        assertThrows(UnsupportedOperationException.class, () -> reactor.poll(out, 10));
        reactor.poll(out, 10);
        assertEquals(13, reactor.nanos());
    }

    @Test
    void aWaitThatNothingCanEndIsADeadlock() throws IOException {
        watched(7);
        var thrown = assertThrows(IllegalStateException.class, () -> reactor.poll(out, FOREVER));

        assertEquals("deadlock: nothing can wake this loop", thrown.getMessage());
    }

    @Test
    void theClockStandsStillWhileOtherThreadsWork() {
        var working = new AtomicBoolean(true);
        reactor.holdTimeWhile(working::get);
        note(5, "script");
        try (var _ = Bystander.onceAsleepIn("poll", reactor::wake)) {
            assertEquals("ReadyEvents[]", poll(HOUR));
        }
        assertEquals(0, reactor.nanos());
        assertEquals(List.of(), trail);

        working.set(false);
        poll(HOUR);
        assertEquals(HOUR, reactor.nanos());
        assertEquals(List.of("script@5"), trail);
    }

    @Test
    void anInterruptedThreadStillSleepsUntilTheWake() {
        reactor.holdTimeWhile(this::countAsked);
        Thread.currentThread().interrupt();
        try (var _ = Bystander.onceAsleepIn("poll", reactor::wake)) {
            assertEquals("ReadyEvents[]", poll(FOREVER));
        } finally {
            assertTrue(Thread.interrupted(), "the interrupt is kept for its owner");
        }
        assertEquals(2, asked, "before the sleep and after it");
    }

    @Test
    void wakesThatWereSeenLongAgoDoNotDisturbASleep() {
        for (int i = 0; i < 100; i++) {
            reactor.wake();
            poll(0);
        }
        reactor.holdTimeWhile(this::countAsked);
        try (var _ = Bystander.onceAsleepIn("poll", reactor::wake)) {
            poll(FOREVER);
        }

        assertEquals(2, asked, "before the sleep and after it");
    }

    private boolean countAsked() {
        asked++;
        return true;
    }

    @Test
    void nothingIsReportedAgainBeforeItIsConsumed() throws IOException {
        int fd = watched(7);
        reactor.ready(fd, Interest.READ);
        assertEquals("ReadyEvents[7:READ]", poll(0));
        reactor.ready(fd, Interest.READ);
        assertEquals("ReadyEvents[]", poll(0));
        reactor.consumed(fd, Interest.READ);

        assertEquals("ReadyEvents[7:READ]", poll(0));
    }

    @Test
    void consumingOneDirectionSaysNothingOfTheOther() throws IOException {
        int fd = reactor.open();
        reactor.register(fd, 7, Interest.READ | Interest.WRITE);
        reactor.ready(fd, Interest.READ | Interest.WRITE);
        assertEquals("ReadyEvents[7:READ|WRITE]", poll(0));
        reactor.ready(fd, Interest.READ | Interest.WRITE);
        reactor.consumed(fd, Interest.WRITE);

        assertEquals("ReadyEvents[7:WRITE]", poll(0));
    }

    @Test
    void nothingIsReportedAgainWithoutANewEdge() throws IOException {
        int fd = watched(7);
        reactor.ready(fd, Interest.READ);
        assertEquals("ReadyEvents[7:READ]", poll(0));
        reactor.consumed(fd, Interest.READ);

        assertEquals("ReadyEvents[]", poll(0));
    }

    @Test
    void whatIsClearedBeforeThePollIsNotReported() throws IOException {
        int fd = watched(7);
        reactor.ready(fd, Interest.READ);
        reactor.clear(fd, Interest.READ);

        assertEquals("ReadyEvents[]", poll(0));
    }

    @Test
    void descriptorsAreReportedInTheOrderInWhichTheyBecameReady() throws IOException {
        int first = watched(1);
        int second = watched(2);
        int third = watched(3);
        poll(0);
        reactor.ready(third, Interest.READ);
        reactor.ready(first, Interest.READ);
        reactor.ready(second, Interest.READ);

        assertEquals("ReadyEvents[3:READ, 1:READ, 2:READ]", poll(0));
    }

    @Test
    void closingADescriptorEndsItsRegistrationAndFreesItsNumber() throws IOException {
        int fd = watched(7);
        reactor.ready(fd, Interest.READ);
        reactor.close(fd);
        assertEquals("ReadyEvents[]", poll(0));
        assertErrno(Errno.EBADF, () -> reactor.modify(fd, 7, Interest.READ));

        assertEquals(fd, reactor.open());
        assertErrno(Errno.ENOENT, () -> reactor.modify(fd, 7, Interest.READ));
        reactor.register(fd, 8, Interest.READ);
        assertEquals("ReadyEvents[]", poll(0));
        reactor.ready(fd, Interest.READ);
        assertEquals("ReadyEvents[8:READ]", poll(0));
    }

    @Test
    void openDescriptorsHaveDifferentNumbers() {
        assertNotEquals(reactor.open(), reactor.openFile());
    }

    @Test
    void aScriptsMistakesAreNamed() {
        int fd = reactor.open();
        assertThrows(IllegalArgumentException.class, () -> reactor.ready(fd + 1, Interest.READ));
        assertThrows(IllegalArgumentException.class, () -> reactor.clear(-1, Interest.READ));
        assertThrows(IllegalArgumentException.class, () -> reactor.close(fd + 1));
        assertThrows(IllegalArgumentException.class, () -> reactor.ready(fd, Interest.LEVEL));
    }

    @Test
    void theSimulatedWorldOutlivesTheReactor() throws IOException {
        int fd = watched(7);
        reactor.close();
        reactor.ready(fd, Interest.READ);
        reactor.close(fd);

        assertEquals(fd, reactor.open());
    }

    private int watched(long token) throws IOException {
        int fd = reactor.open();
        reactor.register(fd, token, Interest.READ);
        return fd;
    }

    private void note(long nanos, String text) {
        reactor.at(nanos, () -> trail.add(text + "@" + reactor.nanos()));
    }

    private String poll(long timeoutNanos) {
        reactor.poll(out, timeoutNanos);
        return out.toString();
    }

    private static void assertErrno(int expected, Executable call) {
        assertEquals(expected, assertThrows(ErrnoException.class, call).errno());
    }
}
