package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/// Timers that were due already when they were armed, in the order they came.
///
/// They need no sorting: each comes with a deadline no earlier than the one before it. The next
/// turn takes them all, so the line is short-lived; a timer that is stopped before leaves a hole,
/// and holes are squeezed out before the line grows.
///
/// **Thread:** loop.
final class TimerLine {
    private static final int FIRST_CAPACITY = 16;

    // keys[2i] is the deadline of timers[i], keys[2i + 1] its sequence. From head to tail, with
    // holes; at head there is none.
    private long[] keys = new long[2 * FIRST_CAPACITY];
    private @Nullable Timer[] timers = new @Nullable Timer[FIRST_CAPACITY];
    private int head;
    private int tail;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long firstDeadline() {
        return keys[2 * head];
    }

    long firstSequence() {
        return keys[2 * head + 1];
    }

    /// {@return whether a timer with this deadline may join, which it does at the end}
    boolean admits(long deadline) {
        return size == 0 || deadline >= keys[2 * tail - 2];
    }

    void add(Timer timer, long deadline, long sequence) {
        if (tail == timers.length) {
            makeRoom();
        }
        put(tail++, timer, deadline, sequence);
        size++;
    }

    void remove(Timer timer) {
        int index = index(timer);
        assert timers[index] == timer : "not in the line: " + timer;
        timer.place = Timer.NOWHERE;
        timers[index] = null;
        size--;
        skipHoles();
    }

    @Nullable Timer poll() {
        Timer first = timers[head];
        if (first != null) {
            remove(first);
        }
        return first;
    }

    void forEach(Consumer<? super Timer> action) {
        for (int i = head; i < tail; i++) {
            Timer timer = timers[i];
            if (timer != null) {
                action.accept(timer);
            }
        }
    }

    private void skipHoles() {
        if (size == 0) {
            head = 0;
            tail = 0;
            return;
        }
        while (timers[head] == null) {
            head++;
        }
        while (timers[tail - 1] == null) {
            tail--;
        }
    }

    private void makeRoom() {
        @Nullable Timer[] old = timers;
        long[] oldKeys = keys;
        int capacity = size > old.length / 2 ? old.length * 2 : old.length;
        timers = new @Nullable Timer[capacity];
        keys = new long[2 * capacity];
        int to = 0;
        for (int i = head; i < tail; i++) {
            Timer timer = old[i];
            if (timer != null) {
                put(to++, timer, oldKeys[2 * i], oldKeys[2 * i + 1]);
            }
        }
        head = 0;
        tail = to;
    }

    private void put(int index, Timer timer, long deadline, long sequence) {
        timers[index] = timer;
        keys[2 * index] = deadline;
        keys[2 * index + 1] = sequence;
        timer.place = place(index);
    }

    // A place in the line is a number below NOWHERE, one in the heap is not negative.
    private static int place(int index) {
        return Timer.NOWHERE - 1 - index;
    }

    private static int index(Timer timer) {
        return Timer.NOWHERE - 1 - timer.place;
    }
}
