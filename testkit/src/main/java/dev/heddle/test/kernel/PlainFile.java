package dev.heddle.test.kernel;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Poll;
import dev.heddle.sys.Stat;

import java.lang.foreign.MemorySegment;

/// An empty regular file, or a directory: always ready, and so nothing to wait for.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class PlainFile extends OpenFile {
    private final boolean directory;

    PlainFile(Waits waits, boolean directory) {
        super(waits, 0);
        this.directory = directory;
    }

    @Override
    int readiness() {
        return Poll.POLLIN | Poll.POLLOUT;
    }

    @Override
    boolean hasReadiness() {
        return false;
    }

    @Override
    int mode() {
        return directory ? Stat.S_IFDIR : Stat.S_IFREG;
    }

    @Override
    int access() {
        return 0;
    }

    @Override
    long read(int fd, MemorySegment buffer, long length) {
        return directory ? -Errno.EISDIR : 0;
    }

    @Override
    long write(int fd, MemorySegment buffer, long length) {
        return -Errno.EBADF; // opened for reading
    }

    @Override
    public String toString() {
        return directory ? "directory" : "file";
    }
}
