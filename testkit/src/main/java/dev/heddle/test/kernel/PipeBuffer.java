package dev.heddle.test.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/// The bytes between the two ends of a pipe, kept as Linux keeps them: in a few slots of a page
/// each. A pipe is full when no slot is free, however little is in them; a write joins the last
/// slot if its odd bytes fit there whole.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class PipeBuffer {
    static final int DEFAULT_CAPACITY = 64 * 1024;
    private static final int PAGE = 4096;

    private static final class Slot {
        final byte[] bytes;
        int from;
        int to;

        Slot(int size) {
            bytes = new byte[size];
        }
    }

    private final ArrayDeque<Slot> slots = new ArrayDeque<>();
    private final int slotsMax;
    private final int slotSize;
    private int available;

    /// @param capacity in bytes: whole pages, rounded up to a power of two as in Linux, or less
    ///   than one, which is a slot of that size
    PipeBuffer(int capacity) {
        slotSize = Math.min(capacity, PAGE);
        int pages = (capacity + slotSize - 1) / slotSize;
        slotsMax = pages == 1 ? 1 : Integer.highestOneBit(pages - 1) * 2;
    }

    /// {@return the longest write that is done whole or not at all: `PIPE_BUF`}
    int atomic() {
        return slotSize;
    }

    int available() {
        return available;
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    boolean isFull() {
        return slots.size() == slotsMax;
    }

    /// {@return how many bytes of a write of `length` find room}
    long room(long length) {
        int odd = (int) (length % slotSize);
        int joined = joins(odd) ? odd : 0;
        long free = (long) (slotsMax - slots.size()) * slotSize;
        return Math.min(length, joined + free);
    }

    /// Takes in the first `count` bytes of a write of `length`, for which there is room.
    void put(MemorySegment source, long length, long count) {
        int odd = (int) (length % slotSize);
        long done = 0;
        if (joins(odd)) {
            done = Math.min(odd, count);
            append(slots.getLast(), source, 0, (int) done);
        }
        while (done < count) {
            int part = (int) Math.min(slotSize, count - done);
            var slot = new Slot(slotSize);
            slots.add(slot);
            append(slot, source, done, part);
            done += part;
        }
    }

    /// Gives out `count` bytes, which there are.
    void take(MemorySegment target, int count) {
        int done = 0;
        while (done < count) {
            var slot = slots.getFirst();
            int part = Math.min(slot.to - slot.from, count - done);
            MemorySegment.copy(slot.bytes, slot.from, target, ValueLayout.JAVA_BYTE, done, part);
            slot.from += part;
            done += part;
            if (slot.from == slot.to) {
                slots.remove();
            }
        }
        available -= count;
    }

    private boolean joins(int odd) {
        return odd > 0 && !slots.isEmpty() && slots.getLast().to + odd <= slotSize;
    }

    private void append(Slot slot, MemorySegment source, long from, int count) {
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, slot.bytes, slot.to, count);
        slot.to += count;
        available += count;
    }
}
