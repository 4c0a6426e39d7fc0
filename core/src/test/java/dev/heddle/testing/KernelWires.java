package dev.heddle.testing;

import dev.heddle.reactor.Interest;
import dev.heddle.test.kernel.SimKernel;

import java.util.TreeSet;

/// Wires of a [SimKernel], whose peer is a script. Closing it closes them.
///
/// **Thread:** owner (the test).
public final class KernelWires implements Descriptors {
    private final SimKernel kernel;
    private final TreeSet<Integer> open = new TreeSet<>();

    public KernelWires(SimKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public Wire wire() {
        int fd = own(kernel.scripted());
        kernel.ready(fd, Interest.WRITE);
        return new KernelWire(fd);
    }

    @Override
    public Wire wireWithNumber(int fd) {
        var wire = wire();
        if (wire.fd() != fd) {
            throw new IllegalArgumentException("not the lowest free number: " + fd);
        }
        return wire;
    }

    @Override
    public Wire urgentWire() {
        return wire();
    }

    @Override
    public int file() {
        return own(kernel.file());
    }

    @Override
    public int directory() {
        return own(kernel.directory());
    }

    @Override
    public void close(int fd) {
        open.remove(fd);
        kernel.close(fd);
    }

    @Override
    public long nanos() {
        return kernel.clock().nanos();
    }

    @Override
    public void expectWake() {
        kernel.holdTimeWhile(() -> true);
    }

    @Override
    public void close() {
        open.forEach(kernel::close);
        open.clear();
    }

    private int own(int fd) {
        open.add(fd);
        return fd;
    }

    private final class KernelWire implements Wire {
        private final int fd;

        KernelWire(int fd) {
            this.fd = fd;
        }

        @Override
        public int fd() {
            return fd;
        }

        @Override
        public void send() {
            kernel.ready(fd, Interest.READ);
        }

        @Override
        public void sendUrgent() {
            kernel.ready(fd, Interest.PRIORITY);
        }

        @Override
        public void drain() {
            kernel.clear(fd, Interest.READ);
        }

        @Override
        public void fill() {
            kernel.clear(fd, Interest.WRITE);
        }

        @Override
        public void makeRoom() {
            kernel.ready(fd, Interest.WRITE);
        }

        @Override
        public void finish() {
            kernel.ready(fd, Interest.READ);
        }

        @Override
        public void hangUp() {
            kernel.hangUp(fd);
        }

        @Override
        public void close() {
            KernelWires.this.close(fd);
        }
    }
}
