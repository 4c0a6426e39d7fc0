package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.FutureTask;

final class CallStateTest {
    @Test
    void resultThatIsNotNegativeIsLeftAlone() {
        try (var state = new CallState()) {
            assertEquals(0, state.fold(0));
            assertEquals(7, state.fold(7));
            assertEquals(Long.MAX_VALUE, state.fold(Long.MAX_VALUE));
        }
    }

    @Test
    void failureBecomesItsErrno() {
        try (var state = new CallState()) {
            assertEquals(-Errno.EBADF, Fd.close(state, -1));
            assertEquals(-Errno.EBADF, state.fold(-1));
            assertEquals(-Errno.EBADF, state.fold(-1L));
        }
    }

    @Test
    void errnoOfAnEarlierFailureDoesNotSpoilASuccess() {
        try (var state = new CallState()) {
            var rlimit = Memory.allocate(Limits.RLIMIT.byteSize());
            assertEquals(-Errno.EBADF, Fd.close(state, -1));

            assertEquals(0, Limits.getrlimit(state, Limits.RLIMIT_NOFILE, rlimit));
            Memory.free(rlimit);
        }
    }

    @Test
    void everyThreadKeepsItsOwnErrno() throws Exception {
        try (var mine = new CallState();
                var theirs = new CallState()) {
            assertEquals(-Errno.EBADF, Fd.close(mine, -1));
            var other = new FutureTask<>(() -> Limits.getrlimit(theirs, -1, MemorySegment.NULL));
            Thread.ofPlatform().start(other).join();

            assertEquals(-Errno.EINVAL, other.get());
            assertEquals(-Errno.EBADF, mine.fold(-1));
        }
    }

    @Test
    void closingTwiceFreesOnce() {
        long before = Memory.inUse();
        var state = new CallState();
        state.close();
        state.close();

        assertEquals(before, Memory.inUse());
    }
}
