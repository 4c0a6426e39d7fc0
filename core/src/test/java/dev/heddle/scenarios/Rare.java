package dev.heddle.scenarios;

/// Things that go wrong only when two others meet, so that a test that never sees them proves
/// little.
///
/// **Thread:** immutable.
enum Rare {
    /// What it waited for had happened, and it was cancelled before it ran.
    WOKEN_THEN_CANCELLED,

    /// The same, and what it waited for was a promise.
    COMPLETED_THEN_CANCELLED,

    /// Cancelled in the tick in which the timer that it waited for was due.
    CANCELLED_WITH_ITS_TIMER,

    /// Cancelled before it had begun.
    CANCELLED_UNSTARTED,

    /// Cancelled again, while it cleaned up.
    CANCELLED_TWICE,

    /// A zombie that the end of the program cancelled.
    ZOMBIE_CANCELLED_AT_THE_END,

    /// Offloaded work that was cancelled before a worker had taken it up.
    OFFLOAD_NEVER_BEGAN,

    /// Offloaded work whose result nobody waited for any more, and which was given to `discard`.
    OFFLOAD_DISCARDED
}
