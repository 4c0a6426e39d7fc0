package dev.heddle.bench.loop;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sys;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A pipe of the operating system, both ends non-blocking.
///
/// **Thread:** owner (whoever opened it).
record PipePair(int readEnd, int writeEnd) implements AutoCloseable {
    static PipePair open() throws IOException {
        MemorySegment pair = Memory.allocate(2 * JAVA_INT.byteSize());
        try (var state = new CallState()) {
            int result = Sys.NATIVE.pipe2(state, pair, Fd.O_NONBLOCK | Fd.O_CLOEXEC);
            if (result < 0) {
                throw new IOException("pipe2: " + Errno.describe(-result));
            }
            return new PipePair(pair.getAtIndex(JAVA_INT, 0), pair.getAtIndex(JAVA_INT, 1));
        } finally {
            Memory.free(pair);
        }
    }

    /// Puts one byte in.
    void fill() throws IOException {
        MemorySegment one = Memory.allocate(1);
        try (var state = new CallState()) {
            long result = Sys.NATIVE.write(state, writeEnd, one, 1);
            if (result != 1) {
                throw new IOException("write to a pipe gave " + result);
            }
        } finally {
            Memory.free(one);
        }
    }

    @Override
    public void close() {
        try (var state = new CallState()) {
            Sys.NATIVE.close(state, readEnd);
            Sys.NATIVE.close(state, writeEnd);
        }
    }
}
