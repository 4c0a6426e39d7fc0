package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// `poll(2)` and, where the system has it, `ppoll(2)`.
///
/// **Thread:** any, each with its own [CallState].
public final class Poll {
    public static final short POLLIN = 0x01;
    public static final short POLLPRI = 0x02;
    public static final short POLLOUT = 0x04;
    public static final short POLLERR = 0x08;
    public static final short POLLHUP = 0x10;
    public static final short POLLNVAL = 0x20;

    public static final StructLayout POLLFD =
            MemoryLayout.structLayout(
                    JAVA_INT.withName("fd"),
                    JAVA_SHORT.withName("events"),
                    JAVA_SHORT.withName("revents"));
    public static final long POLLFD_SIZE = POLLFD.byteSize();

    private static final long FD = POLLFD.byteOffset(groupElement("fd"));
    private static final long EVENTS = POLLFD.byteOffset(groupElement("events"));
    private static final long REVENTS = POLLFD.byteOffset(groupElement("revents"));

    // nfds_t is unsigned long on Linux and unsigned int on the BSDs; small values fit both.
    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle POLL = Native.bind("poll", SHAPE);
    private static final MethodHandle PEEK = Native.bindQuick("poll", SHAPE);

    private Poll() {}

    /// A timeout of 0 takes the binding for calls that cannot block.
    public static int poll(CallState state, MemorySegment fds, long count, int timeoutMillis) {
        try {
            int result =
                    timeoutMillis == 0
                            ? (int) PEEK.invokeExact(state.segment(), fds, count, 0)
                            : (int) POLL.invokeExact(state.segment(), fds, count, timeoutMillis);
            return state.fold(result);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// Nanoseconds; `-ENOSYS` on systems without the call.
    public static int ppoll(
            CallState state, MemorySegment fds, long count, MemorySegment timespec) {
        if (!Platform.isLinux() && !Platform.isFreeBsd()) {
            return -Errno.ENOSYS;
        }
        try {
            return state.fold(
                    (int)
                            Ppoll.CALL.invokeExact(
                                    state.segment(), fds, count, timespec, MemorySegment.NULL));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static void set(MemorySegment array, int index, int fd, int events) {
        long at = index * POLLFD_SIZE;
        array.set(JAVA_INT, at + FD, fd);
        array.set(JAVA_SHORT, at + EVENTS, (short) events);
        array.set(JAVA_SHORT, at + REVENTS, (short) 0);
    }

    public static int fd(MemorySegment array, int index) {
        return array.get(JAVA_INT, index * POLLFD_SIZE + FD);
    }

    public static int revents(MemorySegment array, int index) {
        return array.get(JAVA_SHORT, index * POLLFD_SIZE + REVENTS);
    }

    // A holder: macOS lacks the symbol and never initialises it.
    private static final class Ppoll {
        static final MethodHandle CALL =
                Native.bind(
                        "ppoll",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    }
}
