package dev.heddle.testing;

import dev.heddle.sys.Errno;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/// Pipes, sockets and files of the real kernel.
///
/// **Thread:** owner (the test).
public final class Pipes implements Descriptors {
    private static final int CHUNK = 4096;

    private final Set<Integer> open = new HashSet<>();

    /// {@return a pipe: the end to read, the end to write; both non-blocking}
    public Libc.Pair pipe() {
        return own(Libc.pipe());
    }

    @Override
    public Wire wire() {
        return new Socket(own(Libc.socketPair()));
    }

    @Override
    public Wire wireWithNumber(int fd) {
        if (open.contains(fd)) {
            throw new IllegalArgumentException("descriptor " + fd + " is open");
        }
        var pair = own(Libc.socketPair());
        if (pair.first() == fd) {
            return new Socket(pair);
        }
        if (pair.second() == fd) {
            return new Socket(new Libc.Pair(pair.second(), pair.first()));
        }
        Libc.dup2(pair.first(), fd);
        close(pair.first());
        open.add(fd);
        return new Socket(new Libc.Pair(fd, pair.second()));
    }

    /// {@return another descriptor of the same file}
    public int twin(int fd) {
        // Any number that is ours: what it was gives way.
        int number = own(Libc.pipe()).first();
        Libc.dup2(fd, number);
        return number;
    }

    @Override
    public Wire urgentWire() {
        return new Socket(own(Libc.tcpPair()));
    }

    @Override
    public int file() {
        // Any file that is surely there: the running JVM's own description.
        return own(Libc.open(Path.of(System.getProperty("java.home"), "release").toString()));
    }

    @Override
    public int directory() {
        return own(Libc.open(System.getProperty("java.home")));
    }

    /// Takes over a descriptor, to be closed with the others.
    public int own(int fd) {
        open.add(fd);
        return fd;
    }

    @Override
    public void close(int fd) {
        if (!open.remove(fd)) {
            throw new IllegalArgumentException("descriptor " + fd + " is not open");
        }
        Libc.close(fd);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void expectWake() {}

    @Override
    public void close() {
        open.forEach(Libc::close);
        open.clear();
    }

    private Libc.Pair own(Libc.Pair pair) {
        open.add(pair.first());
        open.add(pair.second());
        return pair;
    }

    private static void readAll(int fd) {
        int count;
        do {
            count = Libc.read(fd, CHUNK);
        } while (count > 0);
        expectAgain(count);
    }

    private static void writeAll(int fd) {
        int count;
        do {
            count = Libc.write(fd, CHUNK);
        } while (count > 0);
        expectAgain(count);
    }

    private static void expectAgain(int result) {
        if (result != -Errno.EAGAIN) {
            throw new AssertionError("EAGAIN expected, but the call gave " + result);
        }
    }

    private final class Socket implements Wire {
        private final Libc.Pair pair;

        Socket(Libc.Pair pair) {
            this.pair = pair;
        }

        @Override
        public int fd() {
            return pair.first();
        }

        @Override
        public void send() {
            if (Libc.write(pair.second(), 1) != 1) {
                throw new AssertionError("the peer of " + pair.first() + " cannot write");
            }
        }

        @Override
        public void sendUrgent() {
            Libc.sendUrgent(pair.second());
        }

        @Override
        public void drain() {
            readAll(pair.first());
        }

        @Override
        public void fill() {
            writeAll(pair.first());
        }

        @Override
        public void makeRoom() {
            readAll(pair.second());
        }

        @Override
        public void finish() {
            Libc.shutdownWrites(pair.second());
        }

        @Override
        public void hangUp() {
            Pipes.this.close(pair.second());
        }

        @Override
        public void close() {
            Pipes.this.close(pair.first());
        }
    }
}
