package dev.heddle.test;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// A claim about all cases, tried on many random ones. When one fails, a simpler one is looked for
/// that fails in the same manner, and that is what the report shows.
///
/// ```java
/// @Test
/// void sortingKeepsAllElements() {
///     Property.named("sorting keeps all elements")
///             .check(
///                     choices -> {
///                         var list = choices.named("list").listOf(0, 20, Choices::anyInt);
///                         assertEquals(list.size(), sorted(list).size());
///                     });
/// }
/// ```
///
/// If `sorted` put the elements into a `TreeSet`, the report would be:
///
/// ```text
/// property "sorting keeps all elements" failed in try 1 of 1000
/// simplest case, after 14 steps in 52 attempts:
///     list = [0, 0]
/// because of org.opentest4j.AssertionFailedError: expected: <2> but was: <1>
/// to repeat it: .seed(1L), or -Dheddle.seed=1
/// ```
///
/// The body runs once for each case, and must do the same whenever it draws the same: no other
/// source of chance, no clock, nothing left over from the case before. Concurrent code is such a
/// body when it runs in virtual time. See [Choices] for what can be drawn, and [Commands] for tests
/// of something with a state.
///
/// The seed is fixed unless it is set, so that a build does not fail by chance; the system property
/// `heddle.seed` overrides both. The first case is made from the seed itself, the next from the
/// next number: given the seed that a report names, the first case is the one that failed.
///
/// **Thread:** immutable; [#check] runs the body on the calling thread.
public final class Property {
    /// How many discarded cases are borne for each that is to be tried.
    private static final int DISCARDS_PER_TRY = 10;

    private static final int TRIES = 1000;
    private static final int SHRINKS = 10_000;
    private static final long SEED = 1;
    static final String SEED_PROPERTY = "heddle.seed";

    /// What is claimed of a case.
    @FunctionalInterface
    public interface Body {
        /// Tries one case.
        ///
        /// @throws Exception if the claim does not hold
        void run(Choices choices) throws Exception;
    }

    private final String name;
    private final int tries;
    private final int shrinksMax;
    private final long seed;

    private Property(String name, int tries, int shrinksMax, long seed) {
        this.name = name;
        this.tries = tries;
        this.shrinksMax = shrinksMax;
        this.seed = seed;
    }

    /// {@return a property that is tried 1000 times}
    ///
    /// @param name the claim, for the report
    public static Property named(String name) {
        return new Property(Objects.requireNonNull(name, "name"), TRIES, SHRINKS, SEED);
    }

    /// {@return the same, tried on so many cases}
    public Property tries(int newTries) {
        if (newTries < 1) {
            throw new IllegalArgumentException("tries: at least 1, not " + newTries);
        }
        return new Property(name, newTries, shrinksMax, seed);
    }

    /// {@return the same, beginning with this seed}
    public Property seed(long newSeed) {
        return new Property(name, tries, shrinksMax, newSeed);
    }

    /// {@return the same, with so many attempts at most to find a simpler case; 0 for none}
    public Property shrinks(int newShrinksMax) {
        if (newShrinksMax < 0) {
            throw new IllegalArgumentException("shrinks: at least 0, not " + newShrinksMax);
        }
        return new Property(name, tries, newShrinksMax, seed);
    }

    /// Tries the body.
    ///
    /// @throws AssertionError if a case fails, caused by what the simplest one threw
    /// @throws IllegalStateException if the body discards too many cases
    public void check(Body body) {
        Objects.requireNonNull(body, "body");
        long caseSeed = firstSeed();
        long discardsMax = (long) DISCARDS_PER_TRY * tries;
        long discards = 0;
        for (int tried = 0; tried < tries; caseSeed++) {
            var choices = new Choices(Tape.random(caseSeed), false);
            var failure = failureOf(body, choices);
            if (failure != null) {
                String headline =
                        "property \"%s\" failed in try %d of %d".formatted(name, tried + 1, tries);
                throw new Counterexample(body, choices.tape, failure)
                        .report(headline, shrinksMax, caseSeed);
            } else if (!choices.isDiscarded()) {
                tried++;
            } else if (++discards > discardsMax) {
                throw tooManyDiscards(tried, discards);
            }
        }
    }

    /// {@return what the body threw, or null if it passed or discarded the case}
    static @Nullable Throwable failureOf(Body body, Choices choices) {
        try {
            body.run(choices);
            return null;
        } catch (Throwable thrown) {
            return choices.isDiscarded() ? null : thrown;
        }
    }

    private long firstSeed() {
        String given = System.getProperty(SEED_PROPERTY);
        if (given == null || given.isBlank()) {
            return seed;
        }
        try {
            return Long.parseLong(given.strip());
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "system property " + SEED_PROPERTY + " is not a number: " + given, notANumber);
        }
    }

    private IllegalStateException tooManyDiscards(int tried, long discards) {
        return new IllegalStateException(
                "property \"%s\" discarded %d cases and kept only %d of %d: draw what fits instead"
                        .formatted(name, discards, tried, tries));
    }
}
