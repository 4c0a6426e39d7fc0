package dev.heddle.test.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.reactor.ReadyEvents;
import dev.heddle.reactor.SimClock;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Limits;
import dev.heddle.test.Leaks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Descriptors, their numbers and limits; pipes, counters and signals as a caller sees them.
@ExtendWith(Leaks.class)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SimKernelTest {
    private final SimKernel kernel = new SimKernel(new SimClock());

    @Test
    void bytesComeOutInTheOrderInWhichTheyWentIn() throws IOException {
        var pipe = kernel.pipe();
        assertEquals(3, pipe.write(new byte[] {1, 2, 3}));
        assertEquals(2, pipe.write(new byte[] {4, 5}));
        var target = new byte[4];

        assertEquals(4, pipe.read(target));
        assertArrayEquals(new byte[] {1, 2, 3, 4}, target);
        assertEquals(1, pipe.read(target));
        assertEquals(5, target[0]);
        assertEquals(-Errno.EAGAIN, pipe.read(target));
    }

    @Test
    void aFullPipeTakesNothingMoreAndAnEmptyOneGivesNothing() throws IOException {
        var pipe = kernel.pipe();
        assertEquals(64 * 1024, pipe.write(new byte[100_000]));
        assertEquals(-Errno.EAGAIN, pipe.write(new byte[1]));
        assertEquals(64 * 1024, pipe.read(new byte[100_000]));

        assertEquals(-Errno.EAGAIN, pipe.read(new byte[1]));
    }

    @Test
    void aSmallPipeCutsLongWritesOnly() throws IOException {
        kernel.setPipeCapacity(10);
        var pipe = kernel.pipe();
        assertEquals(6, pipe.write(new byte[6]));
        assertEquals(-Errno.EAGAIN, pipe.write(new byte[5]), "whole or not at all");
        assertEquals(4, pipe.write(new byte[4]));
        pipe.read(new byte[10]);

        assertEquals(10, pipe.write(new byte[25]));
        assertThrows(IllegalArgumentException.class, () -> kernel.setPipeCapacity(0));
    }

    @Test
    void theEndsOfAPipeSeeEachOtherGo() throws IOException {
        var pipe = kernel.pipe();
        pipe.write(new byte[1]);
        pipe.closeWriteEnd();
        assertEquals(1, pipe.read(new byte[1]));
        assertEquals(0, pipe.read(new byte[1]));

        var other = kernel.pipe();
        other.closeReadEnd();
        assertEquals(-Errno.EPIPE, other.write(new byte[1]));
    }

    @Test
    void anEndIsGoodForOneDirection() throws IOException {
        var pipe = kernel.pipe();
        var buffer = MemorySegment.ofArray(new byte[1]);
        try (var state = new CallState()) {
            assertEquals(-Errno.EBADF, kernel.read(state, pipe.writeEnd(), buffer, 1));
            assertEquals(-Errno.EBADF, kernel.write(state, pipe.readEnd(), buffer, 1));
        }
    }

    @Test
    void aBlockingDescriptorThatWouldBlockIsNamed() throws IOException {
        var pipe = kernel.pipe();
        try (var state = new CallState()) {
            kernel.fcntl(state, pipe.readEnd(), Fd.F_SETFL, 0);
        }
        var error = assertThrows(AssertionError.class, () -> pipe.read(new byte[1]));

        assertEquals(
                "read of descriptor 3 (pipe 1, read end) would block: set O_NONBLOCK",
                error.getMessage());
    }

    @Test
    void flagsAreKeptPerDescriptor() throws IOException {
        var pipe = kernel.pipe();
        try (var state = new CallState()) {
            int fd = pipe.writeEnd();
            assertEquals(Fd.FD_CLOEXEC, kernel.fcntl(state, fd, Fd.F_GETFD, 0));
            assertEquals(Fd.O_NONBLOCK | 1, kernel.fcntl(state, fd, Fd.F_GETFL, 0));
            kernel.fcntl(state, fd, Fd.F_SETFD, 0);
            kernel.fcntl(state, fd, Fd.F_SETFL, 0);

            assertEquals(0, kernel.fcntl(state, fd, Fd.F_GETFD, 0));
            assertEquals(1, kernel.fcntl(state, fd, Fd.F_GETFL, 0));
            assertEquals(-Errno.EINVAL, kernel.fcntl(state, fd, 99, 0));
            assertEquals(-Errno.EBADF, kernel.fcntl(state, 99, Fd.F_GETFL, 0));
        }
    }

    @Test
    void theLowestFreeNumberIsTakenNext() throws IOException {
        var first = kernel.pipe();
        var second = kernel.pipe();
        assertEquals(List.of(3, 4), List.of(first.readEnd(), first.writeEnd()));
        assertEquals(List.of(5, 6), List.of(second.readEnd(), second.writeEnd()));
        first.closeWriteEnd();

        assertEquals(4, kernel.file());
        assertEquals(7, kernel.directory());
    }

    @Test
    void openDescriptorsAreListedByName() throws IOException {
        kernel.pipe();
        kernel.scripted();
        try (var state = new CallState();
                var reactor = kernel.reactor(Backend.EPOLL)) {
            kernel.eventfd(state, 2, 0);
            reactor.fd();

            assertEquals(
                    List.of(
                            "3: pipe 1, read end",
                            "4: pipe 1, write end",
                            "5: scripted",
                            "6: eventfd, count 2",
                            "7: epoll, 1 descriptors",
                            "8: eventfd, count 0"),
                    kernel.open());
        }
        assertEquals(4, kernel.open().size());
    }

    @Test
    void aSecondCloseIsRefusedAndRemembered() throws IOException {
        var pipe = kernel.pipe();
        try (var state = new CallState()) {
            assertEquals(0, kernel.close(state, pipe.readEnd()));
            assertEquals(-Errno.EBADF, kernel.close(state, pipe.readEnd()));
        }
        assertEquals(List.of("close of descriptor 3, which is not open"), kernel.doubleCloses());
    }

    @Test
    void aPipeNeverClosesWhatIsNotItsOwn() throws IOException {
        var pipe = kernel.pipe();
        kernel.close(pipe.readEnd());
        int successor = kernel.file();
        assertEquals(pipe.readEnd(), successor);
        pipe.close();
        pipe.close();

        assertEquals(List.of("3: file"), kernel.open());
        assertEquals(List.of(), kernel.doubleCloses());
    }

    @Test
    void theLimitOfDescriptorsIsKeptAndTold() throws IOException {
        kernel.setDescriptorLimit(6);
        kernel.pipe();
        var refused = assertThrows(IOException.class, kernel::pipe);
        assertEquals("pipe2: EMFILE (too many open files)", refused.getMessage());
        try (var state = new CallState()) {
            var rlimit = MemorySegment.ofArray(new long[2]);
            assertEquals(0, kernel.getrlimit(state, Limits.RLIMIT_NOFILE, rlimit));
            assertArrayEquals(new long[] {6, 6}, (long[]) rlimit.heapBase().orElseThrow());
            assertEquals(5, kernel.eventfd(state, 0, 0));
            assertEquals(-Errno.EMFILE, kernel.epollCreate1(state, 0));
        }
    }

    @Test
    void anEventCounterAddsUpAndIsTakenWhole() {
        var word = new long[] {5};
        var memory = MemorySegment.ofArray(word);
        try (var state = new CallState()) {
            int fd = kernel.eventfd(state, 7, Fd.EFD_NONBLOCK);
            assertEquals(8, kernel.write(state, fd, memory, 8));
            assertEquals(8, kernel.read(state, fd, memory, 8));
            assertEquals(12, word[0]);
            assertEquals(-Errno.EAGAIN, kernel.read(state, fd, memory, 8));
            word[0] = -2;
            assertEquals(8, kernel.write(state, fd, memory, 8));
            word[0] = 1;
            assertEquals(-Errno.EAGAIN, kernel.write(state, fd, memory, 8));
            assertEquals(-Errno.EINVAL, kernel.write(state, fd, memory, 7));
            word[0] = -1;
            assertEquals(-Errno.EINVAL, kernel.write(state, fd, memory, 8));
        }
    }

    @Test
    void aSeedDecidesHowReadsAreCut() throws IOException {
        assertEquals(cuts(1), cuts(1));
        assertTrue(cuts(1).size() > 3, "never cut: " + cuts(1));
        assertTrue(!cuts(1).equals(cuts(2)), "seeds make no difference");
    }

    private static List<Integer> cuts(long seed) throws IOException {
        var random = new SimKernel(new SimClock(), new Random(seed));
        var pipe = random.pipe();
        pipe.write(new byte[5000]);
        var sizes = new ArrayList<Integer>();
        for (int left = 5000; left > 0; left -= sizes.getLast()) {
            sizes.add(pipe.read(new byte[1000]));
        }
        return sizes;
    }

    @Test
    void aShortReadIsFollowedByAnEdge() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            var random = new SimKernel(new SimClock(), new Random(seed));
            var pipe = random.pipe();
            try (var reactor = random.reactor(Backend.EPOLL)) {
                reactor.register(pipe.readEnd(), 1, Interest.READ);
                pipe.write(new byte[100]);
                int left = 100;
                while (left > 0) {
                    assertEquals(1, reactor.poll(new ReadyEvents(1), 0));
                    left -= pipe.read(new byte[100]);
                }
            }
        }
    }

    @Test
    void aSeedDecidesTheOrderOfReports() throws IOException {
        var orders = new ArrayList<String>();
        for (var backend : List.of(Backend.EPOLL, Backend.SIM)) {
            for (long seed = 0; seed < 8; seed++) {
                assertEquals(order(backend, seed), order(backend, seed));
                orders.add(order(backend, seed));
            }
            assertTrue(orders.stream().distinct().count() > 3, orders::toString);
        }
    }

    private static String order(Backend backend, long seed) throws IOException {
        var random = new SimKernel(new SimClock(), new Random(seed));
        var out = new ReadyEvents(8);
        try (var reactor = random.reactor(backend)) {
            for (int i = 0; i < 8; i++) {
                int fd = random.scripted();
                reactor.register(fd, i, Interest.READ);
                random.ready(fd, Interest.READ);
            }
            assertEquals(8, reactor.poll(out, 0));
        }
        var seen = new long[8];
        Arrays.setAll(seen, out::token);
        var sorted = seen.clone();
        Arrays.sort(sorted);
        assertArrayEquals(new long[] {0, 1, 2, 3, 4, 5, 6, 7}, sorted);
        return Arrays.toString(seen);
    }

    @Test
    void ioUringAndKqueueAreRefused() {
        assertThrows(IOException.class, () -> kernel.reactor(Backend.URING));
        assertThrows(IOException.class, () -> kernel.reactor(Backend.KQUEUE));
        assertEquals(List.of(), kernel.open());
    }

    @Test
    void mistakesOfAScriptAreNamed() throws IOException {
        int fd = kernel.pipe().readEnd();
        for (Runnable mistake :
                List.<Runnable>of(
                        () -> kernel.ready(fd, Interest.READ),
                        () -> kernel.ready(99, Interest.READ),
                        () -> kernel.clear(kernel.scripted(), Interest.LEVEL),
                        () -> kernel.close(-1))) {
            assertThrows(IllegalArgumentException.class, mistake::run);
        }
        try (var state = new CallState()) {
            int script = kernel.scripted();
            assertThrows(
                    AssertionError.class, () -> kernel.read(state, script, MemorySegment.NULL, 0));
        }
    }

    @Test
    void aSignalReachesTheLoopAndNobodyElse() throws IOException {
        var trail = new ArrayList<String>();
        var options =
                LoopOptions.defaults()
                        .reactor(kernel.reactor(Backend.EPOLL), kernel.clock()::nanos)
                        .signals(kernel.signals());
        try (var loop = Loop.open(options)) {
            loop.onceSignal("USR1", () -> trail.add("USR1@" + kernel.clock().nanos()));
            kernel.clock().at(40, () -> kernel.raise("USR1"));
            loop.run();
        }

        assertEquals(List.of("USR1@40"), trail);
        var nobody = assertThrows(IllegalStateException.class, () -> kernel.raise("USR1"));
        assertEquals("nobody listens to SIGUSR1, only to []", nobody.getMessage());
    }
}
