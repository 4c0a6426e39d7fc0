package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Consumer;

/// Timers by deadline, equal ones by sequence.
///
/// A heap with four children per node, in arrays: half as deep as a binary heap, and the keys of
/// four siblings (deadline and sequence, side by side) fill one cache line, so that a step down
/// costs one miss instead of four. Each timer knows its place, so removal from the middle is O(log
/// n) too.
///
/// **Thread:** loop.
final class TimerHeap {
    private static final int CHILDREN = 4;
    private static final int FIRST_CAPACITY = 16;

    // keys[2i] is the deadline of timers[i], keys[2i + 1] its sequence.
    private long[] keys = new long[2 * FIRST_CAPACITY];
    private @Nullable Timer[] timers = new @Nullable Timer[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    /// {@return the earliest deadline; [Long#MAX_VALUE] if there is none}
    long earliest() {
        return size == 0 ? Long.MAX_VALUE : keys[0];
    }

    /// {@return whether the earliest timer here comes before this deadline and sequence}
    boolean isFirstBefore(long deadline, long sequence) {
        return size > 0 && (keys[0] < deadline || (keys[0] == deadline && keys[1] < sequence));
    }

    void add(Timer timer, long deadline, long sequence) {
        assert timer.place == Timer.NOWHERE : "already queued: " + timer;
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, size * 2);
            keys = Arrays.copyOf(keys, size * 4);
        }
        siftUp(size++, timer, deadline, sequence);
    }

    void remove(Timer timer) {
        int hole = timer.place;
        assert hole >= 0 && timers[hole] == timer : "not in the heap: " + timer;
        timer.place = Timer.NOWHERE;
        size--;
        Timer last = timers[size];
        timers[size] = null;
        if (hole != size && last != null) {
            refill(hole, last, keys[2 * size], keys[2 * size + 1]);
        }
    }

    /// {@return the earliest timer, taken out, if it is due by `now`; else null}
    @Nullable Timer pollDue(long now) {
        if (size == 0 || keys[0] > now) {
            return null;
        }
        Timer first = timers[0];
        if (first != null) {
            remove(first);
        }
        return first;
    }

    void forEach(Consumer<? super Timer> action) {
        for (Timer timer : Arrays.copyOf(timers, size)) {
            if (timer != null) {
                action.accept(timer);
            }
        }
    }

    private void refill(int hole, Timer timer, long deadline, long seq) {
        int parent = (hole - 1) / CHILDREN;
        if (hole > 0 && isBefore(deadline, seq, parent)) {
            siftUp(hole, timer, deadline, seq);
        } else {
            siftDown(hole, timer, deadline, seq);
        }
    }

    private void siftUp(int from, Timer timer, long deadline, long seq) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) / CHILDREN;
            if (!isBefore(deadline, seq, parent)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, timer, deadline, seq);
    }

    private void siftDown(int from, Timer timer, long deadline, long seq) {
        int hole = from;
        while (true) {
            int child = smallestChild(hole);
            if (child < 0 || isBefore(deadline, seq, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, timer, deadline, seq);
    }

    private int smallestChild(int parent) {
        int first = parent * CHILDREN + 1;
        if (first >= size) {
            return -1;
        }
        int end = Math.min(first + CHILDREN, size);
        int smallest = first;
        for (int i = first + 1; i < end; i++) {
            if (isBefore(keys[2 * i], keys[2 * i + 1], smallest)) {
                smallest = i;
            }
        }
        return smallest;
    }

    private boolean isBefore(long deadline, long seq, int other) {
        long otherDeadline = keys[2 * other];
        return deadline < otherDeadline || (deadline == otherDeadline && seq < keys[2 * other + 1]);
    }

    private void move(int from, int to) {
        Timer timer = timers[from];
        if (timer != null) {
            put(to, timer, keys[2 * from], keys[2 * from + 1]);
        }
    }

    private void put(int place, Timer timer, long deadline, long seq) {
        timers[place] = timer;
        keys[2 * place] = deadline;
        keys[2 * place + 1] = seq;
        timer.place = place;
    }
}
