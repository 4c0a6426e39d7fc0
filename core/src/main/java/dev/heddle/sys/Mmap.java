package dev.heddle.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// `mmap(2)` and `munmap(2)`, for the rings that io_uring shares with us.
///
/// **Thread:** any, each with its own [CallState].
public final class Mmap {
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;
    public static final int MAP_POPULATE = 0x8000;

    private static final MethodHandle MMAP =
            Native.bind(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG));
    private static final MethodHandle MUNMAP =
            Native.bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private Mmap() {}

    /// {@return the address, or `-errno`}
    public static long mmap(
            CallState state, long length, int protection, int flags, int fd, long offset) {
        try {
            return state.fold(
                    (long)
                            MMAP.invokeExact(
                                    state.segment(),
                                    MemorySegment.NULL,
                                    length,
                                    protection,
                                    flags,
                                    fd,
                                    offset));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static int munmap(CallState state, long address, long length) {
        try {
            return state.fold((int) MUNMAP.invokeExact(state.segment(), address, length));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// {@return the memory that [#mmap] returned the address of}
    public static MemorySegment segment(long address, long length) {
        return Native.segment(address, length);
    }
}
