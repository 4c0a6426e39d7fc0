package dev.heddle.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.bench.race.Unit;

import org.junit.jupiter.api.Test;

import java.util.List;

final class TableTest {
    @Test
    void rowsStandInColumnsAndInformationalOnesApart() {
        String table = Table.render(List.of(Samples.FLOOD, Samples.WAKE, Samples.ALLOCATION));

        assertThat(table.lines().limit(7))
                .containsExactly(
                        "row               heddle     peer               ratio  least  most     "
                                + " cpu     peer  ratio  calls  peer",
                        "wake              634 ns   822 ns        libuv   1.30   1.25  1.40   630"
                                + " ns   819 ns   1.29   2.00  3.00",
                        "turn-allocation  0.002 B                                                 "
                                + " -                               JMH \"gc\"",
                        "",
                        "informational",
                        "flood-uring      26.0 ns  13.0 ns        libuv   0.50   0.25  0.75  20.0"
                                + " ns  5.00 ns   0.25               only counts",
                        "                 26.0 ns  60.0 µs  libuv-queue   2.00   1.00  3.00  20.0"
                                + " ns  20.0 ns   1.50");
    }

    @Test
    void withoutInformationalRowsThereIsNoSuchSection() {
        assertThat(Table.render(List.of(Samples.WAKE))).doesNotContain("informational");
    }

    @Test
    void aRowThatLosesIsPrintedLikeAnyOther() {
        assertThat(Table.summary(Samples.FLOOD))
                .isEqualTo("26.0 ns, 0.50 × libuv, 2.00 × libuv-queue");
    }

    @Test
    void timesHaveThreeDigitsAndAFittingUnit() {
        assertThat(List.of(0.5, 9.994, 9.996, 99.96, 999.4, 999.6, 1.5e6, 2.5e9, 5e12))
                .extracting(Figures::time)
                .containsExactly(
                        "0.50 ns", "9.99 ns", "10.0 ns", "100 ns", "999 ns", "1.00 µs", "1.50 ms",
                        "2.50 s", "5000 s");
        assertThat(Figures.time(Double.NaN)).isEqualTo("-");
    }

    @Test
    void bytesAreWholeUnlessTheyAreFew() {
        assertThat(Figures.of(Unit.BYTES, 0.0049)).isEqualTo("0.005 B");
        assertThat(Figures.of(Unit.BYTES, 716.4)).isEqualTo("716 B");
    }
}
