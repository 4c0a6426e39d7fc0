package dev.heddle.bench.race;

/// A peer in a row.
///
/// **Thread:** immutable.
///
/// @param label its column; most often the peer's name, unless it stands in the row twice
/// @param workload what the peer calls what it is to do
public record Rival(String label, Peer peer, String workload) {}
