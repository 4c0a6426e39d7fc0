package dev.heddle.test;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/// Where the body of a [Property] gets its random values from.
///
/// Everything drawn can be made simpler by itself, because only the numbers behind it are changed
/// and the body then draws again: a number goes towards 0 (or the bound that is nearest to it), a
/// list loses elements, [#oneOf] goes to the first, [#chance] to false. What a generator promises
/// therefore holds for the simplest case too. Generators of your own are plain functions:
///
/// ```java
/// static Order order(Choices choices) {
///     int amount = choices.intBetween(1, 100);
///     return new Order(amount, choices.listOf(0, 3, c -> c.oneOf("tea", "milk", "rum")));
/// }
/// ```
///
/// The report of a failure says what was drawn by the body itself: by [#named] with its name. What
/// a generator given to [#listOf] or [#from] draws is part of the whole and is not listed.
///
/// **Thread:** owner (whoever runs the body). Coroutines of one loop may share it: one at a time.
public final class Choices {
    private static final long[] EDGES = {
        0, 1, -1, Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE
    };

    /// Thrown by [#assume]. An error, so that the body does not catch it with its exceptions.
    static final class Discarded extends Error {
        private static final long serialVersionUID = 1;

        Discarded() {
            super("assume(false)", null, false, false);
        }
    }

    final Tape tape;
    private final boolean describing;
    private final List<String> words = new ArrayList<>();
    private boolean discarded;
    private String name = "";
    private int depth;
    private int unnamed;

    Choices(Tape tape, boolean describing) {
        this.tape = tape;
        this.describing = describing;
    }

    /// Names what is drawn next, for the report: `choices.named("size").intBetween(1, 9)`.
    public Choices named(String next) {
        name = Objects.requireNonNull(next, "next");
        return this;
    }

    /// Adds a line to the report of a failure. `what` is turned to text at once, and only if it is
    /// needed.
    public void note(Object what) {
        Objects.requireNonNull(what, "what");
        if (describing) {
            words.add(what.toString());
        }
    }

    /// Discards the case unless `condition` holds. Better is to draw only what fits: a property
    /// that discards ten cases for each it keeps is an error.
    public void assume(boolean condition) {
        if (!condition) {
            discarded = true;
            throw new Discarded();
        }
    }

    /// {@return true or false}
    public boolean bool() {
        return chance(0.5);
    }

