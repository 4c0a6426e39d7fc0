package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

/// How often a property is tried, what is discarded, and what the report of a failure says.
final class PropertyTest {
    private static AssertionError failureOf(Property property, Property.Body body) {
        return assertThrows(AssertionError.class, () -> property.check(body));
    }

    @Test
    void whatHoldsIsTriedAThousandTimesUnlessToldOtherwise() {
        var runs = new AtomicInteger();
        Property.named("holds").check(_ -> runs.incrementAndGet());
        assertEquals(1000, runs.getAndSet(0));

        Property.named("holds").tries(7).check(_ -> runs.incrementAndGet());
        assertEquals(7, runs.get());
    }

    @Test
    void everyTryIsAnotherCase() {
        var seen = new HashSet<Long>();
        Property.named("all different")
                .check(choices -> seen.add(choices.named("x").longBetween(0, Long.MAX_VALUE)));
        assertThat(seen).hasSizeGreaterThan(500);
    }

    @Test
    void theReportSaysWhatWasDrawnWhatFailedAndHowToRepeatIt() {
        var report =
                failureOf(
                        Property.named("small").tries(50).seed(17),
                        choices -> {
                            int size = choices.named("size").intBetween(0, 1000);
                            boolean second = choices.bool();
                            choices.note("a note");
                            assertTrue(size < 100, () -> size + " is too much, " + second);
                        });

        assertThat(report.getMessage())
                .matches(
                        """
                        property "small" failed in try \\d+ of 50
                        simplest case, after \\d+ steps in \\d+ attempts:
                            size = 100
                            #1 = false
                            a note
                        because of org\\.opentest4j\\.AssertionFailedError: 100 is too much, false.*
                        to repeat it: \\.seed\\((\\d+)L\\), or -Dheddle\\.seed=\\1\
                        """);
        assertThat(report.getCause()).hasMessageStartingWith("100 is too much, false");
    }

    @Test
    void theSeedOfTheReportRepeatsTheFailureInTheFirstTry() {
        Property.Body body = choices -> assertTrue(choices.intBetween(0, 1_000_000) > 2000);
        var property = Property.named("rare").tries(100_000).seed(5);
        String message = failureOf(property, body).getMessage();
        assertThat(message).doesNotContain("in try 1 of");
        int start = message.indexOf(".seed(") + ".seed(".length();
        long seed = Long.parseLong(message.substring(start, message.indexOf("L)", start)));

        var again = failureOf(property.seed(seed), body).getMessage();
        assertThat(again).contains("in try 1 of 100000", "#1 = 0", ".seed(" + seed + "L)");
    }

    @Test
    void theSameSeedGivesTheSameCasesAndTheSameReport() {
        var cases = new ArrayList<List<Integer>>();
        Property.Body body =
                choices -> {
                    var list = choices.named("list").listOf(0, 30, c -> c.intBetween(0, 1000));
                    cases.add(list);
                    assertTrue(list.stream().mapToInt(each -> each).sum() < 5000);
                };
        var property = Property.named("sum").seed(99);

        String first = failureOf(property, body).getMessage();
        var before = List.copyOf(cases);
        cases.clear();
        String second = failureOf(property, body).getMessage();

        assertEquals(first, second);
        assertEquals(before, cases);
    }

    @Test
    void theSystemPropertyOverridesTheSeed() {
        var fromSystem = withSystemSeed("31", PropertyTest::firstOf);
        assertEquals(firstOf(Property.named("x").seed(31)), fromSystem);
        assertThat(firstOf(Property.named("x").seed(32))).isNotEqualTo(fromSystem);
    }

