package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

/// Tasks that are ready to run, first in, first out.
///
/// Unbounded: every entry is a task that somebody holds already, so the queue adds no memory, and
/// refusing one would strand whoever waits for it.
///
/// [OrderedQueue] is one in another order.
///
/// **Thread:** loop.
sealed class ReadyQueue permits OrderedQueue {
    private @Nullable Task head;
    private @Nullable Task tail;
    private int size;

    boolean isEmpty() {
        return head == null;
    }

    int size() {
        return size;
    }

    /// {@return how many of them a turn runs: all that are here now}
    int batch() {
        return size;
    }

    void add(Task task) {
        task.enterQueue();
        append(task);
    }

    private void append(Task task) {
        if (tail == null) {
            head = task;
        } else {
            tail.next = task;
        }
        tail = task;
        size++;
    }

    /// Adds a chain of `count` tasks, linked from `first` to `last`.
    void addAll(Task first, Task last, int count) {
        if (tail == null) {
            head = first;
        } else {
            tail.next = first;
        }
        tail = last;
        size += count;
    }

    /// Moves everything from `other` to the end of this.
    void addAll(ReadyQueue other) {
        Task first = other.head;
        Task last = other.tail;
        if (first != null && last != null) {
            addAll(first, last, other.size);
            other.head = null;
            other.tail = null;
            other.size = 0;
        }
    }

    /// Moves those that time has queued to the end of `timers` and of `others`, in their order.
    ///
    /// @return how many of them were among the first `count`
    int moveTimely(int count, ReadyQueue timers, ReadyQueue others) {
        int moved = 0;
        Task before = null;
        int index = 0;
        for (Task task = head; task != null; index++) {
            Task after = task.next;
            if (task.isTimely()) {
                unlink(before, task);
                (task instanceof Timer ? timers : others).append(task);
                moved += index < count ? 1 : 0;
            } else {
                before = task;
            }
            task = after;
        }
        return moved;
    }

    private void unlink(@Nullable Task before, Task task) {
        if (before == null) {
            head = task.next;
        } else {
            before.next = task.next;
        }
        if (tail == task) {
            tail = before;
        }
        task.next = null;
        size--;
    }

    /// Puts `task` before all others.
    void addFirst(Task task) {
        task.enterQueue();
        task.next = head;
        head = task;
        if (tail == null) {
            tail = task;
        }
        size++;
    }

    /// {@return the oldest task, still queued, or null}
    @Nullable Task peek() {
        return head;
    }

    /// {@return the oldest task, or null}
    @Nullable Task poll() {
        Task task = head;
        if (task != null) {
            head = task.next;
            task.next = null;
            task.leaveQueue();
            if (head == null) {
                tail = null;
            }
            size--;
        }
        return task;
    }
}
