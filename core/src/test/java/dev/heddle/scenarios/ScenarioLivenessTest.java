package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.test.Schedule;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Random coroutines are cancelled at random moments, and then nobody interferes any more: every
/// program ends or is told of its deadlock, in a minute of virtual time.
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class ScenarioLivenessTest {
    private static final int SHOWN_MAX = 5;

    // In an ordinary run. A rare thing that no run meets is one that no check here can judge.
    private static final int SEEN_MIN = 20;

    private static final Map<Rare, Integer> SEEN = new EnumMap<>(Rare.class);
    private static final List<String> FAILURES = new ArrayList<>();
    private static int runs;

    @BeforeAll
    static void runAll() {
        int seeds = Depth.of(100, 2_000);
        for (Named<Supplier<Story>> each : Library.all()) {
            for (long seed = 0; seed < seeds; seed++) {
                runOne(
                        each.getPayload().get(),
                        seed % 2 == 0 ? Schedule.RANDOM : Schedule.PCT,
                        seed);
            }
        }
    }

    private static void runOne(Story story, Schedule schedule, long seed) {
        var run = new Hostility(story, schedule, seed);
        runs++;
        try {
            run.run();
        } catch (AssertionError failure) {
            FAILURES.add(String.valueOf(failure.getMessage()));
        }
        run.seen().forEach((rare, count) -> SEEN.merge(rare, count, Integer::sum));
    }

    @AfterAll
    static void print() {
        System.out.println("rare things in " + runs + " hostile runs: " + SEEN);
    }

    @Tag("SIM-04")
    @Test
    void everyProgramEndsOnceItIsLeftAlone() {
        var first = FAILURES.subList(0, Math.min(SHOWN_MAX, FAILURES.size()));
        assertEquals(0, FAILURES.size(), () -> String.join("\n", first));
    }

    @Tag("SIM-05")
    @Test
    void everyRareThingHappens() {
        var tooRare =
                Arrays.stream(Rare.values())
                        .filter(each -> SEEN.getOrDefault(each, 0) < SEEN_MIN)
                        .toList();
        assertEquals(List.of(), tooRare, () -> "happened too rarely: " + SEEN);
    }
}
