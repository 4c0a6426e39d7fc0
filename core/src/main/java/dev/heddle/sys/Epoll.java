package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// Linux `epoll(7)`: one method per system call, in the manual page's argument order.
///
/// Results follow [CallState#fold(int)]. No policy lives here: edges, retries and tokens belong to
/// the reactor.
///
/// **Thread:** any, each with its own [CallState].
public final class Epoll {
    public static final int EPOLLIN = 0x001;
    public static final int EPOLLPRI = 0x002;
    public static final int EPOLLOUT = 0x004;
    public static final int EPOLLERR = 0x008;
    public static final int EPOLLHUP = 0x010;
    public static final int EPOLLRDHUP = 0x2000;
    public static final int EPOLLET = 1 << 31;

    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLL_CTL_MOD = 3;

    public static final int EPOLL_CLOEXEC = 0x80000;

    // struct epoll_event is packed on x86-64 and naturally aligned elsewhere (sys/epoll.h).
    public static final StructLayout EVENT =
            Platform.isX64()
                    ? MemoryLayout.structLayout(
                            JAVA_INT.withName("events"), JAVA_LONG_UNALIGNED.withName("data"))
                    : MemoryLayout.structLayout(
                            JAVA_INT.withName("events"),
                            MemoryLayout.paddingLayout(4),
                            JAVA_LONG.withName("data"));
    public static final long EVENT_SIZE = EVENT.byteSize();

    private static final long EVENTS = EVENT.byteOffset(groupElement("events"));
    private static final long DATA = EVENT.byteOffset(groupElement("data"));

    // One number on every architecture; glibc has a wrapper only since 2.35.
    private static final long SYS_EPOLL_PWAIT2 = 441;

    // Waits go to the kernel directly: glibc's wrappers are thread cancellation points, which costs
    // 25 ns of the 150 that a wait without events takes in a process with threads.
    private static final long SYS_EPOLL_PWAIT = Platform.syscall(281, 22);

    private static final MethodHandle CREATE1 =
            Native.bindQuick("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle CTL =
            Native.bindQuick(
                    "epoll_ctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final FunctionDescriptor PWAIT_SHAPE =
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS,
                    JAVA_LONG);
    private static final MethodHandle PWAIT =
            Native.bind("syscall", PWAIT_SHAPE, Linker.Option.firstVariadicArg(1));
    private static final MethodHandle PEEK =
            Native.bindQuick("syscall", PWAIT_SHAPE, Linker.Option.firstVariadicArg(1));
    private static final MethodHandle PWAIT2 =
            Native.bind(
                    "syscall",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS,
                            JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));

    private Epoll() {}

    public static int create1(CallState state, int flags) {
        try {
            return state.fold((int) CREATE1.invokeExact(state.segment(), flags));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static int ctl(CallState state, int epfd, int op, int fd, MemorySegment event) {
        try {
            return state.fold((int) CTL.invokeExact(state.segment(), epfd, op, fd, event));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// `epoll_pwait(2)` without a signal mask. A timeout of 0 takes the binding for calls that
    /// cannot block.
    public static int wait(
            CallState state, int epfd, MemorySegment events, int max, int timeoutMillis) {
        if (SYS_EPOLL_PWAIT < 0) {
            return libcWait(state, epfd, events, max, timeoutMillis);
        }
        try {
            var call = state.segment();
            var mask = MemorySegment.NULL;
            long nr = SYS_EPOLL_PWAIT;
            long result =
                    timeoutMillis == 0
                            ? (long) PEEK.invokeExact(call, nr, epfd, events, max, 0, mask, 0L)
                            : (long)
                                    PWAIT.invokeExact(
                                            call, nr, epfd, events, max, timeoutMillis, mask, 0L);
            return (int) state.fold(result);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// `epoll_pwait2(2)` without a signal mask: nanoseconds, on Linux 5.11 and later.
    public static int pwait2(
            CallState state, int epfd, MemorySegment events, int max, MemorySegment timespec) {
        try {
            long result =
                    (long)
                            PWAIT2.invokeExact(
                                    state.segment(),
                                    SYS_EPOLL_PWAIT2,
                                    epfd,
                                    events,
                                    max,
                                    timespec,
                                    MemorySegment.NULL,
                                    0L);
            return (int) state.fold(result);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    private static int libcWait(
            CallState state, int epfd, MemorySegment events, int max, int timeoutMillis) {
        try {
            return state.fold(
                    (int)
                            LibcWait.CALL.invokeExact(
                                    state.segment(), epfd, events, max, timeoutMillis));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static void set(MemorySegment event, int events, long data) {
        event.set(JAVA_INT, EVENTS, events);
        event.set(JAVA_LONG_UNALIGNED, DATA, data);
    }

    /// {@return the `events` field of the event at `index`}
    public static int events(MemorySegment array, int index) {
        return array.get(JAVA_INT, index * EVENT_SIZE + EVENTS);
    }

    /// {@return the `data` field of the event at `index`}
    public static long data(MemorySegment array, int index) {
        return array.get(JAVA_LONG_UNALIGNED, index * EVENT_SIZE + DATA);
    }

    // A holder: only architectures whose numbers we do not know initialise it.
    private static final class LibcWait {
        static final MethodHandle CALL =
                Native.bind(
                        "epoll_wait",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    }
}