    @Test
    void aSystemPropertyThatIsNoNumberIsRefused() {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> withSystemSeed("12L", PropertyTest::firstOf));
        assertThat(refused).hasMessageContainingAll("heddle.seed", "12L");
    }

    private static long firstOf(Property property) {
        var drawn = new ArrayList<Long>();
        property.tries(1).check(choices -> drawn.add(choices.anyLong() + choices.anyInt()));
        return drawn.getFirst();
    }

    private static long withSystemSeed(String seed, ToLongFunction<Property> body) {
        String before = System.getProperty(Property.SEED_PROPERTY);
        System.setProperty(Property.SEED_PROPERTY, seed);
        try {
            return body.applyAsLong(Property.named("x").seed(1));
        } finally {
            if (before == null) {
                System.clearProperty(Property.SEED_PROPERTY);
            } else {
                System.setProperty(Property.SEED_PROPERTY, before);
            }
        }
    }

    @Test
    void discardedCasesAreNotTries() {
        var kept = new AtomicInteger();
        Property.named("even")
                .tries(100)
                .check(
                        choices -> {
                            choices.assume(choices.intBetween(0, 9) % 2 == 0);
                            kept.incrementAndGet();
                        });
        assertEquals(100, kept.get());
    }

    @Test
    void tooManyDiscardsAreAnErrorWithNumbers() {
        var runs = new AtomicInteger();
        var property = Property.named("rare").tries(20);
        var error =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                property.check(
                                        choices -> {
                                            choices.assume(runs.incrementAndGet() <= 3);
                                        }));
        assertEquals(
                "property \"rare\" discarded 201 cases and kept only 3 of 20: "
                        + "draw what fits instead",
                error.getMessage());
    }

    @Test
    void aDiscardCountsWhateverTheBodyMakesOfIt() {
        var runs = new AtomicInteger();
        Property.named("wrapped")
                .tries(5)
                .check(
                        choices -> {
                            try {
                                choices.assume(runs.incrementAndGet() % 2 == 0);
                            } catch (Error discarded) {
                                throw new IllegalStateException(discarded);
                            }
                        });
        assertEquals(10, runs.get());
    }

    @Test
    void aCaseThatFailsOnlyOnceIsReportedAsSuch() {
        var failed = new AtomicInteger();
        var report =
                failureOf(
                        Property.named("flaky"),
                        choices -> {
                            choices.named("x").intBetween(0, 9);
                            assertTrue(failed.getAndIncrement() > 0, "the first time");
                        });
        assertThat(report)
                .hasMessageContaining("but not when it was repeated")
                .hasMessageContaining("x = ");
        assertThat(report.getCause()).hasMessageStartingWith("the first time");
    }

    @Test
    void anotherBugMetOnTheWayIsKeptApart() {
        var report =
                failureOf(
                        Property.named("two bugs"),
                        choices -> {
                            int x = choices.named("x").intBetween(0, 1000);
                            if (x > 500) {
                                throw new IllegalStateException("large " + x);
                            } else if (x > 10 && x < 20) {
                                throw new ArithmeticException("small " + x);
                            }
                        });
        assertThat(report.getCause()).hasMessage("large 501");
        assertThat(report.getMessage()).contains("x = 501");
    }

    @Test
    void aFailureOfTheSameClassFromAnotherLineIsAnotherFailure() {
        var report =
                failureOf(
                        Property.named("two lines"),
                        choices -> {
                            int x = choices.named("x").intBetween(0, 1000);
                            if (x == 0) {
                                throw new IllegalStateException("zero");
                            }
                            if (x > 500) {
                                throw new IllegalStateException("large");
                            }
                        });
        assertThat(report.getCause()).hasMessage("large");
        assertThat(report.getSuppressed()).hasSize(1);
        assertThat(report.getSuppressed()[0]).hasMessage("zero");
    }

    @Test
    void aStackOverflowIsMadeSimplerToo() {
        var report =
                failureOf(
                        Property.named("deep"),
                        choices -> descend(choices.named("x").intBetween(0, 1000) > 100));
        assertThat(report.getMessage()).contains("x = 101");
        assertThat(report.getCause()).isInstanceOf(StackOverflowError.class);
    }

    private static int descend(boolean forEver) {
        return forEver ? 1 + descend(true) : 0;
    }

    @Test
    void anInterruptEndsTheSearchAndStaysPending() {
        var runs = new AtomicInteger();
        var report =
                failureOf(
                        Property.named("interrupted"),
                        _ -> {
                            runs.incrementAndGet();
                            throw new InterruptedException("stop");
                        });
        assertTrue(Thread.interrupted());
        assertEquals(1, runs.get());
        assertThat(report.getCause()).hasMessage("stop");
    }

    @Test
    void noMoreAttemptsAreMadeThanAllowed() {
        var runs = new AtomicInteger();
        var report =
                failureOf(
                        Property.named("limited").shrinks(25),
                        choices -> {
                            runs.incrementAndGet();
                            assertFalse(choices.listOf(50, 50, Choices::anyLong).contains(-1L));
                        });
        assertThat(report.getMessage()).contains("in 25 attempts");
        var none = failureOf(Property.named("as it was").shrinks(0), _ -> assertEquals(1, 2));
        assertThat(none.getMessage()).contains("after 0 steps in 0 attempts");
    }

    @Test
    void badInputIsRefused() {
        var property = Property.named("x");
        assertThrows(IllegalArgumentException.class, () -> property.tries(0));
        assertThrows(IllegalArgumentException.class, () -> property.tries(-1));
        assertThrows(IllegalArgumentException.class, () -> property.shrinks(-1));
    }
}
