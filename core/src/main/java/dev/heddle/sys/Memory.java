package dev.heddle.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicLong;

/// Native memory with an owner: `calloc` and `free`, counted.
///
/// Not an [java.lang.foreign.Arena]: a confined one cannot be closed by another thread than the one
/// that made it (a loop often is), a shared one stops all threads on close, and an automatic one is
/// freed whenever the collector likes, so that a leak cannot be seen. The price is that nothing
/// checks for use after free: every owner frees in one place and forgets the segment.
///
/// **Thread:** any.
public final class Memory {
    private static final MethodHandle CALLOC =
            Native.bindPlain("calloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FREE =
            Native.bindPlain("free", FunctionDescriptor.ofVoid(ADDRESS));

    private static final AtomicLong IN_USE = new AtomicLong();

    private Memory() {}

    /// {@return `bytes` of zeroed memory, aligned for any C type}
    public static MemorySegment allocate(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("size must be positive, but is " + bytes);
        }
        MemorySegment block;
        try {
            block = (MemorySegment) CALLOC.invokeExact(1L, bytes);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
        if (block.address() == 0) {
            throw new OutOfMemoryError("native memory: " + bytes + " bytes refused");
        }
        IN_USE.addAndGet(bytes);
        return Native.segment(block.address(), bytes);
    }

    /// Gives back what [#allocate] returned: that very segment, once.
    public static void free(MemorySegment block) {
        IN_USE.addAndGet(-block.byteSize());
        try {
            FREE.invokeExact(block);
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// {@return the bytes allocated and not yet freed, for leak checks}
    public static long inUse() {
        return IN_USE.get();
    }
}