    /// {@return true in `probability` of all cases}
    ///
    /// @throws IllegalArgumentException if it is not from 0 to 1
    public boolean chance(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability from 0 to 1: " + probability);
        }
        return said(() -> flag(probability));
    }

    /// {@return a number of the range, bounds included, each as likely as the others}
    public int intBetween(int from, int to) {
        checkRange(from, to);
        return said(() -> (int) number(from, to, false));
    }

    /// {@return any number, but the smallest, the largest and those around 0 more often than
    /// others}
    public int anyInt() {
        return said(() -> (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE, true));
    }

    /// {@return a number of the range, bounds included: the bounds, small numbers and those at
    /// which types overflow more often than others}
    public long longBetween(long from, long to) {
        checkRange(from, to);
        return said(() -> number(from, to, true));
    }

    /// {@return any number, as by [#longBetween]}
    public long anyLong() {
        return longBetween(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /// {@return a duration of the range, bounds included, in nanoseconds as by [#longBetween]}
    ///
    /// @throws IllegalArgumentException if the range is empty, or beyond what a `long` of
    ///   nanoseconds can hold (292 years)
    public Duration duration(Duration from, Duration to) {
        long fromNanos = nanos(from);
        long toNanos = nanos(to);
        checkRange(fromNanos, toNanos);
        return said(() -> Duration.ofNanos(number(fromNanos, toNanos, true)));
    }

    /// {@return one of these; the simplest is the first}
    public <T> T oneOf(List<? extends T> all) {
        if (all.isEmpty()) {
            throw new IllegalArgumentException("one of nothing");
        }
        return said(() -> all.get((int) tape.next(all.size() - 1L)));
    }

    /// {@return one of these; the simplest is the first}
    @SafeVarargs
    @SuppressWarnings("varargs") // the array goes no further than into a list
    public final <T> T oneOf(T... all) {
        return oneOf(List.of(all));
    }

    /// {@return the index of one of the weights: with weights 3 and 1, 0 three times as often as 1}
    public int weighted(int... weights) {
        long sum = 0;
        for (int weight : weights) {
            if (weight < 1) {
                throw new IllegalArgumentException("a weight is at least 1: " + weight);
            }
            sum += weight;
        }
        if (sum == 0) {
            throw new IllegalArgumentException("no weights");
        }
        long total = sum;
        return said(() -> (int) tape.next(weights.length - 1L, pickWeighted(weights, total)));
    }

    /// {@return a list of `from` to `to` elements, each length as likely as the others}
    public <T> List<T> listOf(int from, int to, Function<? super Choices, ? extends T> element) {
        checkLength(from, to);
        return said(
                () -> {
                    var list = new ArrayList<T>();
                    times(from, to, () -> list.add(element.apply(this)));
                    return list;
                });
    }

    /// {@return from `from` to `to` bytes}
    public byte[] bytes(int from, int to) {
        checkLength(from, to);
        return said(
                () -> {
                    var bytes = new ByteArrayOutputStream();
                    times(from, to, () -> bytes.write((int) tape.next(0xff)));
                    return bytes.toByteArray();
                });
    }

    /// {@return some of these, in their order; the simplest is none}
    public <T> List<T> subset(List<? extends T> all) {
        return said(
                () -> {
                    var some = new ArrayList<T>();
                    for (T each : all) {
                        if (flag(0.5)) {
                            some.add(each);
                        }
                    }
                    return some;
                });
    }

    /// {@return all of these, in any order; the simplest is their own}
    public <T> List<T> permutation(List<? extends T> all) {
        return said(
                () -> {
                    var shuffled = new ArrayList<T>(all);
                    for (int i = 0; i < shuffled.size() - 1; i++) {
                        Collections.swap(
                                shuffled, i, i + (int) tape.next(shuffled.size() - 1L - i));
                    }
                    return shuffled;
                });
    }

    /// {@return what the generator makes, as one thing: it is listed whole, and removed whole}
    public <T> T from(Function<? super Choices, ? extends T> generator) {
        return said(() -> generator.apply(this));
    }

    /// Runs `step` from `from` to `to` times, each number of times as likely as the others. The
    /// simplest case has the fewest, and any of them may be left out, not only the last.
    ///
    /// @throws X what the step throws
    public <X extends Exception> void repeat(int from, int to, Step<X> step) throws X {
        checkLength(from, to);
        name = "";
        times(from, to, step);
    }

    /// What [#repeat] repeats.
    ///
    /// @param <X> what it may throw
    @FunctionalInterface
    public interface Step<X extends Exception> {
        /// Does one step.
        ///
        /// @throws X when it fails
        void run() throws X;
    }

    /// {@return what was drawn and noted, a line each}
    List<String> words() {
        return words;
    }

    /// {@return whether the case was discarded, whatever became of the error}
    boolean isDiscarded() {
        return discarded;
    }

    /// {@return what was drawn, without a word in the report}
    <T> T quietly(Supplier<T> draw) {
        depth++;
        try {
            return draw.get();
        } finally {
            depth--;
        }
    }

    // The flag stands in the span of the step that it lets begin: without the span, the step never
    // was. Its probability makes every length as likely as the others.
    private <X extends Exception> void times(int from, int to, Step<X> step) throws X {
        for (int done = 0; done < to; done++) {
            int span = tape.openSpan();
            double left = (double) to - done;
            // Drawn also where it decides nothing, or steps would not all be alike.
            boolean more = flag(done < from ? 0.5 : left / (left + 1));
            if (done >= from && !more) {
                return;
            }
            step.run();
            tape.closeSpan(span);
        }
    }

    private boolean flag(double probability) {
        if (probability == 1) {
            tape.next(0);
            return true;
        }
        var random = tape.random();
        boolean wanted = random != null && random.nextDouble() < probability;
        return tape.next(probability == 0 ? 0 : 1, wanted ? 1 : 0) == 1;
    }

    // As a side and a distance from the simplest, so that both can be lowered.
    private long number(long from, long to, boolean edges) {
        long simplest = from > 0 ? from : Math.min(to, 0);
        var random = tape.random();
        long wanted = random == null ? simplest : wanted(random, from, to, edges);
        boolean below = from < simplest;
        if (below && to > simplest) {
            below = tape.next(1, wanted < simplest ? 1 : 0) == 1;
        }
        return below
                ? simplest - tape.next(simplest - from, simplest - wanted)
                : simplest + tape.next(to - simplest, wanted - simplest);
    }

    private static long wanted(SplittableRandom random, long from, long to, boolean edges) {
        int manner = edges ? random.nextInt(4) : 3;
        long wanted =
                switch (manner) {
                    case 0 -> random.nextBoolean() ? from : to;
                    case 1 -> EDGES[random.nextInt(EDGES.length)] + random.nextInt(2);
                    // As many small ones as large ones, by their number of digits.
                    case 2 -> random.nextLong() >> random.nextInt(Long.SIZE);
                    default -> from + Tape.uniform(random, to - from);
                };
        boolean fits = wanted >= from && wanted <= to;
        return fits ? wanted : from + Tape.uniform(random, to - from);
    }

    private long pickWeighted(int[] weights, long total) {
        var random = tape.random();
        if (random == null) {
            return 0;
        }
        long left = random.nextLong(total);
        int index = 0;
        while (left >= weights[index]) {
            left -= weights[index];
            index++;
        }
        return index;
    }

    // Draws one thing in a span of its own, and says so unless it is part of another.
    private <T> T said(Supplier<T> draw) {
        String given = name;
        name = "";
        int span = tape.openSpan();
        T value = quietly(draw);
        tape.closeSpan(span);
        if (depth == 0) {
            unnamed += given.isEmpty() ? 1 : 0;
            if (describing) {
                words.add((given.isEmpty() ? "#" + unnamed : given) + " = " + text(value));
            }
        }
        return value;
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    }

    private static void checkRange(long from, long to) {
        if (from > to) {
            throw new IllegalArgumentException("an empty range: from " + from + " to " + to);
        }
    }

    private static void checkLength(int from, int to) {
        checkRange(from, to);
        if (from < 0) {
            throw new IllegalArgumentException("a negative number of times: " + from);
        }
    }

    private static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException beyond) {
            throw new IllegalArgumentException("beyond 292 years: " + duration, beyond);
        }
    }
}
