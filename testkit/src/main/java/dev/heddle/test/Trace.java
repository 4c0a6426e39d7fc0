package dev.heddle.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a run did, as one number: two runs that did the same in the same order have the same one.
///
/// The last steps are kept in words too, for the message of a failure.
///
/// **Thread:** loop.
final class Trace {
    private static final int KEPT = 64;

    // The multiplier and the steps of David Stafford's variant 13 of MurmurHash3's finaliser: every
    // bit of what goes in changes half of the bits that come out.
    private static final long FIRST_FACTOR = 0xbf58476d1ce4e5b9L;
    private static final long SECOND_FACTOR = 0x94d049bb133111ebL;

    private final long[] when = new long[KEPT];
    private final long[] number = new long[KEPT];
    private final int[] ready = new int[KEPT];
    private final String[] notes = new String[KEPT];
    private long hash;
    private long steps;

    /// A task was chosen.
    void ran(long nanos, long task, int index, int count) {
        mix(nanos);
        mix(task * 31 + index);
        mix(count);
        keep(nanos, task, count, "");
    }

    void note(long nanos, String text) {
        mix(nanos);
        mix(text.hashCode()); // of the characters alone: the same in every JVM
        keep(nanos, 0, 0, text);
    }

    long hash() {
        return hash;
    }

    /// {@return how much happened}
    long steps() {
        return steps;
    }

    String hashText() {
        return String.format("%016x", hash);
    }

    /// {@return the last steps, oldest first}
    List<String> last() {
        var lines = new ArrayList<String>();
        for (long i = Math.max(0, steps - KEPT); i < steps; i++) {
            lines.add(line((int) (i % KEPT)));
        }
        return lines;
    }

    private String line(int place) {
        String what =
                !notes[place].isEmpty()
                        ? notes[place]
                        : (number[place] == 0 ? "the loop's own" : "coroutine " + number[place])
                                + " of "
                                + ready[place]
                                + " ready";
        return Duration.ofNanos(when[place]) + " " + what;
    }

    private void keep(long nanos, long task, int count, String note) {
        int place = (int) (steps++ % KEPT);
        when[place] = nanos;
        number[place] = task;
        ready[place] = count;
        notes[place] = note;
    }

    private void mix(long value) {
        long mixed = hash * 31 + value;
        mixed = (mixed ^ (mixed >>> 30)) * FIRST_FACTOR;
        mixed = (mixed ^ (mixed >>> 27)) * SECOND_FACTOR;
        hash = mixed ^ (mixed >>> 31);
    }
}
