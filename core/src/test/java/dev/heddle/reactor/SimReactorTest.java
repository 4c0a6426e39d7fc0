package dev.heddle.reactor;

import dev.heddle.testing.Descriptors;
import dev.heddle.testing.Wire;

final class SimReactorTest extends ReactorContract {
    @Override
    Reactor open() {
        return new SimReactor();
    }

    @Override
    Descriptors descriptors(Reactor reactor) {
        return new Scripted((SimReactor) reactor);
    }

    /// Wires whose peer is a script.
    private record Scripted(SimReactor kernel) implements Descriptors {
        @Override
        public Wire wire() {
            int fd = kernel.open();
            kernel.ready(fd, WRITE);
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

        // Nothing of the operating system's is held.
        @Override
        public void close() {}
    }

    private record ScriptedWire(SimReactor kernel, int fd) implements Wire {
        @Override
        public void send() {
            kernel.ready(fd, READ);
        }

        @Override
        public void sendUrgent() {
            kernel.ready(fd, PRIORITY);
        }

        @Override
        public void drain() {
            kernel.clear(fd, READ);
        }

        @Override
        public void fill() {
            kernel.clear(fd, WRITE);
        }

        @Override
        public void makeRoom() {
            kernel.ready(fd, WRITE);
        }

        @Override
        public void finish() {
            kernel.ready(fd, READ);
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
