package dev.heddle.sys;

import java.util.Map;

/// The error numbers this library handles by name, and names for messages.
///
/// Numbers differ between systems: the small ones are the same everywhere, the others are looked up
/// by operating system once.
///
/// **Thread:** immutable.
public final class Errno {
    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EBADF = 9;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EPIPE = 32;
    public static final int EAGAIN = LINUX ? 11 : 35;
    public static final int EALREADY = LINUX ? 114 : 37;
    public static final int ENOSYS = LINUX ? 38 : 78;
    public static final int ELOOP = LINUX ? 40 : 62;
    public static final int ETIME = LINUX ? 62 : 101;
    public static final int ECONNRESET = LINUX ? 104 : 54;
    public static final int ENOBUFS = LINUX ? 105 : 55;
    public static final int ETIMEDOUT = LINUX ? 110 : 60;
    public static final int EDQUOT = LINUX ? 122 : 69;
    public static final int ECANCELED = LINUX ? 125 : 89;

    private static final Map<Integer, String> NAMES =
            Map.ofEntries(
                    Map.entry(EPERM, "EPERM (operation not permitted)"),
                    Map.entry(ENOENT, "ENOENT (no such entry)"),
                    Map.entry(EINTR, "EINTR (interrupted)"),
                    Map.entry(EIO, "EIO (input or output error)"),
                    Map.entry(EBADF, "EBADF (bad file descriptor)"),
                    Map.entry(ENOMEM, "ENOMEM (out of memory)"),
                    Map.entry(EACCES, "EACCES (permission denied)"),
                    Map.entry(EBUSY, "EBUSY (busy)"),
                    Map.entry(EEXIST, "EEXIST (exists already)"),
                    Map.entry(EISDIR, "EISDIR (is a directory)"),
                    Map.entry(EINVAL, "EINVAL (invalid argument)"),
                    Map.entry(ENFILE, "ENFILE (too many open files in the system)"),
                    Map.entry(EMFILE, "EMFILE (too many open files)"),
                    Map.entry(EFBIG, "EFBIG (file too large)"),
                    Map.entry(ENOSPC, "ENOSPC (no space, or a limit is reached)"),
                    Map.entry(EPIPE, "EPIPE (nobody reads the other end)"),
                    Map.entry(EAGAIN, "EAGAIN (try again)"),
                    Map.entry(EALREADY, "EALREADY (already in progress)"),
                    Map.entry(ENOSYS, "ENOSYS (the kernel does not have this call)"),
                    Map.entry(ELOOP, "ELOOP (goes in a circle)"),
                    Map.entry(ETIME, "ETIME (timer expired)"),
                    Map.entry(ENOBUFS, "ENOBUFS (no buffer space)"),
                    Map.entry(ECONNRESET, "ECONNRESET (reset by the peer)"),
                    Map.entry(ETIMEDOUT, "ETIMEDOUT (timed out)"),
                    Map.entry(EDQUOT, "EDQUOT (quota exceeded)"),
                    Map.entry(ECANCELED, "ECANCELED (cancelled)"));

    private Errno() {}

    /// {@return a name a person can use, for a positive error number}
    public static String describe(int errno) {
        return NAMES.getOrDefault(errno, "errno " + errno);
    }

    /// {@return the positive number of an error, by its name in C}
    ///
    /// @throws IllegalArgumentException if no error that we know has this name
    public static int number(String name) {
        return NAMES.entrySet().stream()
                .filter(each -> each.getValue().startsWith(name + " ("))
                .map(Map.Entry::getKey)
                .findAny()
                .orElseThrow(
                        () -> new IllegalArgumentException("no error is called \"" + name + '"'));
    }
}
