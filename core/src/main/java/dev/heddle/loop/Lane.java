package dev.heddle.loop;

/// Which queue of a [WorkerPool] a piece of work waits in.
///
/// **Thread:** immutable.
public enum Lane {
    /// Files, computation: anything that ends soon.
    NORMAL,

    /// Look-ups of names and the like, which may hang for seconds: at most half the workers take
    /// from here at the same time, so that they cannot keep the others waiting.
    SLOW
}
