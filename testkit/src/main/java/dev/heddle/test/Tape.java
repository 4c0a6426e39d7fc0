package dev.heddle.test;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.SplittableRandom;

/// The numbers behind one case of a [Property]: made by a random generator, or played back.
///
/// All numbers are unsigned. What is played back may fit no longer, because an earlier number was
/// changed or removed: one that is too large is cut to its bound, and a missing one is 0. So every
/// sequence of numbers stands for a case.
///
/// Spans mark the numbers that belong together, such as those of one element of a list: it is worth
/// trying to remove them together.
///
/// **Thread:** owner (whoever runs the case).
final class Tape {
    /// How many numbers one case may draw: more is a loop that does not end.
    static final int DRAWS_MAX = 1_000_000;

    private final @Nullable SplittableRandom random;
    private final long[] played;

    private long[] drawn = new long[32];
    private int count;

    // A span's number is its place in the order of beginnings. An end of 0: still open.
    private int[] starts = new int[8];
    private int[] ends = new int[8];
    private int spanCount;

    private Tape(@Nullable SplittableRandom random, long[] played) {
        this.random = random;
        this.played = played;
    }

    static Tape random(long seed) {
        // Mixed by the murmur3 finalizer: the sequences of neighbouring seeds would otherwise be
        // like each other.
        long mixed = (seed ^ (seed >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return new Tape(new SplittableRandom(mixed ^ (mixed >>> 33)), new long[0]);
    }

    static Tape of(long[] numbers) {
        return new Tape(null, numbers);
    }

    /// {@return the generator, or null while numbers are played back}
    @Nullable SplittableRandom random() {
        return random;
    }

    /// {@return a number from 0 to `bound`, all as likely as each other}
    long next(long bound) {
        return next(bound, random == null ? 0 : uniform(random, bound));
    }

    /// {@return `wanted`, which is at most `bound`; or what is played back}
    ///
    /// A bound of 0 leaves no choice and takes a number all the same: the bound may depend on what
    /// was drawn before, and what is drawn after would move.
    long next(long bound, long wanted) {
        if (count == DRAWS_MAX) {
            throw new IllegalStateException(
                    "one case drew " + DRAWS_MAX + " numbers: a loop that does not end?");
        }
        if (count == drawn.length) {
            drawn = Arrays.copyOf(drawn, 2 * count);
        }
        long number = random != null ? wanted : playBack(bound);
        drawn[count++] = number;
        return number;
    }

    int openSpan() {
        if (spanCount == starts.length) {
            starts = Arrays.copyOf(starts, 2 * spanCount);
            ends = Arrays.copyOf(ends, 2 * spanCount);
        }
        starts[spanCount] = count;
        return spanCount++;
    }

    void closeSpan(int span) {
        ends[span] = count;
    }

    /// {@return what was drawn so far}
    long[] numbers() {
        return Arrays.copyOf(drawn, count);
    }

    int spans() {
        return spanCount;
    }

    int spanStart(int span) {
        return starts[span];
    }

    int spanEnd(int span) {
        return ends[span] == 0 ? count : ends[span];
    }

    static long uniform(SplittableRandom random, long bound) {
        if (bound >= 0 && bound < Long.MAX_VALUE) {
            return random.nextLong(bound + 1);
        }
        long number = random.nextLong();
        while (Long.compareUnsigned(number, bound) > 0) {
            number = random.nextLong();
        }
        return number;
    }

    private long playBack(long bound) {
        long number = count < played.length ? played[count] : 0;
        return Long.compareUnsigned(number, bound) > 0 ? bound : number;
    }
}
