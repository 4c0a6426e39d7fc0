package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What is drawn keeps to its bounds, reaches all of them, and comes as often as it says.
final class ChoicesTest {
    private static final int DRAWS = 20_000;

    private final Choices choices = new Choices(Tape.random(7), false);

    @Test
    void numbersKeepToTheirBoundsAndReachThem() {
        var ranges = new long[][] {{-2, 3}, {5, 9}, {-9, -5}, {0, 4}, {-4, 0}, {6, 6}};
        for (var range : ranges) {
            Set<Long> ints = new HashSet<>();
            Set<Long> longs = new HashSet<>();
            for (int i = 0; i < 1000; i++) {
                ints.add((long) choices.intBetween((int) range[0], (int) range[1]));
                longs.add(choices.longBetween(range[0], range[1]));
            }
            Set<Long> all = new HashSet<>();
            for (long each = range[0]; each <= range[1]; each++) {
                all.add(each);
            }
            assertEquals(all, ints);
            assertEquals(all, longs);
        }
    }

    @Test
    void theEdgesOfANumberTypeComeOften() {
        Set<Long> longs = new HashSet<>();
        Set<Integer> ints = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            longs.add(choices.anyLong());
            ints.add(choices.anyInt());
        }
        assertThat(longs).contains(Long.MIN_VALUE, Long.MAX_VALUE, 0L, -1L, 1L, 1L << 31);
        assertThat(ints).contains(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, -1, 1);
        assertThat(longs).hasSizeGreaterThan(400);
    }

    // Rejection is needed only beyond 2^63: about half of all draws there.
    @Test
    void rangesWiderThanALongCanCountAreDrawnFromWhole() {
        long from = -(1L << 62) - 5;
        long to = Long.MAX_VALUE;
        int below = 0;
        for (int i = 0; i < DRAWS; i++) {
            long each = choices.longBetween(from, to);
            assertTrue(each >= from);
            below += each < 0 ? 1 : 0;
        }
        assertThat(below).isBetween(DRAWS / 5, DRAWS / 2);
    }

    @Test
    void chancesAndWeightsAreWhatTheySay() {
        int heads = 0;
        var picks = new int[3];
        for (int i = 0; i < DRAWS; i++) {
            heads += choices.chance(0.2) ? 1 : 0;
            picks[choices.weighted(1, 2, 7)]++;
        }
        assertThat(heads).isBetween(DRAWS * 18 / 100, DRAWS * 22 / 100);
        assertThat(picks[0]).isBetween(DRAWS * 8 / 100, DRAWS * 12 / 100);
        assertThat(picks[1]).isBetween(DRAWS * 18 / 100, DRAWS * 22 / 100);
        for (int i = 0; i < 100; i++) {
            assertEquals(false, choices.chance(0));
            assertEquals(true, choices.chance(1));
        }
    }

    @Test
    void everyLengthIsAsLikelyAsTheOthers() {
        var lengths = new int[6];
        for (int i = 0; i < DRAWS; i++) {
            lengths[choices.listOf(1, 5, Choices::bool).size()]++;
        }
        assertEquals(0, lengths[0]);
        for (int length = 1; length <= 5; length++) {
            assertThat(lengths[length]).isBetween(DRAWS * 18 / 100, DRAWS * 22 / 100);
        }
    }

    @Test
    void subsetsAndPermutationsReachAllThereAre() {
        Set<List<Integer>> subsets = new HashSet<>();
        Set<List<Integer>> orders = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            subsets.add(choices.subset(List.of(1, 2, 3)));
            orders.add(choices.permutation(List.of(1, 2, 3, 4)));
        }
        assertEquals(8, subsets.size());
        assertEquals(24, orders.size());
        orders.forEach(each -> assertThat(each).containsExactlyInAnyOrder(1, 2, 3, 4));
    }

    @Test
    void bytesAndDurationsKeepToTheirBounds() {
        Set<Byte> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            var bytes = choices.bytes(3, 9);
            assertThat(bytes.length).isBetween(3, 9);
            for (byte each : bytes) {
                seen.add(each);
            }
            assertThat(choices.duration(Duration.ZERO, Duration.ofMillis(5)))
                    .isBetween(Duration.ZERO, Duration.ofMillis(5));
        }
        assertEquals(256, seen.size());
    }

    @Test
    void everySequenceOfNumbersIsACase() {
        var odd = new Choices(Tape.of(new long[] {-1, -1, 5}), false);
        assertEquals(Long.MIN_VALUE, odd.anyLong());
        assertEquals(3, odd.intBetween(0, 3));
        assertEquals(List.of(), odd.listOf(0, 9, Choices::anyInt));
        assertEquals("first", odd.oneOf("first", "second"));
    }

    @Test
    void emptyRangesAndImpossibleChancesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> choices.intBetween(3, 2))
                .withMessage("an empty range: from 3 to 2");
        assertThatIllegalArgumentException().isThrownBy(() -> choices.longBetween(1, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.chance(-0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.chance(1.1));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.chance(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.oneOf(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.weighted());
        assertThatIllegalArgumentException().isThrownBy(() -> choices.weighted(1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.listOf(-1, 2, Choices::bool));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.bytes(2, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> choices.repeat(2, 1, () -> {}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> choices.duration(Duration.ZERO, Duration.ofDays(365_000)));
    }

    @Test
    void aLoopThatDrawsForEverIsEnded() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> {
                            while (true) {
                                choices.bool();
                            }
                        })
                .withMessageContaining("1000000");
    }
}
