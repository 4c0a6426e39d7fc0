package dev.heddle.testing;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.DelegatingSys;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A kernel that keeps the books: what was made through it and not yet given back, and what was
/// given back without being there.
///
/// **Thread:** owner (the test).
public final class Ledger extends DelegatingSys {
    private final List<String> held = new ArrayList<>();
    private final List<String> mistakes = new ArrayList<>();

    public Ledger(Sys next) {
        super(next);
    }

    /// {@return descriptors and mappings that are left, and whatever was given back twice}
    public List<String> leftovers() {
        var all = new ArrayList<>(held);
        all.addAll(mistakes);
        return all;
    }

    @Override
    public int close(CallState state, int fd) {
        giveBack("descriptor " + fd);
        return super.close(state, fd);
    }

    @Override
    public int pipe2(CallState state, MemorySegment pair, int flags) {
        int result = super.pipe2(state, pair, flags);
        if (result >= 0) {
            descriptor(pair.getAtIndex(JAVA_INT, 0));
            descriptor(pair.getAtIndex(JAVA_INT, 1));
        }
        return result;
    }

    @Override
    public int eventfd(CallState state, int initial, int flags) {
        return descriptor(super.eventfd(state, initial, flags));
    }

    @Override
    public int epollCreate1(CallState state, int flags) {
        return descriptor(super.epollCreate1(state, flags));
    }

    @Override
    public int ioUringSetup(CallState state, int entries, MemorySegment params) {
        return descriptor(super.ioUringSetup(state, entries, params));
    }

    @Override
    public long mmap(CallState state, long length, int protection, int flags, int fd, long offset) {
        long address = super.mmap(state, length, protection, flags, fd, offset);
        if (address >= 0) {
            held.add(mapping(address, length));
        }
        return address;
    }

    @Override
    public int munmap(CallState state, long address, long length) {
        giveBack(mapping(address, length));
        return super.munmap(state, address, length);
    }

    private int descriptor(int fd) {
        if (fd >= 0) {
            held.add("descriptor " + fd);
        }
        return fd;
    }

    private void giveBack(String what) {
        if (!held.remove(what)) {
            mistakes.add("not there to be given back: " + what);
        }
    }

    private static String mapping(long address, long length) {
        return "mapping " + address + "+" + length;
    }
}
