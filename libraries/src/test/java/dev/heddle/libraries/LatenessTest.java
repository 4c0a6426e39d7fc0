package dev.heddle.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Heddle;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// What all the others measure with sees what it is to see.
final class LatenessTest {
    private static final Duration HELD = Duration.ofMillis(300);

    @Test
    void aCoroutineThatKeepsTheLoopMakesItLate() throws Exception {
        var quiet = Heddle.with().blockedAfter(HELD.multipliedBy(10));

        Duration lateness = Lateness.during(quiet, LatenessTest::compute);

        assertThat(lateness).isGreaterThan(HELD.dividedBy(2));
    }

    private static void compute() {
        long end = System.nanoTime() + HELD.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
