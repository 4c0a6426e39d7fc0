package dev.heddle.bench.coroutines;

/// How much each batch is, the same for every side.
///
/// **Thread:** immutable.
public final class Size {
    /// Coroutines that are spawned and end at once.
    public static final int SPAWN = 10_000;

    /// How often so many are, one after another.
    public static final int SPAWN_ROUNDS = 10;

    /// Turns of each of the two that switch.
    public static final int SWITCH = 50_000;

    /// Waits for something that has happened.
    public static final int AWAIT_COMPLETED = 1_000_000;

    /// Things that have happened, for these waits by turns. Of a single one the JIT would know that
    /// it has, and wait for nothing.
    public static final int COMPLETED = 1024;

    /// Waits of each of the two that answer each other.
    public static final int AWAIT_PENDING = 10_000;

    /// Coroutines that suspend by turns.
    public static final int CROWD = 10_000;

    /// Turns of each of them.
    public static final int CROWD_TURNS = 10;

    /// Coroutines that sleep for a millisecond.
    public static final int DELAY = 100_000;

    /// Parked coroutines that are cancelled.
    public static final int CANCEL = 100_000;

    /// Scopes in a row.
    public static final int SCOPES = 100;

    /// Children of each.
    public static final int CHILDREN = 1000;

    private Size() {}
}
