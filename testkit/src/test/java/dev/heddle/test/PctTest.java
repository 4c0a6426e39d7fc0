package dev.heddle.test;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A bug that needs one coroutine to stay behind for long: [Schedule#PCT] finds it many times as
/// often as [Schedule#RANDOM].
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PctTest {
    private static final int SEEDS = 2_000;
    private static final int STEPS = 6;

    private static int found(Schedule schedule) {
        int found = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var initialised = new boolean[1];
            var tooEarly = new boolean[1];
            Simulation.create()
                    .schedule(schedule)
                    .seed(seed)
                    .run(
                            _ -> {
                                spawn(() -> initialised[0] = true);
                                spawn(
                                        () -> {
                                            for (int i = 0; i < STEPS; i++) {
                                                suspend();
                                            }
                                            tooEarly[0] = !initialised[0];
                                        });
                            });
            found += tooEarly[0] ? 1 : 0;
        }
        return found;
    }

    @Test
    void aCoroutineThatStaysBehindIsFoundByPctAndHardlyByRandom() {
        int random = found(Schedule.RANDOM);
        int pct = found(Schedule.PCT);
        System.out.println(
                "of " + SEEDS + " seeds: RANDOM finds it with " + random + ", PCT " + pct);
        // The seeds are fixed, so this is no matter of luck.
        assertThat(pct).isGreaterThan(SEEDS / 10);
        assertThat(random).isBetween(1, pct / 10);
    }
}
