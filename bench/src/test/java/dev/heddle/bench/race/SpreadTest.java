package dev.heddle.bench.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class SpreadTest {
    @Test
    void medianOfAnOddNumberIsTheMiddleOne() {
        assertThat(Spread.of(9, 1, 2)).isEqualTo(new Spread(2, 1, 9));
    }

    @Test
    void medianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
        assertThat(Spread.of(4, 1, 2, 100)).isEqualTo(new Spread(3, 1, 100));
    }

    @Test
    void oneSpoiltRoundDoesNotMoveTheMedian() {
        assertThat(Spread.of(2, 2, 2, 2, 2, 2, 900).median()).isEqualTo(2);
    }

    @Test
    void relativeIsTheWholeWidthAsAPartOfTheMedian() {
        assertThat(Spread.of(1.5, 2, 3).relative()).isEqualTo(0.75);
        assertThat(Spread.of(0, 0).relative()).isZero();
    }

    @Test
    void theValuesAreLeftAsTheyWere() {
        double[] values = {3, 1, 2};

        var _ = Spread.of(values);

        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void thereIsNoMedianOfNothing() {
        assertThatThrownBy(Spread::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no values");
    }
}
