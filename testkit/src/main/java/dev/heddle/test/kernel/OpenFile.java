package dev.heddle.test.kernel;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What a descriptor of [SimKernel] refers to: the table of kinds. A simulated socket would be one
/// more of these.
///
/// A file tells those who watch it when something happens, with the bits that it concerns; what
/// holds is asked for with [#readiness]. So it is in Linux, where a wake-up of a wait queue only
/// makes the waiter look: see `fs/eventpoll.c` and `fs/pipe.c`.
///
/// **Thread:** owner (whoever holds the kernel's lock).
abstract sealed class OpenFile permits PipeEnd, EventCounter, EpollSet, ScriptedFile, PlainFile {
    /// What a wake-up without a key concerns.
    static final int EVERYTHING = -1;

    /// Who is told.
    ///
    /// **Thread:** owner (whoever holds the kernel's lock).
    interface Watcher {
        /// @param key the bits of `poll(2)` that this is about
        void notice(int key);

        /// The file is closed.
        void gone();
    }

    private final Waits waits;
    private final List<Watcher> watchers = new ArrayList<>();
    private boolean nonBlocking;

    OpenFile(Waits waits, int flags) {
        this.waits = waits;
        nonBlocking = (flags & Fd.O_NONBLOCK) != 0;
    }

    /// {@return the bits of `poll(2)` that hold now}
    abstract int readiness();

    /// {@return what `fstat(2)` calls it}
    abstract int mode();

    /// {@return `O_RDONLY`, `O_WRONLY` or `O_RDWR`}
    abstract int access();

    /// {@return how many bytes, or `-errno`}
    abstract long read(int fd, MemorySegment buffer, long length);

    /// {@return how many bytes, or `-errno`}
    abstract long write(int fd, MemorySegment buffer, long length);

    /// {@return whether there is anything to wait for; not so for files and directories}
    boolean hasReadiness() {
        return true;
    }

    /// The last descriptor is gone.
    void release() {}

    final int flags() {
        return access() | (nonBlocking ? Fd.O_NONBLOCK : 0);
    }

    final int setFlags(int flags) {
        nonBlocking = (flags & Fd.O_NONBLOCK) != 0;
        return 0;
    }

    /// The latest is told first, as in Linux, where a waiter goes to the head of the wait queue.
    final void watch(Watcher watcher) {
        watchers.addFirst(watcher);
    }

    final void unwatch(Watcher watcher) {
        watchers.remove(watcher);
    }

    final void close() {
        for (var watcher : List.copyOf(watchers)) {
            watcher.gone();
        }
        watchers.clear();
        release();
    }

    /// Tells all who watch.
    final void wake(int key) {
        for (int i = 0; i < watchers.size(); i++) {
            watchers.get(i).notice(key);
        }
        waits.changed();
    }

    /// {@return `-EAGAIN`}
    ///
    /// @throws AssertionError if the descriptor blocks: the simulated loop would hang for ever
    final long wouldBlock(String call, int fd) {
        if (!nonBlocking) {
            throw new AssertionError(
                    call + " of descriptor " + fd + " (" + this + ") would block: set O_NONBLOCK");
        }
        return -Errno.EAGAIN;
    }
}
