package dev.heddle.reactor;

import dev.heddle.sys.Errno;

import java.io.IOException;

/// A system call failed: which one, on what, and with which `errno`.
///
/// **Thread:** immutable.
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /// @param call the system call and its subject, such as `epoll_ctl(ADD, fd 7)`
    /// @param errno the positive error number
    public ErrnoException(String call, int errno) {
        super(call + ": " + Errno.describe(errno));
        this.call = call;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    /// {@return the positive error number}
    public int errno() {
        return errno;
    }
}
