package dev.heddle.test.kernel;

import dev.heddle.sys.Stat;

import java.lang.foreign.MemorySegment;

/// Readiness and nothing else, as a script says: something like a socket, without bytes.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class ScriptedFile extends OpenFile {
    private static final int READ_AND_WRITE = 2; // O_RDWR

    private int level;

    ScriptedFile(Waits waits) {
        super(waits, 0);
    }

    void raise(int bits) {
        level |= bits;
        wake(bits);
    }

    void drop(int bits) {
        level &= ~bits;
    }

    @Override
    int readiness() {
        return level;
    }

    @Override
    int mode() {
        return Stat.S_IFSOCK;
    }

    @Override
    int access() {
        return READ_AND_WRITE;
    }

    @Override
    long read(int fd, MemorySegment buffer, long length) {
        throw noBytes("read", fd);
    }

    @Override
    long write(int fd, MemorySegment buffer, long length) {
        throw noBytes("write", fd);
    }

    @Override
    public String toString() {
        return "scripted";
    }

    private static AssertionError noBytes(String call, int fd) {
        return new AssertionError(
                call + " of descriptor " + fd + ", which is only a script: take a pipe for bytes");
    }
}
