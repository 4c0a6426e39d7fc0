package dev.heddle.bench.race;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WarmUpTest {
    private final WarmUp warmUp = new WarmUp(0);
    private long millis;

    @Test
    void endsAfterThreeRoundsWithoutProgress() {
        assertThat(roundsUntilDone(100, 50, 50, 49.5, 60)).isEqualTo(5);
    }

    @Test
    void progressStartsTheCountAgain() {
        assertThat(roundsUntilDone(100, 101, 102, 80, 81, 80, 82)).isEqualTo(7);
    }

    @Test
    void goesOnWhileTheCompilerWorks() {
        add(100, 0);
        add(100, 0);
        add(100, 0);
        add(100, 500);
        assertThat(warmUp.isDone()).isFalse();
    }

    @Test
    void cpuTimeCountsAndNotTheClockOnTheWall() {
        add(Double.MAX_VALUE, 0);
        for (int i = 0; i < 5; i++) {
            warmUp.add(new Sample(1000.0 / (i + 1), 10, 1), millis);
        }
        assertThat(warmUp.isDone()).isTrue();
    }

    private int roundsUntilDone(double... costs) {
        int rounds = 0;
        for (double cost : costs) {
            assertThat(warmUp.isDone()).isFalse();
            add(cost, 0);
            rounds++;
        }
        assertThat(warmUp.isDone()).isTrue();
        return rounds;
    }

    private void add(double cost, long compiled) {
        millis += compiled;
        warmUp.add(new Sample(cost, Double.NaN, 1), millis);
    }
}
