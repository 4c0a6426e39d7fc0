package dev.heddle.loop;

/// Why [Loop#runFor] returned.
///
/// **Thread:** immutable.
public enum RunResult {
    STOPPED,
    TIMED_OUT
}
