package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// `struct io_uring_getevents_arg`: how long `io_uring_enter(2)` waits, in nanoseconds.
///
/// **Thread:** immutable.
public final class UringWait {
    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("sigmask"),
                    JAVA_INT.withName("sigmask_sz"),
                    JAVA_INT.withName("min_wait_usec"),
                    JAVA_LONG.withName("ts"));
    public static final long SIZE = LAYOUT.byteSize();

    private static final long TS = LAYOUT.byteOffset(groupElement("ts"));

    private UringWait() {}

    /// No signal mask, and the time in `timespec`, which may change from call to call.
    public static void set(MemorySegment argument, MemorySegment timespec) {
        argument.fill((byte) 0);
        argument.set(JAVA_LONG, TS, timespec.address());
    }
}
