package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Ready tasks of which an [Order] picks the next.
///
/// A subclass, so that a loop without an order pays nothing: where no such queue was ever made, the
/// calls of [ReadyQueue] are bound to it alone.
///
/// **Thread:** loop.
final class OrderedQueue extends ReadyQueue {
    /*
     * `choice` holds every independent task, and of the others the oldest only; the rest of those stand
     * in `line`. So whatever is picked from `choice`, the line keeps its order. A task that is picked
     * leaves its place to the last one: taking costs the same however many are ready.
     */
    private final Order order;
    private final ArrayDeque<Task> urgent = new ArrayDeque<>();
    private final ArrayDeque<Task> line = new ArrayDeque<>();
    private final ArrayList<Task> choice = new ArrayList<>();
    private final List<Task> view = Collections.unmodifiableList(choice);
    private @Nullable Task ofLine;

    OrderedQueue(Order order) {
        this.order = order;
    }

    @Override
    boolean isEmpty() {
        return choice.isEmpty() && urgent.isEmpty();
    }

    @Override
    int size() {
        return urgent.size() + choice.size() + line.size();
    }

    @Override
    int batch() {
        return isEmpty() ? 0 : 1;
    }

    @Override
    void add(Task task) {
        task.enterQueue();
        place(task);
    }

    @Override
    void addAll(Task first, Task last, int count) {
        Task next = first;
        while (next != null) {
            Task task = next;
            next = task.next;
            task.next = null;
            place(task);
        }
    }

    @Override
    void addFirst(Task task) {
        task.enterQueue();
        urgent.addFirst(task);
    }

    /// Nobody knows yet: the order is asked when the task is to run.
    @Override
    @Nullable Task peek() {
        return null;
    }

    @Override
    @Nullable Task poll() {
        if (isEmpty()) {
            return null;
        }
        Task task = urgent.isEmpty() ? pick() : urgent.remove();
        task.leaveQueue();
        return task;
    }

    private void place(Task task) {
        if (task.isIndependent()) {
            choice.add(task);
        } else if (ofLine == null) {
            ofLine = task;
            choice.add(task);
        } else {
            line.add(task);
        }
    }

    private Task pick() {
        int index = order.next(view);
        Task picked = choice.get(index);
        Task last = choice.removeLast();
        if (last != picked) {
            choice.set(index, last);
        }
        if (picked == ofLine) {
            ofLine = line.poll();
            if (ofLine != null) {
                choice.add(ofLine);
            }
        }
        return picked;
    }
}
