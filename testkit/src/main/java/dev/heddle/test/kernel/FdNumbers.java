package dev.heddle.test.kernel;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The numbers of the open descriptors: always the lowest free one, up to a limit.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class FdNumbers {
    private static final int FIRST = 3; // 0 to 2 are spoken for in every process

    private static final class Entry {
        final OpenFile file;
        int flags;

        Entry(OpenFile file, int flags) {
            this.file = file;
            this.flags = flags;
        }
    }

    private final List<@Nullable Entry> entries = new ArrayList<>();
    private final List<String> doubleCloses = new ArrayList<>();
    private int limit;

    FdNumbers(int limit) {
        this.limit = limit;
    }

    int limit() {
        return limit;
    }

    void limit(int newLimit) {
        limit = newLimit;
    }

    /// {@return how many more descriptors the limit allows}
    int free() {
        long used = entries.stream().filter(entry -> entry != null).count();
        return (int) Math.max(0, limit - FIRST - used);
    }

    /// {@return the number, or `-EMFILE`}
    int add(OpenFile file, boolean closeOnExec) {
        int index = entries.indexOf(null);
        if (index < 0) {
            index = entries.size();
        }
        if (index + FIRST >= limit) {
            return -Errno.EMFILE;
        }
        if (index == entries.size()) {
            entries.add(null);
        }
        entries.set(index, new Entry(file, closeOnExec ? Fd.FD_CLOEXEC : 0));
        return index + FIRST;
    }

    @Nullable OpenFile find(int fd) {
        var entry = entry(fd);
        return entry == null ? null : entry.file;
    }

    /// {@return `F_GETFD`'s answer, or `-EBADF`}
    int flags(int fd) {
        var entry = entry(fd);
        return entry == null ? -Errno.EBADF : entry.flags;
    }

    int setFlags(int fd, int flags) {
        var entry = entry(fd);
        if (entry == null) {
            return -Errno.EBADF;
        }
        entry.flags = flags & Fd.FD_CLOEXEC;
        return 0;
    }

    /// {@return 0, or `-EBADF` for one that is not open, which is remembered}
    int close(int fd) {
        var entry = entry(fd);
        if (entry == null) {
            doubleCloses.add("close of descriptor " + fd + ", which is not open");
            return -Errno.EBADF;
        }
        entries.set(fd - FIRST, null);
        entry.file.close();
        return 0;
    }

    List<String> open() {
        var names = new ArrayList<String>();
        for (int i = 0; i < entries.size(); i++) {
            var entry = entries.get(i);
            if (entry != null) {
                names.add(i + FIRST + ": " + entry.file);
            }
        }
        return names;
    }

    List<String> doubleCloses() {
        return List.copyOf(doubleCloses);
    }

    private @Nullable Entry entry(int fd) {
        int index = fd - FIRST;
        return index >= 0 && index < entries.size() ? entries.get(index) : null;
    }
}
