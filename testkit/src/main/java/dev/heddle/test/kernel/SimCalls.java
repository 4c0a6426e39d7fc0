package dev.heddle.test.kernel;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Limits;
import dev.heddle.sys.Platform;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Timespec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntSupplier;

/// The system calls of [SimKernel], each as its manual page has it: arguments are checked in the
/// order in which Linux does, and a call that fails has done nothing.
///
/// **Thread:** any, except the waits: owner (who owns the clock).
abstract sealed class SimCalls extends MissingCalls permits SimKernel {
    private static final int PIPE_FLAGS = Fd.O_CLOEXEC | Fd.O_NONBLOCK;
    private static final int EVENTFD_FLAGS = Fd.EFD_CLOEXEC | Fd.EFD_NONBLOCK;
    private static final long MEMLOCK_BYTES = 8L << 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /// Also the kernel's lock.
    final Waits waits;

    // Under the lock.
    final Chance chance;
    final FdNumbers numbers;
    int pipeCapacity = PipeBuffer.DEFAULT_CAPACITY;
    private int pipes;

    SimCalls(Waits waits, Chance chance, FdNumbers numbers) {
        this.waits = waits;
        this.chance = chance;
        this.numbers = numbers;
    }

    @Override
    public int close(CallState state, int fd) {
        synchronized (waits) {
            return numbers.close(fd);
        }
    }

    @Override
    public long read(CallState state, int fd, MemorySegment buffer, long length) {
        synchronized (waits) {
            var file = numbers.find(fd);
            return file == null ? -Errno.EBADF : file.read(fd, buffer, length);
        }
    }

    @Override
    public long write(CallState state, int fd, MemorySegment buffer, long length) {
        synchronized (waits) {
            var file = numbers.find(fd);
            return file == null ? -Errno.EBADF : file.write(fd, buffer, length);
        }
    }

    @Override
    public int pipe2(CallState state, MemorySegment pair, int flags) {
        if ((flags & ~PIPE_FLAGS) != 0) {
            return -Errno.EINVAL;
        }
        synchronized (waits) {
            if (numbers.free() < 2) {
                return -Errno.EMFILE;
            }
            pipes++;
            var reader = PipeEnd.pair(waits, flags, pipes, pipeCapacity, chance);
            boolean closeOnExec = (flags & Fd.O_CLOEXEC) != 0;
            pair.set(ValueLayout.JAVA_INT, 0, numbers.add(reader, closeOnExec));
            pair.set(ValueLayout.JAVA_INT, 4, numbers.add(reader.other(), closeOnExec));
            return 0;
        }
    }

    @Override
    public int fcntl(CallState state, int fd, int command, int argument) {
        synchronized (waits) {
            var file = numbers.find(fd);
            if (file == null) {
                return -Errno.EBADF;
            }
            return switch (command) {
                case Fd.F_GETFD -> numbers.flags(fd);
                case Fd.F_SETFD -> numbers.setFlags(fd, argument);
                case Fd.F_GETFL -> file.flags();
                case Fd.F_SETFL -> file.setFlags(argument);
                default -> -Errno.EINVAL;
            };
        }
    }

    @Override
    public int fstat(CallState state, int fd, MemorySegment stat) {
        synchronized (waits) {
            var file = numbers.find(fd);
            if (file == null) {
                return -Errno.EBADF;
            }
            if (Platform.isLinux()) {
                stat.set(ValueLayout.JAVA_INT, Stat.ST_MODE_OFFSET, file.mode());
            } else {
                stat.set(ValueLayout.JAVA_SHORT, Stat.ST_MODE_OFFSET, (short) file.mode());
            }
            return 0;
        }
    }

    @Override
    public int getrlimit(CallState state, int resource, MemorySegment rlimit) {
        long limit;
        if (resource == Limits.RLIMIT_NOFILE) {
            synchronized (waits) {
                limit = numbers.limit();
            }
        } else if (resource == Limits.RLIMIT_MEMLOCK) {
            limit = MEMLOCK_BYTES;
        } else {
            return -Errno.EINVAL;
        }
        rlimit.set(ValueLayout.JAVA_LONG, 0, limit);
        rlimit.set(ValueLayout.JAVA_LONG, Long.BYTES, limit);
        return 0;
    }

    @Override
    public int eventfd(CallState state, int initial, int flags) {
        if ((flags & ~EVENTFD_FLAGS) != 0) {
            return -Errno.EINVAL;
        }
        // Linux's numbers there, this system's here.
        int mode = (flags & Fd.EFD_NONBLOCK) == 0 ? 0 : Fd.O_NONBLOCK;
        return open(new EventCounter(waits, mode, initial), (flags & Fd.EFD_CLOEXEC) != 0);
    }

    @Override
    public int epollCreate1(CallState state, int flags) {
        return (flags & ~Epoll.EPOLL_CLOEXEC) != 0
                ? -Errno.EINVAL
                : open(new EpollSet(waits, chance), flags != 0);
    }

    @Override
    public int epollCtl(CallState state, int epfd, int op, int fd, MemorySegment event) {
        synchronized (waits) {
            var epoll = numbers.find(epfd);
            var file = numbers.find(fd);
            if (epoll == null || file == null) {
                return -Errno.EBADF;
            }
            if (!file.hasReadiness()) {
                return -Errno.EPERM;
            }
            return epoll instanceof EpollSet set ? set.control(op, fd, file, event) : -Errno.EINVAL;
        }
    }

    @Override
    public int epollWait(
            CallState state, int epfd, MemorySegment events, int max, int timeoutMillis) {
        return epoll(epfd, events, max, timeoutMillis * NANOS_PER_MILLI);
    }

    @Override
    public int epollPwait2(
            CallState state, int epfd, MemorySegment events, int max, MemorySegment timespec) {
        return epoll(epfd, events, max, nanos(timespec));
    }

    @Override
    public int poll(CallState state, MemorySegment fds, long count, int timeoutMillis) {
        return poll(fds, count, timeoutMillis * NANOS_PER_MILLI);
    }

    @Override
    public int ppoll(CallState state, MemorySegment fds, long count, MemorySegment timespec) {
        return poll(fds, count, nanos(timespec));
    }

    /// {@return the number of a new descriptor, or `-EMFILE`}
    final int open(OpenFile file, boolean closeOnExec) {
        synchronized (waits) {
            return numbers.add(file, closeOnExec);
        }
    }

    private int epoll(int epfd, MemorySegment events, int max, long timeoutNanos) {
        if (max <= 0) {
            return -Errno.EINVAL;
        }
        EpollSet set;
        synchronized (waits) {
            var file = numbers.find(epfd);
            if (!(file instanceof EpollSet found)) {
                return file == null ? -Errno.EBADF : -Errno.EINVAL;
            }
            set = found;
        }
        return await(() -> set.collect(events, max), timeoutNanos);
    }

    private int poll(MemorySegment fds, long count, long timeoutNanos) {
        synchronized (waits) {
            if (count > numbers.limit()) {
                return -Errno.EINVAL;
            }
        }
        return await(() -> PollCall.look(numbers, fds, (int) count), timeoutNanos);
    }

    private int await(IntSupplier look, long timeoutNanos) {
        return waits.await(look, timeoutNanos);
    }

    private static long nanos(MemorySegment timespec) {
        return timespec.address() == 0 ? -1 : Timespec.nanos(timespec);
    }
}
