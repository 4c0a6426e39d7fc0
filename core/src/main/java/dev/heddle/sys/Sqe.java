package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;

/// `struct io_uring_sqe`, one submission: what to do, on which descriptor, with which memory.
///
/// The C struct is full of unions; each is here once, under the name that most operations use.
///
/// **Thread:** immutable; a segment belongs to whoever fills it.
public final class Sqe {
    public static final byte IORING_OP_NOP = 0;
    public static final byte IORING_OP_POLL_ADD = 6;
    public static final byte IORING_OP_ASYNC_CANCEL = 14;
    public static final byte IORING_OP_READ = 22;

    /// The newest operation of Linux 6.1, by which a kernel of that age is told.
    public static final int IORING_OP_SENDMSG_ZC = 48;

    /// No completion unless the operation fails.
    public static final byte IOSQE_CQE_SKIP_SUCCESS = 1 << 6;

    /// In `len` of a `POLL_ADD`.
    public static final int IORING_POLL_ADD_MULTI = 1;

    public static final int IORING_ASYNC_CANCEL_ALL = 1;
    public static final int IORING_ASYNC_CANCEL_ANY = 1 << 2;

    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(
                    JAVA_BYTE.withName("opcode"),
                    JAVA_BYTE.withName("flags"),
                    JAVA_SHORT.withName("ioprio"),
                    JAVA_INT.withName("fd"),
                    JAVA_LONG.withName("off"),
                    JAVA_LONG.withName("addr"),
                    JAVA_INT.withName("len"),
                    JAVA_INT.withName("rw_flags"),
                    JAVA_LONG.withName("user_data"),
                    JAVA_SHORT.withName("buf_index"),
                    JAVA_SHORT.withName("personality"),
                    JAVA_INT.withName("file_index"),
                    JAVA_LONG.withName("addr3"),
                    MemoryLayout.paddingLayout(8));
    public static final long SIZE = LAYOUT.byteSize();

    private static final long OPCODE = LAYOUT.byteOffset(groupElement("opcode"));
    private static final long FLAGS = LAYOUT.byteOffset(groupElement("flags"));
    private static final long FD = LAYOUT.byteOffset(groupElement("fd"));
    private static final long OFF = LAYOUT.byteOffset(groupElement("off"));
    private static final long ADDR = LAYOUT.byteOffset(groupElement("addr"));
    private static final long LEN = LAYOUT.byteOffset(groupElement("len"));
    private static final long RW_FLAGS = LAYOUT.byteOffset(groupElement("rw_flags"));
    private static final long USER_DATA = LAYOUT.byteOffset(groupElement("user_data"));

    private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

    private Sqe() {}

    public static void userData(MemorySegment sqe, long value) {
        sqe.set(JAVA_LONG, USER_DATA, value);
    }

    public static long userData(MemorySegment sqe) {
        return sqe.get(JAVA_LONG, USER_DATA);
    }

    /// The `IOSQE_…` bits.
    public static void flags(MemorySegment sqe, byte bits) {
        sqe.set(JAVA_BYTE, FLAGS, bits);
    }

    public static void nop(MemorySegment sqe) {
        sqe.set(JAVA_BYTE, OPCODE, IORING_OP_NOP);
        sqe.set(JAVA_INT, FD, -1);
    }

    /// @param offset where in the file, or -1 for its current position and for what has none
    public static void read(
            MemorySegment sqe, int fd, MemorySegment buffer, int length, long offset) {
        sqe.set(JAVA_BYTE, OPCODE, IORING_OP_READ);
        sqe.set(JAVA_INT, FD, fd);
        sqe.set(JAVA_LONG, ADDR, buffer.address());
        sqe.set(JAVA_INT, LEN, length);
        sqe.set(JAVA_LONG, OFF, offset);
    }

    /// @param events the `POLL…` bits to wait for; errors and hang-ups come unasked
    /// @param addFlags 0, or [#IORING_POLL_ADD_MULTI]
    public static void pollAdd(MemorySegment sqe, int fd, int events, int addFlags) {
        sqe.set(JAVA_BYTE, OPCODE, IORING_OP_POLL_ADD);
        sqe.set(JAVA_INT, FD, fd);
        sqe.set(JAVA_INT, LEN, addFlags);
        // "word-reversed for BE", says io_uring.h: it was once a 16-bit field.
        sqe.set(JAVA_INT, RW_FLAGS, BIG_ENDIAN ? Integer.rotateLeft(events, 16) : events);
    }

    /// @param target the `user_data` of what to cancel
    /// @param cancelFlags the `IORING_ASYNC_CANCEL_…` bits
    public static void asyncCancel(MemorySegment sqe, long target, int cancelFlags) {
        sqe.set(JAVA_BYTE, OPCODE, IORING_OP_ASYNC_CANCEL);
        sqe.set(JAVA_INT, FD, -1);
        sqe.set(JAVA_LONG, ADDR, target);
        sqe.set(JAVA_INT, RW_FLAGS, cancelFlags);
    }
}
