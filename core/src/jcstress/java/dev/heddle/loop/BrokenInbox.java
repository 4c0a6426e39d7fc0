package dev.heddle.loop;

import java.util.concurrent.atomic.AtomicReference;

/// The inbox with one step made wrong, to prove that the stress tests would notice.
///
/// **Thread:** any, wrongly.
final class BrokenInbox {
    /// Which step.
    enum Flaw {
        /// Adds by a look and a store.
        ADD_WITHOUT_COMPARE,
        /// Takes by a look and a store.
        TAKE_WITHOUT_EXCHANGE,
        /// Closes by a look and a store.
        CLOSE_WITHOUT_COMPARE,
        /// Leaves the link of an earlier try in a task that it refuses.
        REFUSED_WITH_LINK
    }

    private static final Numbered CLOSED = new Numbered(0, 0);

    private final Flaw flaw;
    private final AtomicReference<Task> top = new AtomicReference<>();

    BrokenInbox(Flaw flaw) {
        this.flaw = flaw;
    }

    /// @return false if it is closed
    boolean add(Task task) {
        while (true) {
            Task seen = top.get();
            if (seen == CLOSED) {
                if (flaw != Flaw.REFUSED_WITH_LINK) {
                    task.next = null;
                }
                return false;
            }
            task.next = seen;
            if (flaw == Flaw.ADD_WITHOUT_COMPARE) {
                top.set(task);
                return true;
            }
            if (top.compareAndSet(seen, task)) {
                return true;
            }
        }
    }

    void takeInto(ReadyQueue ready) {
        Task newest = top.get();
        if (newest == null || newest == CLOSED) {
            return;
        }
        if (flaw == Flaw.TAKE_WITHOUT_EXCHANGE) {
            top.set(null);
        } else {
            newest = top.getAndSet(null);
        }
        Task oldest = null;
        for (Task task = newest; task != null; ) {
            Task older = task.next;
            task.next = oldest;
            oldest = task;
            task = older;
        }
        for (Task task = oldest; task != null; ) {
            Task newer = task.next;
            task.next = null;
            ready.add(task);
            task = newer;
        }
    }

    boolean close() {
        if (flaw == Flaw.CLOSE_WITHOUT_COMPARE) {
            if (top.get() != null) {
                return false;
            }
            top.set(CLOSED);
            return true;
        }
        return top.compareAndSet(null, CLOSED);
    }
}
