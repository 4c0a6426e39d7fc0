package dev.heddle.bench.race;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/// One side of a row, set up and ready to run a round when it is its turn. Between its turns it is
/// idle, so that the others have the machine to themselves.
///
/// **Thread:** owner (the measuring thread).
public interface Contestant extends Closeable {
    /// Works for at least so long.
    Sample round(Duration atLeast) throws Exception;

    /// {@return what it needs before its rounds count}
    default Warmth warmth() {
        return Warmth.ONE_ROUND;
    }

    /// {@return how long its JIT has been at work so far; 0 if it has none}
    default long compiledMillis() throws IOException {
        return 0;
    }

    /// How a side gets warm.
    enum Warmth {
        /// Not at all: every round begins anew.
        NONE,
        /// For the caches; there is no JIT.
        ONE_ROUND,
        /// Until its rounds do not get faster, and its JIT is done.
        UNTIL_CALM
    }
}
