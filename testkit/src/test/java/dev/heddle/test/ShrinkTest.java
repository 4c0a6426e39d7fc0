package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/// Known bugs and the simplest cases that show them: from every seed, the same.
final class ShrinkTest {
    private static void simplest(long seed, Property.Body body, String... words) {
        var property = Property.named("has a bug").seed(seed).tries(100_000);
        var report = assertThrows(AssertionError.class, () -> property.check(body));
        var lines = report.getMessage().lines().filter(line -> line.startsWith("    "));
        assertEquals(List.of(words), lines.map(String::strip).toList(), report::getMessage);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void aListThatIsTooLongAndHasALargeElement(long seed) {
        simplest(
                seed,
                choices -> {
                    var list = choices.named("list").listOf(0, 50, c -> c.intBetween(0, 10_000));
                    assertFalse(list.size() >= 3 && list.stream().anyMatch(each -> each > 100));
                },
                "list = [0, 0, 101]");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void twoEqualElementsOfMany(long seed) {
        simplest(
                seed,
                choices -> {
                    var list = choices.named("list").listOf(0, 40, c -> c.intBetween(-500, 500));
                    assertEquals(list.size(), new HashSet<>(list).size());
                },
                "list = [0, 0]");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void aNumberGoesTowardsTheBoundNearestToZero(long seed) {
        simplest(seed, c -> assertTrue(c.named("x").longBetween(7, 900) > 900), "x = 7");
        simplest(seed, c -> assertTrue(c.named("x").longBetween(-900, -7) > 900), "x = -7");
        simplest(seed, c -> assertTrue(c.named("x").anyLong() > -1000), "x = -1000");
        simplest(seed, c -> assertTrue(c.named("x").anyLong() < 1L << 40), "x = 1099511627776");
        simplest(
                seed,
                c -> assertTrue(c.named("x").anyLong() != Long.MIN_VALUE),
                "x = -9223372036854775808");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void whatIsDrawnByCountingLosesItsFrontToo(long seed) {
        simplest(
                seed,
                choices -> {
                    int count = choices.named("count").intBetween(0, 30);
                    for (int i = 0; i < count; i++) {
                        assertTrue(choices.named("x").intBetween(0, 1000) < 900);
                    }
                },
                "count = 1",
                "x = 900");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void listsInListsLoseWhatIsNotNeededOnEveryLevel(long seed) {
        simplest(
                seed,
                choices -> {
                    var lists =
                            choices.named("lists")
                                    .listOf(0, 10, c -> c.listOf(0, 10, d -> d.intBetween(0, 99)));
                    assertTrue(lists.stream().noneMatch(each -> each.contains(42)));
                },
                "lists = [[42]]");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void everyKindOfChoiceHasItsSimplest(long seed) {
        simplest(
                seed,
                choices -> {
                    choices.named("flag").bool();
                    choices.named("word").oneOf("tea", "milk", "rum");
                    choices.named("weight").weighted(1, 100, 100);
                    choices.named("some").subset(List.of(1, 2, 3));
                    choices.named("order").permutation(List.of(1, 2, 3, 4));
                    choices.named("bytes").bytes(2, 9);
                    choices.named("time").duration(Duration.ofMillis(1), Duration.ofDays(9));
                    choices.named("pair").from(c -> c.bool() + "/" + c.intBetween(0, 9));
                    throw new IllegalStateException("always");
                },
                "flag = false",
                "word = tea",
                "weight = 0",
                "some = []",
                "order = [1, 2, 3, 4]",
                "bytes = [0, 0]",
                "time = PT0.001S",
                "pair = false/0");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void ofRepeatedStepsOnlyThoseThatMatterAreLeft(long seed) {
        simplest(
                seed,
                choices -> {
                    var sum = new int[1];
                    choices.repeat(
                            0,
                            100,
                            () -> {
                                switch (choices.named("step").oneOf("idle", "up", "down")) {
                                    case "up" -> sum[0]++;
                                    case "down" -> sum[0]--;
                                    default -> {}
                                }
                                assertThat(sum[0]).isGreaterThan(-3);
                            });
                },
                "step = down",
                "step = down",
                "step = down");
    }
}
