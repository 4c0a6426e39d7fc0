package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Consumer;

/// Timers by deadline, equal ones by sequence.
///
/// A heap with four children per node, in arrays: half as deep as a binary heap, and the keys of
/// four siblings (deadline and sequence, side by side) fill one cache line, so that a step down
/// costs one miss instead of four. Each timer knows its place, so it is removed at once and leaves
/// a hole there; holes are swept out when they are many. A crowd of waits that ends together would
/// otherwise take the first away again and again, each time at the price of the whole depth.
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

    // keys[2i] is the deadline of timers[i], keys[2i + 1] its sequence. A hole has its keys still,
    // so
    // the order holds with holes, too. The last place is none.
    private long[] keys = new long[2 * FIRST_CAPACITY];
    private @Nullable Timer[] timers = new @Nullable Timer[FIRST_CAPACITY];
    private int size;
    private int holes;

    int size() {
        return size - holes;
    }

    /// {@return the earliest deadline; [Long#MAX_VALUE] if there is none}
    long earliest() {
        clearTop();
        return size == 0 ? Long.MAX_VALUE : keys[0];
    }

    /// {@return whether the earliest timer here comes before this deadline and sequence}
    boolean isFirstBefore(long deadline, long sequence) {
        clearTop();
        return size > 0 && (keys[0] < deadline || (keys[0] == deadline && keys[1] < sequence));
    }

    void add(Timer timer, long deadline, long sequence) {
        assert timer.place == Timer.NOWHERE : "already queued: " + timer;
        if (size == timers.length && holes > size / 2) {
            sweep();
        } else if (size == timers.length) {
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
        int place = timer.place;
        assert place >= 0 && timers[place] == timer : "not in the heap: " + timer;
        timer.place = Timer.NOWHERE;
        timers[place] = null;
        holes++;
        cutEnd();
    }

    /// {@return the earliest timer, taken out, if it is due by `now`; else null}
    @Nullable Timer pollDue(long now) {
        clearTop();
        if (size == 0 || keys[0] > now) {
            return null;
        }
        Timer first = timers[0];
        if (first != null) {
            remove(first);
        }
        return first;
    }

    private void cutEnd() {
        while (size > 0 && timers[size - 1] == null) {
            size--;
            holes--;
        }
    }

    // So that the first place is no hole.
    private void clearTop() {
        if (holes > size / 2) {
            sweep();
        }
        while (size > 0 && timers[0] == null) {
            int end = size - 1;
            Timer last = timers[end];
            if (last != null) {
                siftDown(0, last, keys[2 * end], keys[2 * end + 1], end);
            }
            timers[end] = null;
            size = end;
            holes--;
            cutEnd();
        }
    }

    // Closes all holes, and makes a heap again of what is left, from its end to its beginning.
    private void sweep() {
        int count = 0;
        for (int i = 0; i < size; i++) {
            Timer timer = timers[i];
            timers[i] = null;
            if (timer != null) {
                keys[2 * count] = keys[2 * i];
                keys[2 * count + 1] = keys[2 * i + 1];
                timers[count++] = timer;
            }
        }
        for (int top = (count - 2) / CHILDREN; top >= 0; top--) {
            Timer timer = timers[top];
            long deadline = keys[2 * top];
            long seq = keys[2 * top + 1];
            int hole = top;
            for (int first = hole * CHILDREN + 1; first < count; first = hole * CHILDREN + 1) {
                int child = first;
                int siblings = first + CHILDREN < count ? first + CHILDREN : count;
                for (int i = first + 1; i < siblings; i++) {
                    if (keys[2 * i] < keys[2 * child]
                            || (keys[2 * i] == keys[2 * child]
                                    && keys[2 * i + 1] < keys[2 * child + 1])) {
                        child = i;
                    }
                }
                if (deadline < keys[2 * child]
                        || (deadline == keys[2 * child] && seq < keys[2 * child + 1])) {
                    break;
                }
                timers[hole] = timers[child];
                keys[2 * hole] = keys[2 * child];
                keys[2 * hole + 1] = keys[2 * child + 1];
                hole = child;
            }
            timers[hole] = timer;
            keys[2 * hole] = deadline;
            keys[2 * hole + 1] = seq;
        }
        for (int i = 0; i < count; i++) {
            Timer timer = timers[i];
            if (timer != null) {
                timer.place = i;
            }
        }
        size = count;
        holes = 0;
    }

    void forEach(Consumer<? super Timer> action) {
        for (Timer timer : Arrays.copyOf(timers, size)) {
            if (timer != null) {
                action.accept(timer);
            }
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
}
