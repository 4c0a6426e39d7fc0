package dev.heddle.loop;

/// Told of what a callback threw. The loop goes on afterwards.
///
/// **Thread:** loop.
@FunctionalInterface
public interface ErrorHandler {
    /// @param source the task or source whose callback threw
    void onError(Throwable error, Task source);
}
