package dev.heddle.test.kernel;

import static dev.heddle.sys.Errno.EACCES;
import static dev.heddle.sys.Errno.EAGAIN;
import static dev.heddle.sys.Errno.EBUSY;
import static dev.heddle.sys.Errno.ECONNRESET;
import static dev.heddle.sys.Errno.EDQUOT;
import static dev.heddle.sys.Errno.EEXIST;
import static dev.heddle.sys.Errno.EFBIG;
import static dev.heddle.sys.Errno.EINTR;
import static dev.heddle.sys.Errno.EIO;
import static dev.heddle.sys.Errno.EMFILE;
import static dev.heddle.sys.Errno.ENFILE;
import static dev.heddle.sys.Errno.ENOBUFS;
import static dev.heddle.sys.Errno.ENOENT;
import static dev.heddle.sys.Errno.ENOMEM;
import static dev.heddle.sys.Errno.ENOSPC;
import static dev.heddle.sys.Errno.ENOSYS;
import static dev.heddle.sys.Errno.EPERM;
import static dev.heddle.sys.Errno.EPIPE;
import static dev.heddle.sys.Errno.ETIME;
import static dev.heddle.sys.Errno.ETIMEDOUT;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which errors each system call has to be tried with: those that a healthy program meets on a busy
/// or locked-down machine, not those that only its own mistakes cause.
///
/// A row is for every kind of descriptor; not each kind knows all of it (an eventfd is never out of
/// space).
///
/// **Thread:** immutable.
public final class Faults {
    private static final SortedMap<String, List<Integer>> TABLE = table();

    private Faults() {}

    /// {@return the calls that can fail, as in the manual, in alphabetical order}
    public static Set<String> calls() {
        return TABLE.sequencedKeySet();
    }

    /// {@return the positive error numbers for this call, none if it does not fail}
    public static List<Integer> errors(String call) {
        return TABLE.getOrDefault(call, List.of());
    }

    private static SortedMap<String, List<Integer>> table() {
        var rows = new TreeMap<String, List<Integer>>();
        rows.put("read", List.of(EINTR, EAGAIN, ECONNRESET, ETIMEDOUT, EIO));
        rows.put(
                "write",
                List.of(
                        EINTR,
                        EAGAIN,
                        EPIPE,
                        ECONNRESET,
                        ENOBUFS,
                        ENOMEM,
                        ENOSPC,
                        EDQUOT,
                        EFBIG,
                        EIO));
        rows.put("close", List.of(EINTR, EIO));
        rows.put("fstat", List.of(ENOMEM, EIO));
        rows.put("pipe2", List.of(EMFILE, ENFILE));
        rows.put("eventfd", List.of(EMFILE, ENFILE, ENOMEM));
        rows.put("epoll_create1", List.of(EMFILE, ENFILE, ENOMEM));
        rows.put("epoll_ctl", List.of(EEXIST, ENOENT, ENOMEM, ENOSPC, EPERM));
        rows.put("epoll_wait", List.of(EINTR));
        rows.put("epoll_pwait2", List.of(EINTR, ENOSYS, EPERM));
        rows.put("poll", List.of(EINTR, ENOMEM));
        rows.put("ppoll", List.of(EINTR, ENOMEM, ENOSYS, EPERM));
        rows.put("kqueue", List.of(EMFILE, ENFILE, ENOMEM));
        rows.put("kevent", List.of(EINTR, EACCES, ENOENT, ENOMEM));
        rows.put("io_uring_setup", List.of(EMFILE, ENFILE, ENOMEM, ENOSYS, EPERM));
        rows.put("io_uring_enter", List.of(EINTR, EAGAIN, EBUSY, ETIME));
        rows.put("io_uring_register", List.of(EBUSY, ENOMEM));
        rows.put("mmap", List.of(EAGAIN, ENOMEM));
        return rows;
    }
}
