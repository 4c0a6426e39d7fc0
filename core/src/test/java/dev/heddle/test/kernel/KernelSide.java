package dev.heddle.test.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/// One of two kernels that get the same calls: descriptors by place instead of by number, results
/// as text.
final class KernelSide implements AutoCloseable {
    static final int PLACES = 10;
    private static final int BUFFER = 1 << 17;

    private final Sys sys;
    private final CallState state = new CallState();
    private final MemorySegment buffer = Memory.allocate(BUFFER);
    private final int[] places = new int[PLACES];
    private final byte[] bytes = new byte[BUFFER];
    private long next;

    KernelSide(Sys sys) {
        this.sys = sys;
        Arrays.fill(places, -1);
    }

    boolean isFree(int place) {
        return places[place] < 0;
    }

    int[] free() {
        return IntStream.range(0, PLACES).filter(this::isFree).toArray();
    }

    String pipe(int first, int second) {
        int result = sys.pipe2(state, buffer, Fd.O_NONBLOCK | Fd.O_CLOEXEC);
        places[first] = buffer.get(JAVA_INT, 0);
        places[second] = buffer.get(JAVA_INT, 4);
        return "pipe " + result;
    }

    String eventfd(int place, int initial) {
        places[place] = sys.eventfd(state, initial, Fd.EFD_NONBLOCK | Fd.EFD_CLOEXEC);
        return "eventfd " + Math.min(0, places[place]);
    }

    String epoll(int place) {
        places[place] = sys.epollCreate1(state, Epoll.EPOLL_CLOEXEC);
        return "epoll " + Math.min(0, places[place]);
    }

    String close(int place) {
        int result = sys.close(state, places[place]);
        places[place] = -1;
        return "close " + result;
    }

    String write(int place, int length) {
        var random = new Random(next);
        for (int i = 0; i < length; i += Long.BYTES) {
            buffer.set(JAVA_LONG, i, random.nextLong());
        }
        next++;
        return "write " + sys.write(state, places[place], buffer, length);
    }

    String add(int place, long value) {
        buffer.set(JAVA_LONG, 0, value);
        return "add " + sys.write(state, places[place], buffer, 8);
    }

    String read(int place, int length) {
        long count = sys.read(state, places[place], buffer, length);
        MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, (int) Math.max(0, count));
        int hash = Arrays.hashCode(Arrays.copyOf(bytes, (int) Math.max(0, count)));
        return "read " + count + " #" + hash;
    }

    String control(int epoll, int op, int place, int events, long data) {
        Epoll.set(buffer, events, data);
        return "ctl " + sys.epollCtl(state, places[epoll], op, places[place], buffer);
    }

    String await(int epoll, int max) {
        int count = sys.epollWait(state, places[epoll], buffer, max, 0);
        var found = new StringJoiner(" ", "wait " + count + " ", "");
        for (int i = 0; i < count; i++) {
            found.add(Epoll.data(buffer, i) + ":" + Integer.toHexString(Epoll.events(buffer, i)));
        }
        return found.toString();
    }

    /// Asks for everything at once.
    String poll(int events) {
        for (int i = 0; i < PLACES; i++) {
            Poll.set(buffer, i, places[i], events);
        }
        int count = sys.poll(state, buffer, PLACES, 0);
        var found = new StringJoiner(" ", "poll " + count + " ", "");
        for (int i = 0; i < PLACES; i++) {
            found.add(Integer.toHexString(Poll.revents(buffer, i)));
        }
        return found.toString();
    }

    String describe(int place) {
        int stat = sys.fstat(state, places[place], buffer);
        int kind = stat < 0 ? 0 : Stat.mode(buffer) & Stat.S_IFMT;
        return "kind "
                + stat
                + " "
                + kind
                + " flags "
                + sys.fcntl(state, places[place], Fd.F_GETFL, 0)
                + " "
                + sys.fcntl(state, places[place], Fd.F_GETFD, 0);
    }

    @Override
    public void close() {
        for (int fd : places) {
            if (fd >= 0) {
                sys.close(state, fd);
            }
        }
        Memory.free(buffer);
        state.close();
    }
}
