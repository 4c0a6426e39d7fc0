package dev.heddle.reactor;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.PriorityQueue;

/// Virtual time, and what happens in it: scripts that run when the clock reaches them.
///
/// Apart from [SimReactor], so that several simulated loops can come to share one.
///
/// **Thread:** owner (who polls); any may read [#nanos].
final class SimClock {
    private record Script(long nanos, long sequence, Runnable body) {}

    private final PriorityQueue<Script> scripts =
            new PriorityQueue<>(
                    Comparator.comparingLong(Script::nanos).thenComparingLong(Script::sequence));
    private long sequence;

    // Written by the owner, read by any.
    private volatile long nanos;

    long nanos() {
        return nanos;
    }

    void at(long when, Runnable body) {
        scripts.add(new Script(when, sequence, body));
        sequence++;
    }

    /// Runs what is due, in order of time and then of insertion. A script that is added meanwhile
    /// waits for the next call, so that one which adds itself again cannot hold up the caller.
    void runDue() {
        long newcomers = sequence;
        for (var next = due(newcomers); next != null; next = due(newcomers)) {
            scripts.remove();
            next.body().run();
        }
    }

    boolean hasScripts() {
        return !scripts.isEmpty();
    }

    /// Moves on to the next script or to `limit`, whichever is earlier, and never back.
    void advance(long limit) {
        var next = scripts.peek();
        long target = next == null ? limit : Math.min(limit, next.nanos());
        nanos = Math.max(nanos, target);
    }

    private @Nullable Script due(long newcomers) {
        var next = scripts.peek();
        boolean due = next != null && next.nanos() <= nanos && next.sequence() < newcomers;
        return due ? next : null;
    }
}
