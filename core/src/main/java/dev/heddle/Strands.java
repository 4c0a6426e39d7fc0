package dev.heddle;

import java.util.ArrayDeque;

/// Idle threads, for coroutines that begin.
///
/// **Thread:** loop.
final class Strands {
    // As many as may end in a burst before the next burst begins; each holds about 500 bytes.
    private static final int IDLE_MAX = 1024;

    private final Scheduler scheduler;
    private final ArrayDeque<Strand> idle = new ArrayDeque<>();

    Strands(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    Strand take() {
        // The one that was used last: its stack is still in the cache.
        Strand strand = scheduler.reusesThreads() ? idle.pollLast() : null;
        return strand == null ? Strand.plain(scheduler) : strand;
    }

    /// {@return whether the thread shall wait here; else it ends}
    boolean keep(Strand strand) {
        if (idle.size() == IDLE_MAX) {
            return false;
        }
        idle.addLast(strand);
        return true;
    }

    void endAll() {
        for (Strand strand = idle.pollLast(); strand != null; strand = idle.pollLast()) {
            strand.end();
        }
    }
}
