package dev.heddle.loop;

/// Where a loop hears of signals from: the JVM, unless it is simulated.
///
/// **Thread:** any.
@FunctionalInterface
public interface SignalSource {
    /// Calls `onSignal`, on any thread, whenever this signal comes.
    ///
    /// @param name without `SIG`; one that can be watched
    /// @return ends that; called once
    Runnable listen(String name, Runnable onSignal);
}
