package dev.heddle;

import org.jspecify.annotations.Nullable;

/// What is left of spawns that ran out of stack in the middle, until somebody has the stack to put
/// it in order.
///
/// A spawn only stores into the fields here: there is no stack for more.
///
/// **Thread:** loop.
final class HalfSpawned {
    private final Scheduler scheduler;

    /// Coroutines that may have got some of their steps.
    @Nullable Coroutine<?> first;

    /// Resources that were to be owned, perhaps by one of those.
    @Nullable Owned<?, ?> orphans;

    HalfSpawned(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Puts everything in order.
    void endAll() {
        endCoroutines();
        closeOrphans();
    }

    // Completes the steps of each, and ends the coroutine, of which nobody has the handle, before
    // it begins. A stack overflows where a method is entered, so a step that calls nothing is done
    // or not done.
    private void endCoroutines() {
        for (Coroutine<?> each = first; each != null; each = each.nextHalfSpawned) {
            if (scheduler.registry.has(each)) {
                if (!each.home().has(each)) {
                    each.home().add(each);
                }
                each.fiber().firstInQueueAtLast();
                each.requestCancel("its spawner ran out of stack");
                Owned<?, ?> owned = each.unbegun();
                if (owned != null) {
                    owned.adopted = true;
                }
            }
        }
        first = null;
    }

    // What a coroutine was to own that there is not: a close may wait, and so needs another.
    private void closeOrphans() {
        Owned<?, ?> each = orphans;
        orphans = null;
        for (; each != null; each = each.nextOrphan) {
            if (!each.adopted) {
                scheduler.spawn(scheduler.root, "closes what nobody owns", each.closing());
            }
        }
    }
}
