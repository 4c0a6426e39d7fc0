package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.test.Schedule;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.Supplier;

/// Every story comes out right under every seed, and the same seed gives the same run.
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class ScenarioSeedsTest {
    private static final List<Schedule> SCHEDULES = List.of(Schedule.RANDOM, Schedule.PCT);

    static List<Named<Supplier<Story>>> stories() {
        return Library.all();
    }

    @Tag("SIM-01")
    @ParameterizedTest
    @MethodSource("stories")
    void sameSeedGivesTheSameTrace(Supplier<Story> maker) {
        int seeds = Depth.of(100, 1_000);
        for (var schedule : SCHEDULES) {
            for (long seed = 0; seed < seeds; seed++) {
                var trial = new Trial(maker, schedule, seed);
                assertEquals(trial.run(), trial.run(), trial + " gives two traces");
            }
        }
    }

    @Tag("SIM-02")
    @ParameterizedTest
    @MethodSource("stories")
    void comesOutRightUnderEverySeed(Supplier<Story> maker) {
        int seeds = Depth.of(200, 3_000);
        for (var schedule : SCHEDULES) {
            // Others than those of the test for determinism.
            for (long seed = 1_000_000; seed < 1_000_000 + seeds; seed++) {
                new Trial(maker, schedule, seed).run();
            }
        }
    }
}
