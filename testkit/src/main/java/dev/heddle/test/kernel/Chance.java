package dev.heddle.test.kernel;

import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/// What a kernel is free to do one way or the other: at random, or always the plainest way.
///
/// Nothing is drawn where there is no choice, so that what other threads do at such moments (a
/// wake-up of one byte) does not disturb the sequence of a seed.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class Chance {
    private final @Nullable RandomGenerator random;

    /// @param random nothing for the plainest way
    Chance(@Nullable RandomGenerator random) {
        this.random = random;
    }

    /// {@return how much of `most` is done: all of it, or at random at least 1}
    int portion(int most) {
        // Half of the time all of it, or a long transfer would be cut into crumbs.
        if (random == null || most <= 1 || random.nextBoolean()) {
            return most;
        }
        return random.nextInt(1, most);
    }

    /// {@return which of `count` comes first: 0, or at random any}
    int pick(int count) {
        return random == null || count <= 1 ? 0 : random.nextInt(count);
    }
}
