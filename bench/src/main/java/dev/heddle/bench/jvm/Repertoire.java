package dev.heddle.bench.jvm;

import dev.heddle.bench.race.Workload;

import java.util.Map;

/// What one side can do. Made by its constructor without arguments, in the JVM where it is done.
///
/// **Thread:** owner (the measuring thread).
public interface Repertoire {
    /// {@return the version to print}
    String version();

    /// {@return what can be timed, by name}
    Map<String, Workload.Opener> workloads();

    /// {@return its way to park many coroutines}
    Parking parking();
}
