package dev.heddle.bench.jvm;

/// Parks coroutines, all waiting for the same thing that has not happened.
///
/// **Thread:** owner (the measuring thread).
@FunctionalInterface
public interface Parking {
    /// Parks so many, has somebody look while all of them are, and lets them end.
    ///
    /// @param whileParked called once, on any thread
    void hold(int count, Runnable whileParked) throws Exception;
}
