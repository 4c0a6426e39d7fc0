package dev.heddle.reactor;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Which descriptors are registered, with which token and interest: an array by descriptor number.
///
/// Every backend keeps one, so that all refuse the same mistakes with the same words. It grows only
/// for numbers that the kernel has confirmed, so the process's descriptor limit bounds it.
///
/// **Thread:** loop.
final class FdTable {
    private static final int ABSENT = -1;

    private long[] tokens = new long[16];
    private int[] interests = absent(new int[16], 0);
    private int count;

    int count() {
        return count;
    }

    /// {@return a number above all that are registered}
    int end() {
        return interests.length;
    }

    boolean has(int fd) {
        return fd >= 0 && fd < interests.length && interests[fd] != ABSENT;
    }

    long token(int fd) {
        return tokens[fd];
    }

    int interest(int fd) {
        return interests[fd];
    }

    /// Adds `fd`, or replaces what was known of it.
    void put(int fd, long token, int interest) {
        if (fd >= interests.length) {
            int old = interests.length;
            int size = Math.max(fd + 1, old * 2);
            tokens = Arrays.copyOf(tokens, size);
            interests = absent(Arrays.copyOf(interests, size), old);
        }
        if (interests[fd] == ABSENT) {
            count++;
        }
        tokens[fd] = token;
        interests[fd] = interest;
    }

    void remove(int fd) {
        interests[fd] = ABSENT;
        count--;
    }

    /// What is wrong with the arguments of a registration, whoever asks.
    static void checkArguments(int fd, long token, int interest) {
        checkFd(fd);
        Interest.check(interest);
        if (token == Reactor.RESERVED_TOKEN) {
            throw new IllegalArgumentException("token " + token + " is reserved for the reactor");
        }
    }

    static void checkFd(int fd) {
        if (fd < 0) {
            throw new IllegalArgumentException("descriptor must not be negative, but is " + fd);
        }
    }

    void checkAbsent(String call, int fd) throws ErrnoException {
        if (has(fd)) {
            throw new ErrnoException(call + "(fd " + fd + ")", Errno.EEXIST);
        }
    }

    void checkPresent(String call, int fd) throws ErrnoException {
        checkFd(fd);
        if (!has(fd)) {
            throw new ErrnoException(call + "(fd " + fd + ")", Errno.ENOENT);
        }
    }

    /// For backends whose kernel call accepts anything: refuses closed descriptors, and files and
    /// directories, which are always "ready" and so have no readiness.
    static void checkPollable(Sys sys, CallState state, MemorySegment stat, int fd)
            throws ErrnoException {
        int result = sys.fstat(state, fd, stat);
        if (result < 0) {
            throw new ErrnoException("fstat(fd " + fd + ")", -result);
        }
        int kind = Stat.mode(stat) & Stat.S_IFMT;
        if (kind == Stat.S_IFREG || kind == Stat.S_IFDIR) {
            throw new ErrnoException("register(fd " + fd + ", a file or directory)", Errno.EPERM);
        }
    }

    private static int[] absent(int[] array, int from) {
        Arrays.fill(array, from, array.length, ABSENT);
        return array;
    }
}
