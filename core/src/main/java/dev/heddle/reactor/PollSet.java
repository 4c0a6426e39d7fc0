package dev.heddle.reactor;

import dev.heddle.sys.Memory;
import dev.heddle.sys.Poll;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The `pollfd` array of a [PollReactor]: slot 0 for its wake-up, then one slot per descriptor in
/// no particular order, and beside each slot what was reported and not yet consumed (its *latch*).
///
/// A slot at rest holds the complement of its descriptor: the kernel passes over negative numbers,
/// and the number is not forgotten.
///
/// **Thread:** loop.
final class PollSet {
    static final int WAKE = 0;

    private int capacity = 16;
    private int count = 1;
    private MemorySegment array = Memory.allocate(capacity * Poll.POLLFD_SIZE);
    private byte[] latches = new byte[capacity];
    private int[] slots = new int[16];

    PollSet() {
        Poll.set(array, WAKE, -1, 0);
    }

    /// {@return the array for the kernel; another one after the next [#add]}
    MemorySegment array() {
        return array;
    }

    /// {@return how many slots are in use, the wake-up's included}
    int count() {
        return count;
    }

    /// Appends a slot for `fd`, at rest and with nothing latched.
    void add(int fd) {
        if (count == capacity) {
            grow();
        }
        if (fd >= slots.length) {
            slots = Arrays.copyOf(slots, Math.max(fd + 1, slots.length * 2));
        }
        slots[fd] = count;
        latches[count] = 0;
        Poll.set(array, count, ~fd, 0);
        count++;
    }

    /// Takes out the slot of `fd`; the last slot moves into the hole.
    void remove(int fd) {
        int hole = slots[fd];
        count--;
        if (hole != count) {
            MemorySegment.copy(
                    array,
                    count * Poll.POLLFD_SIZE,
                    array,
                    hole * Poll.POLLFD_SIZE,
                    Poll.POLLFD_SIZE);
            latches[hole] = latches[count];
            slots[fd(hole)] = hole;
        }
    }

    int slot(int fd) {
        return slots[fd];
    }

    /// {@return the descriptor of `slot`, also of one at rest}
    int fd(int slot) {
        int held = Poll.fd(array, slot);
        return held >= 0 ? held : ~held;
    }

    /// The kernel looks at `fd` from now on. With no `events` it still sees hang-ups.
    void watch(int slot, int fd, int events) {
        Poll.set(array, slot, fd, events);
    }

    void rest(int slot, int fd) {
        Poll.set(array, slot, ~fd, 0);
    }

    int revents(int slot) {
        return Poll.revents(array, slot);
    }

    int latch(int slot) {
        return latches[slot];
    }

    void latch(int slot, int bits) {
        latches[slot] = (byte) bits;
    }

    void free() {
        Memory.free(array);
    }

    private void grow() {
        var larger = Memory.allocate(2L * capacity * Poll.POLLFD_SIZE);
        MemorySegment.copy(array, 0, larger, 0, array.byteSize());
        Memory.free(array);
        array = larger;
        capacity *= 2;
        latches = Arrays.copyOf(latches, capacity);
    }
}
