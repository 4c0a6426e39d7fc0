package dev.heddle.bench.race;

/// Told what is going on, for somebody who waits.
///
/// **Thread:** owner (the measuring thread).
public interface Progress {
    /// A row begins.
    void row(String name, int index, int count);

    /// What it is at.
    void step(String what);

    /// The row ended like this.
    void done(String outcome);
}
