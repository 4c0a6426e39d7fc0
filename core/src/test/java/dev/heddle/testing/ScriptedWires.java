package dev.heddle.testing;

import dev.heddle.reactor.Interest;
import dev.heddle.reactor.SimReactor;

/// Wires whose peer is a script: nothing of the operating system's is held.
///
/// **Thread:** owner (the test).
public record ScriptedWires(SimReactor kernel) implements Descriptors, ScriptedWire.Script {
    @Override
    public Wire wire() {
        int fd = kernel.open();
        kernel.ready(fd, Interest.WRITE);
        return new ScriptedWire(this, fd);
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
    public void ready(int fd, int bits) {
        kernel.ready(fd, bits);
    }

    @Override
    public void clear(int fd, int bits) {
        kernel.clear(fd, bits);
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
}
