package dev.heddle.test.kernel;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Sys;

import java.lang.foreign.MemorySegment;

/// A pipe of a [SimKernel] with both its ends, for tests that play the other side: without native
/// memory, and with ends that are closed at most once.
///
/// Both ends are non-blocking. Made by [SimKernel#pipe()].
///
/// **Thread:** any.
public final class SimPipe implements AutoCloseable {
    private final SimKernel kernel;
    private final Sys sys;
    private final PipeEnd reader;
    private final PipeEnd writer;
    private final int readEnd;
    private final int writeEnd;

    SimPipe(SimKernel kernel, Sys sys, int readEnd, int writeEnd) {
        this.kernel = kernel;
        this.sys = sys;
        this.readEnd = readEnd;
        this.writeEnd = writeEnd;
        reader = kernel.pipeEnd(readEnd);
        writer = kernel.pipeEnd(writeEnd);
    }

    /// {@return the descriptor to read from}
    public int readEnd() {
        return readEnd;
    }

    /// {@return the descriptor to write to}
    public int writeEnd() {
        return writeEnd;
    }

    /// `read(2)` of the read end.
    ///
    /// @return how many bytes, 0 at the end of the stream, or `-errno`: `-EAGAIN` if it is empty
    public int read(byte[] target) {
        try (var state = new CallState()) {
            return (int) sys.read(state, readEnd, MemorySegment.ofArray(target), target.length);
        }
    }

    /// `write(2)` to the write end.
    ///
    /// @return how many bytes, or `-errno`: `-EAGAIN` if it is full, `-EPIPE` if nobody reads
    public int write(byte[] source) {
        try (var state = new CallState()) {
            return (int) sys.write(state, writeEnd, MemorySegment.ofArray(source), source.length);
        }
    }

    /// Closes the read end, unless that has been done, by whomever.
    public void closeReadEnd() {
        close(readEnd, reader);
    }

    /// Closes the write end, unless that has been done, by whomever.
    public void closeWriteEnd() {
        close(writeEnd, writer);
    }

    /// Closes both ends, as far as they are open.
    @Override
    public void close() {
        closeWriteEnd();
        closeReadEnd();
    }

    @Override
    public String toString() {
        return "SimPipe(" + readEnd + " <- " + writeEnd + ")";
    }

    private void close(int fd, PipeEnd end) {
        // The number may be somebody else's by now.
        if (kernel.isOpen(fd, end)) {
            try (var state = new CallState()) {
                sys.close(state, fd);
            }
        }
    }
}
