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
    /*
     * A coroutine may run out of stack anywhere in here, and goes on after it. So whatever moves
     * entries calls nothing once it has begun to: a stack overflows where a method is entered, hence
     * before the first move, and the heap stays whole. That is why the sifting below is written out.
     */
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
            // Both or none: memory may run out here, too.
            @Nullable Timer[] moreTimers = Arrays.copyOf(timers, size * 2);
            long[] moreKeys = Arrays.copyOf(keys, size * 4);
            timers = moreTimers;
            keys = moreKeys;
        }
        siftUp(size, timer, deadline, sequence);
        size++;
    }

    void remove(Timer timer) {
        int hole = timer.place;
        assert hole >= 0 && timers[hole] == timer : "not in the heap: " + timer;
        int end = size - 1;
        Timer last = timers[end];
        if (hole != end && last != null) {
            refill(hole, last, end);
        }
        timers[end] = null;
        size = end;
        timer.place = Timer.NOWHERE;
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

    // Puts the timer that stands at `end`, which leaves the heap, into the hole.
    private void refill(int hole, Timer timer, int end) {
        long deadline = keys[2 * end];
        long seq = keys[2 * end + 1];
        int parent = (hole - 1) / CHILDREN;
        if (hole > 0 && isBefore(deadline, seq, parent)) {
            siftUp(hole, timer, deadline, seq);
        } else {
            siftDown(hole, timer, deadline, seq, end);
        }
    }

    private void siftUp(int from, Timer timer, long deadline, long seq) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) / CHILDREN;
            long parentDeadline = keys[2 * parent];
            long parentSeq = keys[2 * parent + 1];
            if (parentDeadline < deadline || (parentDeadline == deadline && parentSeq < seq)) {
                break;
            }
            Timer moved = timers[parent];
            timers[hole] = moved;
            keys[2 * hole] = parentDeadline;
            keys[2 * hole + 1] = parentSeq;
            if (moved != null) {
                moved.place = hole;
            }
            hole = parent;
        }
        timers[hole] = timer;
        keys[2 * hole] = deadline;
        keys[2 * hole + 1] = seq;
        timer.place = hole;
    }

    /// @param end where the heap ends
    private void siftDown(int from, Timer timer, long deadline, long seq, int end) {
        int hole = from;
        for (int first = hole * CHILDREN + 1; first < end; first = hole * CHILDREN + 1) {
            int child = first;
            long childDeadline = keys[2 * child];
            long childSeq = keys[2 * child + 1];
            int siblings = first + CHILDREN < end ? first + CHILDREN : end;
            for (int i = first + 1; i < siblings; i++) {
                long other = keys[2 * i];
                if (other < childDeadline
                        || (other == childDeadline && keys[2 * i + 1] < childSeq)) {
                    child = i;
                    childDeadline = other;
                    childSeq = keys[2 * i + 1];
                }
            }
            if (deadline < childDeadline || (deadline == childDeadline && seq < childSeq)) {
                break;
            }
            Timer moved = timers[child];
            timers[hole] = moved;
            keys[2 * hole] = childDeadline;
            keys[2 * hole + 1] = childSeq;
            if (moved != null) {
                moved.place = hole;
            }
            hole = child;
        }
        timers[hole] = timer;
        keys[2 * hole] = deadline;
        keys[2 * hole + 1] = seq;
        timer.place = hole;
    }

    private boolean isBefore(long deadline, long seq, int other) {
        long otherDeadline = keys[2 * other];
        return deadline < otherDeadline || (deadline == otherDeadline && seq < keys[2 * other + 1]);
    }
}
