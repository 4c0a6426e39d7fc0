package dev.heddle.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Linux `io_uring(7)`: the three system calls and their flags. glibc has no wrappers; the numbers
/// are the same on every architecture. The structs are [UringParams], [Sqe], [Cqe] and [UringWait].
///
/// **Thread:** any, each with its own [CallState].
public final class Uring {
    public static final int IORING_SETUP_CQSIZE = 1 << 3;
    public static final int IORING_SETUP_CLAMP = 1 << 4;
    public static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;
    public static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;
    public static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;
    public static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;
    public static final int IORING_SETUP_NO_SQARRAY = 1 << 16;

    public static final int IORING_FEAT_SINGLE_MMAP = 1;
    public static final int IORING_FEAT_NODROP = 1 << 1;
    public static final int IORING_FEAT_EXT_ARG = 1 << 8;
    public static final int IORING_FEAT_CQE_SKIP = 1 << 11;
    public static final int IORING_FEAT_NO_IOWAIT = 1 << 17;

    public static final long IORING_OFF_SQ_RING = 0;
    public static final long IORING_OFF_SQES = 0x10000000;

    public static final int IORING_ENTER_GETEVENTS = 1;
    public static final int IORING_ENTER_EXT_ARG = 1 << 3;
    public static final int IORING_ENTER_NO_IOWAIT = 1 << 7;

    public static final int IORING_REGISTER_EVENTFD = 4;
    public static final int IORING_REGISTER_PROBE = 8;

    private static final long SYS_SETUP = 425;
    private static final long SYS_ENTER = 426;
    private static final long SYS_REGISTER = 427;

    private static final Linker.Option VARIADIC = Linker.Option.firstVariadicArg(1);
    private static final MethodHandle SETUP =
            Native.bind(
                    "syscall",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS),
                    VARIADIC);
    private static final FunctionDescriptor ENTER_SHAPE =
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS,
                    JAVA_LONG);
    private static final MethodHandle ENTER = Native.bind("syscall", ENTER_SHAPE, VARIADIC);
    private static final MethodHandle SUBMIT = Native.bindQuick("syscall", ENTER_SHAPE, VARIADIC);
    private static final MethodHandle REGISTER =
            Native.bind(
                    "syscall",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
                    VARIADIC);

    private Uring() {}

    public static int setup(CallState state, int entries, MemorySegment params) {
        try {
            return (int)
                    state.fold(
                            (long) SETUP.invokeExact(state.segment(), SYS_SETUP, entries, params));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// With `minComplete` 0 the call cannot block and takes the quick binding.
    public static int enter(
            CallState state,
            int ring,
            int toSubmit,
            int minComplete,
            int flags,
            MemorySegment argument,
            long argumentSize) {
        try {
            long result =
                    minComplete == 0
                            ? (long)
                                    SUBMIT.invokeExact(
                                            state.segment(),
                                            SYS_ENTER,
                                            ring,
                                            toSubmit,
                                            0,
                                            flags,
                                            argument,
                                            argumentSize)
                            : (long)
                                    ENTER.invokeExact(
                                            state.segment(),
                                            SYS_ENTER,
                                            ring,
                                            toSubmit,
                                            minComplete,
                                            flags,
                                            argument,
                                            argumentSize);
            return (int) state.fold(result);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static int register(
            CallState state, int ring, int op, MemorySegment argument, int count) {
        try {
            return (int)
                    state.fold(
                            (long)
                                    REGISTER.invokeExact(
                                            state.segment(),
                                            SYS_REGISTER,
                                            ring,
                                            op,
                                            argument,
                                            count));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }
}
