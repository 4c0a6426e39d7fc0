package dev.heddle.test;

import dev.heddle.Coroutine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
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

    // Put into words only when somebody wants to read them: most runs do not fail.
    private final ArrayDeque<Step> last = new ArrayDeque<>(KEPT);
    private long hash;
    private long steps;
    private int lastCount;

    /// A task was chosen. If it is a coroutine's turn, [#ran] follows; the loop's own tasks are in
    /// the hash, but tell a reader nothing.
    void chose(long nanos, long task, int index, int count) {
        mix(nanos);
        mix(task * 31 + index);
        mix(count);
        lastCount = count;
    }

    void ran(long nanos, Coroutine<?> coroutine) {
        mix(nanos);
        mix(coroutine.id());
        keep(new Step(nanos, coroutine, lastCount, ""));
    }

    void note(long nanos, String text) {
        mix(nanos);
        mix(text.hashCode()); // of the characters alone: the same in every JVM
        keep(new Step(nanos, null, 0, text));
    }

    long hash() {
        return hash;
    }

    /// {@return how many turns and notes there were}
    long steps() {
        return steps;
    }

    String hashText() {
        return String.format("%016x", hash);
    }

    /// {@return the last steps, oldest first}
    List<String> last() {
        return last.stream().map(Step::toString).toList();
    }

    private void keep(Step step) {
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(step);
        steps++;
    }

    private void mix(long value) {
        long mixed = hash * 31 + value;
        mixed = (mixed ^ (mixed >>> 30)) * FIRST_FACTOR;
        mixed = (mixed ^ (mixed >>> 27)) * SECOND_FACTOR;
        hash = mixed ^ (mixed >>> 31);
    }

    /// Somebody ran, or nobody did and it is a note.
    ///
    /// @param ready among how many it was chosen; 0 if there was no choice
    private record Step(long nanos, @Nullable Coroutine<?> who, int ready, String note) {
        @Override
        public String toString() {
            String what = who == null ? note : who.name() + " runs";
            String choice = ready > 1 ? ", one of " + ready + " ready" : "";
            return Duration.ofNanos(nanos) + " " + what + choice;
        }
    }
}
