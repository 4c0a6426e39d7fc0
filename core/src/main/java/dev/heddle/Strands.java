package dev.heddle;

import java.util.ArrayDeque;

/// Idle threads, for coroutines that begin.
///
/// **Thread:** loop, except what is marked.
final class Strands {
    // As many as may end in a burst before the next burst begins; each holds about 500 bytes.
    private static final int IDLE_MAX = 1024;

    private final Scheduler scheduler;
    private final ArrayDeque<Strand> idle = new ArrayDeque<>();

    // Written by who looks now and then, the watchdog.
    private volatile boolean recorded;

    Strands(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Looks whether somebody records what happens in this JVM. Any thread.
    void noteRecording() {
        recorded = Recorder.isRecording();
    }

    boolean isRecorded() {
        return recorded;
    }

    /// {@return whether a thread may serve one coroutine after another}
    boolean reuse() {
        return !recorded && !scheduler.options.debug;
    }

    Strand take() {
        // The one that was used last: its stack is still in the cache.
        Strand strand = reuse() ? idle.pollLast() : null;
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
