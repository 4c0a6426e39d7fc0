package dev.heddle.test;

/// In which order the coroutines that are ready run.
///
/// **Thread:** immutable.
public enum Schedule {
    /// [#FIFO] for a single run without a seed, else [#RANDOM].
    AUTO,

    /// First in, first out, as outside of tests.
    FIFO,

    /// Any of them, each as likely as the others.
    RANDOM,

    /// The one with the highest of random priorities, which changes at a few random moments: finds
    /// bugs that need one coroutine to stay behind for long, where [#RANDOM] would let it catch up.
    ///
    /// After "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (Burckhardt,
    /// Kothari, Musuvathi, Nagarakatte, 2010), with two changes of priority.
    PCT
}
