package dev.heddle.testing;

import dev.heddle.reactor.Interest;
import dev.heddle.reactor.SimReactor;

/// Wires whose peer is a script: nothing of the operating system's is held.
///
/// **Thread:** owner (the test).
public record ScriptedWires(SimReactor kernel) implements Descriptors {
    @Override
    public Wire wire() {
        int fd = kernel.open();
        kernel.ready(fd, Interest.WRITE);
        return new ScriptedWire(kernel, fd);
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
        return kernel.openFile();
    }

    @Override
    public int directory() {
        return kernel.openFile();
    }

    @Override
    public void close(int fd) {
        kernel.close(fd);
    }

    @Override
    public long nanos() {
        return kernel.nanos();
    }

    @Override
    public void expectWake() {
        kernel.holdTimeWhile(() -> true);
    }

    @Override
    public void close() {}

    private record ScriptedWire(SimReactor kernel, int fd) implements Wire {
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
            kernel.close(fd);
        }
    }
}
