package dev.heddle.bench.race;

import java.io.Closeable;
import java.time.Duration;

/// One side of a row, set up and ready to run a round when it is its turn. Between its turns it is
/// idle, so that the others have the machine to themselves.
///
/// **Thread:** owner (the measuring thread).
public interface Contestant extends Closeable {
    /// Works for at least so long.
    Sample round(Duration atLeast) throws Exception;
}
