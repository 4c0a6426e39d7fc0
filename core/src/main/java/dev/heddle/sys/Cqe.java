package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// `struct io_uring_cqe`, one completion: whose, with which result.
///
/// **Thread:** immutable.
public final class Cqe {
    /// The operation goes on: more completions will come.
    public static final int IORING_CQE_F_MORE = 1 << 1;

    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("user_data"),
                    JAVA_INT.withName("res"),
                    JAVA_INT.withName("flags"));
    public static final long SIZE = LAYOUT.byteSize();

    private static final long USER_DATA = LAYOUT.byteOffset(groupElement("user_data"));
    private static final long RES = LAYOUT.byteOffset(groupElement("res"));
    private static final long FLAGS = LAYOUT.byteOffset(groupElement("flags"));

    private Cqe() {}

    public static long userData(MemorySegment memory, long at) {
        return memory.get(JAVA_LONG, at + USER_DATA);
    }

    public static int result(MemorySegment memory, long at) {
        return memory.get(JAVA_INT, at + RES);
    }

    public static int flags(MemorySegment memory, long at) {
        return memory.get(JAVA_INT, at + FLAGS);
    }
}
