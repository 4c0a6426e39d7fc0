package dev.heddle;

import dev.heddle.loop.LoopStats;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What goes on in a loop: its scopes, its coroutines and what they wait for, its numbers.
///
/// It is taken in pages, and the others run in between: every coroutine is shown as it was when the
/// walk came to it. There are no stacks in it, which would take long: ask for those one by one, see
/// [Heddle#stackOf].
///
/// **Thread:** immutable.
///
/// @param loop the loop, in a line
/// @param nanos the loop's time when it was begun
/// @param stats the loop's numbers when it was finished
/// @param nextTimer in how long the next timer is due; empty if none is started
/// @param scopes those that are open, or not empty; parents before their children
/// @param coroutines those that have not ended, zombies included, oldest first
public record Snapshot(
        String loop,
        long nanos,
        LoopStats stats,
        Optional<Duration> nextTimer,
        List<OfScope> scopes,
        List<OfCoroutine> coroutines) {

    public Snapshot {
        scopes = List.copyOf(scopes);
        coroutines = List.copyOf(coroutines);
    }

    /// One scope.
    ///
    /// @param parent the id of the scope above it; empty for the program's own
    /// @param active its own coroutines that are not zombies, without those of scopes below
    /// @param zombies its own zombies
    /// @param closed whether it takes no more coroutines
    /// @param cancelled why it was cancelled or disposed of; empty if it was not
    public record OfScope(
            long id,
            String name,
            OptionalLong parent,
            String createdAt,
            int active,
            int zombies,
            boolean closed,
            Optional<String> cancelled) {}

    /// One coroutine.
    ///
    /// @param scope the id of the scope it was spawned in
    /// @param spawnedAt where, in debug mode; else the class of its body
    /// @param suspendedAt the line at which it waits, in debug mode; else empty
    /// @param awaiting what it waits for, in words
    /// @param waitingFor for how long it has waited; zero unless it is WAITING
    /// @param cancelling how far its cancellation is; empty if none was asked for
    public record OfCoroutine(
            long id,
            String name,
            CoroutineState state,
            long scope,
            String spawnedAt,
            String suspendedAt,
            String awaiting,
            Duration waitingFor,
            boolean zombie,
            Optional<Cancelling> cancelling) {}

    /// A cancellation under way.
    ///
    /// @param age how long ago it was asked for
    /// @param unanswered how many clean-up windows have ended without an end of the coroutine
    public record Cancelling(String reason, Duration age, int unanswered) {}
}
