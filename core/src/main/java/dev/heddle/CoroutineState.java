package dev.heddle;

/// What a coroutine does at the moment.
///
/// **Thread:** immutable.
public enum CoroutineState {
    /// Spawned, and not begun.
    QUEUED,
    RUNNING,
    /// Waits for an event.
    WAITING,
    /// Will run when its turn comes.
    READY,
    /// Is parked in a call of the JDK: a lock, a socket, a sleep.
    IN_JDK_CALL,
    FINISHED
}
