package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// `struct io_uring_params`: what `io_uring_setup(2)` is asked for, and what it answers.
///
/// **Thread:** immutable.
public final class UringParams {
    public static final StructLayout SQ_OFFSETS =
            MemoryLayout.structLayout(
                    JAVA_INT.withName("head"),
                    JAVA_INT.withName("tail"),
                    JAVA_INT.withName("ring_mask"),
                    JAVA_INT.withName("ring_entries"),
                    JAVA_INT.withName("flags"),
                    JAVA_INT.withName("dropped"),
                    JAVA_INT.withName("array"),
                    JAVA_INT.withName("resv1"),
                    JAVA_LONG.withName("user_addr"));
    public static final StructLayout CQ_OFFSETS =
            MemoryLayout.structLayout(
                    JAVA_INT.withName("head"),
                    JAVA_INT.withName("tail"),
                    JAVA_INT.withName("ring_mask"),
                    JAVA_INT.withName("ring_entries"),
                    JAVA_INT.withName("overflow"),
                    JAVA_INT.withName("cqes"),
                    JAVA_INT.withName("flags"),
                    JAVA_INT.withName("resv1"),
                    JAVA_LONG.withName("user_addr"));
    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(
                    JAVA_INT.withName("sq_entries"),
                    JAVA_INT.withName("cq_entries"),
                    JAVA_INT.withName("flags"),
                    JAVA_INT.withName("sq_thread_cpu"),
                    JAVA_INT.withName("sq_thread_idle"),
                    JAVA_INT.withName("features"),
                    JAVA_INT.withName("wq_fd"),
                    MemoryLayout.sequenceLayout(3, JAVA_INT).withName("resv"),
                    SQ_OFFSETS.withName("sq_off"),
                    CQ_OFFSETS.withName("cq_off"));
    public static final long SIZE = LAYOUT.byteSize();

    private static final long SQ_ENTRIES = LAYOUT.byteOffset(groupElement("sq_entries"));
    private static final long CQ_ENTRIES = LAYOUT.byteOffset(groupElement("cq_entries"));
    private static final long FLAGS = LAYOUT.byteOffset(groupElement("flags"));
    private static final long FEATURES = LAYOUT.byteOffset(groupElement("features"));
    private static final long SQ_OFF = LAYOUT.byteOffset(groupElement("sq_off"));
    private static final long CQ_OFF = LAYOUT.byteOffset(groupElement("cq_off"));

    private UringParams() {}

    /// Clears everything and asks for these.
    public static void ask(MemorySegment params, int flags, int cqEntries) {
        params.fill((byte) 0);
        params.set(JAVA_INT, FLAGS, flags);
        params.set(JAVA_INT, CQ_ENTRIES, cqEntries);
    }

    public static int flags(MemorySegment params) {
        return params.get(JAVA_INT, FLAGS);
    }

    public static int features(MemorySegment params) {
        return params.get(JAVA_INT, FEATURES);
    }

    public static int sqEntries(MemorySegment params) {
        return params.get(JAVA_INT, SQ_ENTRIES);
    }

    public static int cqEntries(MemorySegment params) {
        return params.get(JAVA_INT, CQ_ENTRIES);
    }

    /// {@return where the field `name` of the submission queue is in the mapped ring}
    public static int sqOffset(MemorySegment params, String name) {
        return params.get(JAVA_INT, SQ_OFF + SQ_OFFSETS.byteOffset(groupElement(name)));
    }

    /// {@return where the field `name` of the completion queue is in the mapped ring}
    public static int cqOffset(MemorySegment params, String name) {
        return params.get(JAVA_INT, CQ_OFF + CQ_OFFSETS.byteOffset(groupElement(name)));
    }
}
