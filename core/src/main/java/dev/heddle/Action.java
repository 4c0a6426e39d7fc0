package dev.heddle;

/// The body of a coroutine that has no result.
///
/// **Thread:** loop (its coroutine).
@FunctionalInterface
public interface Action {
    void run() throws Exception;
}
