package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where a downcall leaves `errno`, and the folding of it into the result.
///
/// Owned by the caller of the system call and passed to every binding, so that no two threads share
/// one by accident. A binding reads `errno` only after a failure: on success it means nothing.
///
/// **Thread:** owner (whoever made it).
public final class CallState implements AutoCloseable {
    private static final MemoryLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO = LAYOUT.byteOffset(groupElement("errno"));

    private final MemorySegment segment = Memory.allocate(LAYOUT.byteSize());
    private boolean closed;

    public CallState() {}

    MemorySegment segment() {
        return segment;
    }

    /// {@return `result`, or `-errno` if it is negative}
    public int fold(int result) {
        return result >= 0 ? result : -segment.get(ValueLayout.JAVA_INT, ERRNO);
    }

    /// {@return `result`, or `-errno` if it is negative}
    public long fold(long result) {
        return result >= 0 ? result : -segment.get(ValueLayout.JAVA_INT, ERRNO);
    }

    /// Frees the native side. Idempotent.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Memory.free(segment);
        }
    }
}
