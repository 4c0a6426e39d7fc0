package dev.heddle.reactor;

/// The 64 bits that come back with a completion: whose it is.
///
/// ```
///   63 62 | 61 … 31        | 30 … 0        POLL       a registered descriptor
///   kind  | generation     | descriptor
///   kind  | 0 … 0 | 55 … 0 tag             OPERATION  somebody's, from a [Ring]
/// ```
///
/// Every number of a descriptor fits, nothing is truncated. The generation changes whenever a
/// registration does, so that a late completion of the old one finds nobody. It wraps after 2^31
/// changes of one descriptor; no completion lies that long in a queue that every poll empties.
///
/// **Thread:** immutable.
final class UserData {
    static final int OPERATION = 0;
    static final int POLL = 1;
    static final int WAKE = 2;
    static final int REMOVAL = 3;

    /// The poll of the wake-up's own descriptor.
    static final long OF_WAKE = (long) WAKE << 62;

    /// A cancellation: it completes only if there was nothing to cancel, and nobody cares.
    static final long OF_REMOVAL = (long) REMOVAL << 62;

    private static final int GENERATION_SHIFT = 31;
    private static final long LOW_31 = Integer.MAX_VALUE;

    private UserData() {}

    static long ofOperation(long tag) {
        return tag;
    }

    static long ofPoll(int fd, int generation) {
        return ((long) POLL << 62) | ((long) generation << GENERATION_SHIFT) | fd;
    }

    static int kind(long userData) {
        return (int) (userData >>> 62);
    }

    static long tag(long userData) {
        return userData & Ring.TAG_MAX;
    }

    static int fd(long userData) {
        return (int) (userData & LOW_31);
    }

    static int generation(long userData) {
        return (int) ((userData >>> GENERATION_SHIFT) & LOW_31);
    }

    /// {@return the generation after this one, never negative}
    static int next(int generation) {
        return (generation + 1) & Integer.MAX_VALUE;
    }
}
