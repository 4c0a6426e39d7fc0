package dev.heddle.reactor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/// Virtual time, and what happens in it: scripts that run when the clock reaches them.
///
/// Apart from [SimReactor], so that a simulated kernel, and several simulated loops, can share one.
///
/// **Thread:** owner (who polls); any may read [#nanos].
public final class SimClock {
    private record Script(long nanos, long sequence, Runnable body) {}

    private final PriorityQueue<Script> scripts =
            new PriorityQueue<>(
                    Comparator.comparingLong(Script::nanos).thenComparingLong(Script::sequence));
    private long sequence;
    private long limit = Long.MAX_VALUE;

    // Written by the owner, read by any.
    private volatile long nanos;

    public SimClock() {}

    /// {@return the virtual time: nanoseconds since this clock was made}
    public long nanos() {
        return nanos;
    }

    /// Runs `body` when this time is reached, at once if it has been; see [SimReactor#at].
    public void at(long when, Runnable body) {
        scripts.add(new Script(when, sequence, body));
        sequence++;
    }

    /// Runs what is due, in order of time and then of insertion. A script that is added meanwhile
    /// waits for the next call, so that one which adds itself again cannot hold up the caller.
    public void runDue() {
        long newcomers = sequence;
        for (var next = due(newcomers); next != null; next = due(newcomers)) {
            scripts.remove();
            next.body().run();
        }
    }

    public boolean hasScripts() {
        return !scripts.isEmpty();
    }

    /// Does not go beyond this time by itself any more: somebody moves it by hand.
    public void holdAt(long newLimit) {
        limit = newLimit;
    }

    /// {@return whether only somebody's hand moves it on}
    public boolean isHeld() {
        return nanos >= limit;
    }

    /// Moves on to the next script or to `target`, whichever is earlier, and never back.
    ///
    /// @throws IllegalStateException if it is held before that
    public void advance(long target) {
        var next = scripts.peek();
        long wanted = next == null ? target : Math.min(target, next.nanos());
        if (wanted > limit && nanos >= limit) {
            throw new IllegalStateException(
                    "time is held at "
                            + Duration.ofNanos(nanos)
                            + ", and nothing happens before "
                            + (wanted == Long.MAX_VALUE ? "ever" : Duration.ofNanos(wanted))
                            + ": move it by hand");
        }
        nanos = Math.max(nanos, Math.min(wanted, limit));
    }

    private @Nullable Script due(long newcomers) {
        var next = scripts.peek();
        boolean due = next != null && next.nanos() <= nanos && next.sequence() < newcomers;
        return due ? next : null;
    }
}
