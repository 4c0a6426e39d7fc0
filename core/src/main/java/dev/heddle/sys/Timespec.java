package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// `struct timespec`: 64-bit on every system that runs JDK 25.
///
/// **Thread:** immutable.
public final class Timespec {
    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));

    private static final long SEC = LAYOUT.byteOffset(groupElement("tv_sec"));
    private static final long NSEC = LAYOUT.byteOffset(groupElement("tv_nsec"));
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private Timespec() {}

    public static void set(MemorySegment timespec, long nanos) {
        timespec.set(JAVA_LONG, SEC, nanos / NANOS_PER_SECOND);
        timespec.set(JAVA_LONG, NSEC, nanos % NANOS_PER_SECOND);
    }

    public static long nanos(MemorySegment timespec) {
        return timespec.get(JAVA_LONG, SEC) * NANOS_PER_SECOND + timespec.get(JAVA_LONG, NSEC);
    }
}
