package dev.heddle.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// `fstat(2)`, for one question: what kind of thing is this descriptor?
///
/// `struct stat` has another shape on every system, and only `st_mode` is read: its place is kept
/// per system instead of four whole layouts. The layout test compares it with the C compiler's.
///
/// **Thread:** any, each with its own [CallState].
public final class Stat {
    public static final int S_IFMT = 0xF000;
    public static final int S_IFIFO = 0x1000;
    public static final int S_IFSOCK = 0xC000;
    public static final int S_IFREG = 0x8000;
    public static final int S_IFDIR = 0x4000;

    /// Bytes that hold the `struct stat` of every system we know.
    public static final long SIZE = 256;

    public static final long ST_MODE_OFFSET = modeOffset();

    private static final MethodHandle FSTAT =
            Native.bindQuick(
                    Platform.isMac() && Platform.isX64() ? "fstat$INODE64" : "fstat",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private Stat() {}

    public static int fstat(CallState state, int fd, MemorySegment stat) {
        try {
            return state.fold((int) FSTAT.invokeExact(state.segment(), fd, stat));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static int mode(MemorySegment stat) {
        return Platform.isLinux()
                ? stat.get(JAVA_INT, ST_MODE_OFFSET)
                : Short.toUnsignedInt(stat.get(JAVA_SHORT, ST_MODE_OFFSET));
    }

    private static long modeOffset() {
        if (Platform.isMac()) {
            return 4;
        }
        return Platform.isLinux() && !Platform.isX64() ? 16 : 24;
    }
}
