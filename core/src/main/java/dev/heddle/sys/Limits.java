package dev.heddle.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// `getrlimit(2)`: how many descriptors, how much locked memory.
///
/// **Thread:** any, each with its own [CallState].
public final class Limits {
    public static final int RLIMIT_NOFILE = Platform.isLinux() ? 7 : 8;
    public static final int RLIMIT_MEMLOCK = Platform.isLinux() ? 8 : 6;

    /// What `getrlimit` says where there is no limit.
    public static final long RLIM_INFINITY = Platform.isLinux() ? -1 : Long.MAX_VALUE;

    public static final StructLayout RLIMIT =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("rlim_cur"), JAVA_LONG.withName("rlim_max"));

    private static final MethodHandle GETRLIMIT =
            Native.bindQuick("getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private Limits() {}

    public static int getrlimit(CallState state, int resource, MemorySegment rlimit) {
        try {
            return state.fold((int) GETRLIMIT.invokeExact(state.segment(), resource, rlimit));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }
}
