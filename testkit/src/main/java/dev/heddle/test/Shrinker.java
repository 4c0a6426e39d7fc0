package dev.heddle.test;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Function;

/// Looks for the simplest numbers that still make a case fail: fewer are simpler than more, and
/// among equally many the ones that are smaller at the first difference.
///
/// The idea is that of Hypothesis ("Test-Case Reduction via Test-Case Generation", MacIver and
/// Donaldson, 2020): to change what the generators are fed with, not what they made, so that no
/// generator needs a way to shrink, and nothing is tried that it could not have made.
///
/// Ends when no change helps any more, or after a given number of attempts.
///
/// **Thread:** owner (the property).
final class Shrinker {
    private static final int CHUNK_MAX = 8;

    /// With how many equal numbers after it a number is lowered together.
    private static final int PAIRS_MAX = 8;

    /// Runs a case: what it drew if it failed in the same manner, else null.
    private final Function<long[], @Nullable Tape> run;

    private final int attemptsMax;
    private Tape best;
    private long[] numbers;
    private int attempts;
    private int steps;

    Shrinker(Tape failed, int attemptsMax, Function<long[], @Nullable Tape> run) {
        this.best = failed;
        this.numbers = failed.numbers();
        this.attemptsMax = attemptsMax;
        this.run = run;
    }

    /// {@return the simplest numbers that were found}
    long[] shrink() {
        int before;
        do {
            before = steps;
            removeSpans();
            removeChunks();
            lower();
            lowerPairs();
            sort();
        } while (steps > before && !isOver());
        return numbers;
    }

    int attempts() {
        return attempts;
    }

    /// {@return how many attempts made the case simpler}
    int steps() {
        return steps;
    }

    // Many neighbours at once first: of a long list, usually most can go.
    private void removeSpans() {
        for (int size = Math.max(1, best.spans() / 2); size > 0; size /= 2) {
            for (int span = best.spans() - size; span >= 0; span--) {
                span = Math.min(span, best.spans() - size);
                if (span >= 0) {
                    remove(best.spanStart(span), lastEnd(span, size));
                }
            }
        }
    }

    private int lastEnd(int span, int size) {
        int end = 0;
        for (int i = span; i < span + size; i++) {
            end = Math.max(end, best.spanEnd(i));
        }
        return end;
    }

    // Where the body draws a number first and acts on it later, no span says what belongs together.
    private void removeChunks() {
        for (int size = CHUNK_MAX; size > 0; size /= 2) {
            for (int start = numbers.length - size; start >= 0; start--) {
                if (start + size <= numbers.length) {
                    remove(start, start + size);
                }
            }
        }
    }

    private void remove(int start, int end) {
        if (start == end) {
            return;
        }
        var shorter = new long[numbers.length - (end - start)];
        System.arraycopy(numbers, 0, shorter, 0, start);
        System.arraycopy(numbers, end, shorter, start, numbers.length - end);
        attempt(shorter);
    }

    private void lower() {
        for (int i = 0; i < numbers.length; i++) {
            lower(i, i);
        }
    }

    // Two that must be equal for the case to fail go down only together.
    private void lowerPairs() {
        for (int i = 0; i < numbers.length; i++) {
            int tried = 0;
            for (int j = i + 1; j < numbers.length && tried < PAIRS_MAX; j++) {
                if (numbers[i] == numbers[j] && numbers[i] != 0) {
                    lower(i, j);
                    tried++;
                }
            }
        }
    }

    private void lower(int i, int j) {
        if (numbers[i] != 0 && !attemptWith(i, j, 0)) {
            lowerBySearch(i, j);
        }
    }

    // 0 passes and the present number fails: halves the distance until they are neighbours.
    private void lowerBySearch(int i, int j) {
        long passes = 0;
        while (j < numbers.length && numbers[i] - passes != 1 && !isOver()) {
            long middle = passes + ((numbers[i] - passes) >>> 1);
            if (!attemptWith(i, j, middle)) {
                passes = middle;
            } else if (Long.compareUnsigned(numbers[i], passes) <= 0) {
                return; // another case altogether
            }
        }
    }

    private boolean attemptWith(int i, int j, long number) {
        var changed = numbers.clone();
        changed[i] = number;
        changed[j] = number;
        return attempt(changed);
    }

    private void sort() {
        for (int first = 0; first < best.spans(); first++) {
            for (int second = first + 1; second < best.spans(); second++) {
                if (best.spanStart(second) == best.spanEnd(first)) {
                    swap(best.spanStart(first), best.spanStart(second), best.spanEnd(second));
                } else if (best.spanStart(second) > best.spanEnd(first)) {
                    break;
                }
            }
        }
    }

    private void swap(int start, int middle, int end) {
        var swapped = numbers.clone();
        System.arraycopy(numbers, middle, swapped, start, end - middle);
        System.arraycopy(numbers, start, swapped, start + end - middle, middle - start);
        attempt(swapped);
    }

    private boolean attempt(long[] candidate) {
        if (isOver() || !isSimpler(candidate)) {
            return false;
        }
        attempts++;
        var tape = run.apply(candidate);
        // What was drawn may be more than what was given.
        if (tape == null || !isSimpler(tape.numbers())) {
            return false;
        }
        steps++;
        best = tape;
        numbers = tape.numbers();
        return true;
    }

    // Somebody who interrupts does not want to wait for the simplest case.
    private boolean isOver() {
        return attempts >= attemptsMax || Thread.currentThread().isInterrupted();
    }

    private boolean isSimpler(long[] candidate) {
        return candidate.length != numbers.length
                ? candidate.length < numbers.length
                : Arrays.compareUnsigned(candidate, numbers) < 0;
    }
}
