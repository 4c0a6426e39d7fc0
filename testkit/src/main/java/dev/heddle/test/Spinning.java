package dev.heddle.test;

import dev.heddle.Coroutine;

import java.util.HashMap;
import java.util.Map;

/// Tells a cancelled coroutine that spins from one that cleans up: it comes to one suspension point
/// after the other, and none of them takes time.
///
/// Virtual time passes only while nobody is ready, so one that swallows its cancellation and is
/// always ready would stop it, and with it the clean-up window that has to end first.
///
/// **Thread:** loop.
final class Spinning {
    // In real time a window is worth a million of these, so no clean-up is cut short by that many.
    private static final int POINTS_MAX = 10_000;

    // In an instant to which time was moved for one that spins it is enough that it goes on, and
    // that each schedule has let the others run: Pct lets one run on for a few hundred.
    private static final int POINTS_AGAIN_MAX = 1_000;

    // Turns in which those that spin had the loop for themselves, more than any schedule needs to
    // give each of the others one.
    private static final int TURNS_MAX = 10_000;

    /// How often one was here in one instant.
    private static final class Count {
        long nanos;
        int points;
        boolean spins;
    }

    private final Map<Coroutine<?>, Count> counts = new HashMap<>();
    private long movedTo = -1;
    private int turns;

    /// It is at a suspension point, and was cancelled before.
    ///
    /// @return whether time has to move on for it
    boolean isStuck(Coroutine<?> coroutine, long nanos) {
        var count = counts.computeIfAbsent(coroutine, _ -> new Count());
        if (count.nanos != nanos) {
            count.nanos = nanos;
            count.points = 0;
            count.spins = count.spins && nanos == movedTo;
        }
        count.points++;
        boolean stuck = count.points > (nanos == movedTo ? POINTS_AGAIN_MAX : POINTS_MAX);
        if (stuck) {
            count.spins = true;
            count.points = 0;
        }
        return stuck;
    }

    /// Time was moved on for one that spins.
    void movedTo(long nanos) {
        movedTo = nanos;
    }

    /// Its turn has come.
    ///
    /// @param looksOn whether it only waits for the others to be done
    void runs(Coroutine<?> coroutine, boolean looksOn) {
        var count = counts.get(coroutine);
        turns = looksOn || (count != null && count.spins) ? turns + 1 : 0;
    }

    void ended(Coroutine<?> coroutine) {
        counts.remove(coroutine);
    }

    /// {@return whether nobody else has run for so long that nobody else can}
    boolean isAllThatRuns() {
        return turns > TURNS_MAX && counts.values().stream().anyMatch(each -> each.spins);
    }
}
