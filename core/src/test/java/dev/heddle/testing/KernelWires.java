package dev.heddle.testing;

import dev.heddle.reactor.Interest;
import dev.heddle.test.kernel.SimKernel;

import java.util.TreeSet;

/// Wires of a [SimKernel], whose peer is a script. Closing it closes them.
///
/// **Thread:** owner (the test).
public final class KernelWires implements Descriptors, ScriptedWire.Script {
    private final SimKernel kernel;
    private final TreeSet<Integer> open = new TreeSet<>();

    public KernelWires(SimKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public Wire wire() {
        int fd = own(kernel.scripted());
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
    public void ready(int fd, int bits) {
        kernel.ready(fd, bits);
    }

    @Override
    public void clear(int fd, int bits) {
        kernel.clear(fd, bits);
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
}
