package dev.heddle.test;

/// A way in which a cancellation can meet a coroutine at one of its suspension points.
///
/// **Thread:** immutable.
public enum CancelWay {
    /// It runs, and is just about to suspend.
    BEFORE_IT_PARKS,

    /// It waits.
    WHILE_PARKED,

    /// What it waited for has happened, and it has not run yet.
    AFTER_IT_IS_WOKEN,

    /// While it waits, and then again at every later wait, while it cleans up: cancelling is
    /// idempotent, so the second must change nothing.
    TWICE,

    /// In the same tick as the next timer.
    WITH_A_TIMER,

    /// While it waits, by disposing of its scope.
    BY_ITS_SCOPE,

    /// While it waits, by the end of the whole program.
    BY_SHUTDOWN
}
