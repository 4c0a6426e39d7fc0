package dev.heddle.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Calls on a descriptor of any kind: `close(2)`, `read(2)`, `write(2)`, `pipe(2)`, `eventfd(2)`,
/// `fcntl(2)`.
///
/// `read` and `write` are bound as calls that cannot block: give them non-blocking descriptors
/// only.
///
/// **Thread:** any, each with its own [CallState].
public final class Fd {
    public static final int O_NONBLOCK = Platform.isLinux() ? 0x800 : 0x4;
    public static final int O_CLOEXEC =
            Platform.isLinux() ? 0x80000 : Platform.isMac() ? 0x1000000 : 0x100000;
    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int FD_CLOEXEC = 1;

    private static final MethodHandle CLOSE =
            Native.bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    // A wake-up is one of these: past glibc's wrapper for the reason given in Epoll.
    private static final long SYS_WRITE = Platform.syscall(1, 64);
    private static final MethodHandle SYSCALL_WRITE =
            Native.bindQuick(
                    "syscall",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));

    private static final MethodHandle READ =
            Native.bindQuick(
                    "read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            Native.bindQuick(
                    "write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle PIPE =
            Native.bindQuick("pipe", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle FCNTL =
            Native.bindQuick(
                    "fcntl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));

    private Fd() {}

    public static int close(CallState state, int fd) {
        try {
            return state.fold((int) CLOSE.invokeExact(state.segment(), fd));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static long read(CallState state, int fd, MemorySegment buffer, long length) {
        try {
            return state.fold((long) READ.invokeExact(state.segment(), fd, buffer, length));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static long write(CallState state, int fd, MemorySegment buffer, long length) {
        try {
            var call = state.segment();
            long result =
                    SYS_WRITE < 0
                            ? (long) WRITE.invokeExact(call, fd, buffer, length)
                            : (long) SYSCALL_WRITE.invokeExact(call, SYS_WRITE, fd, buffer, length);
            return state.fold(result);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// `pipe2(2)` where the system has it (flags set atomically), else `pipe(2)` and `fcntl(2)`.
    public static int pipe2(CallState state, MemorySegment pair, int flags) {
        try {
            if (Platform.isMac()) {
                return pipeThenFlags(state, pair, flags);
            }
            return state.fold((int) Pipe2.CALL.invokeExact(state.segment(), pair, flags));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static int fcntl(CallState state, int fd, int command, int argument) {
        try {
            return state.fold((int) FCNTL.invokeExact(state.segment(), fd, command, argument));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// Linux only.
    public static int eventfd(CallState state, int initial, int flags) {
        try {
            return state.fold((int) EventFd.CALL.invokeExact(state.segment(), initial, flags));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    private static int pipeThenFlags(CallState state, MemorySegment pair, int flags)
            throws Throwable {
        int result = state.fold((int) PIPE.invokeExact(state.segment(), pair));
        for (int i = 0; result >= 0 && i < 2; i++) {
            int fd = pair.getAtIndex(JAVA_INT, i);
            if ((flags & O_CLOEXEC) != 0) {
                result = fcntl(state, fd, F_SETFD, FD_CLOEXEC);
            }
            if (result >= 0 && (flags & O_NONBLOCK) != 0) {
                result = fcntl(state, fd, F_SETFL, O_NONBLOCK);
            }
        }
        return result;
    }

    // Holders: a system that lacks the symbol never initialises them.

    private static final class Pipe2 {
        static final MethodHandle CALL =
                Native.bindQuick("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    }

    private static final class EventFd {
        static final MethodHandle CALL =
                Native.bindQuick("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    }
}
