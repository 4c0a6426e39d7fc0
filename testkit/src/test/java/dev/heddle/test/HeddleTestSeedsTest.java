package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Which seeds `@HeddleTest` tries, and how one that fails is seen again.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class HeddleTestSeedsTest {
    private static final List<Long> SEEN = new ArrayList<>();

    @BeforeEach
    void clear() {
        SEEN.clear();
    }

    @Test
    void seedsCountFromZero() {
        var run = Fixture.run(ThreeSeeds.class);
        assertEquals(List.of(0L, 1L, 2L), SEEN);
        assertEquals(
                List.of("seed 0, random", "seed 1, random", "seed 2, random"), run.displayNames());
    }

    static class ThreeSeeds {
        @HeddleTest(seeds = 3)
        void body(TestWorld world) {
            SEEN.add(world.seed());
        }
    }

    @Test
    void thePropertyMovesTheFirstSeed() {
        withSeedProperty("-7", () -> Fixture.passes(ThreeSeeds.class));
        assertEquals(List.of(-7L, -6L, -5L), SEEN);
    }

    @Test
    void aPropertyThatIsNoNumberIsRefused() {
        withSeedProperty(
                "seven",
                () ->
                        assertThat(Fixture.failureOf(ThreeSeeds.class))
                                .hasMessageContaining("heddle.seed")
                                .hasMessageContaining("seven"));
        assertEquals(List.of(), SEEN);
    }

    @Test
    void theHighestSeedIsFollowedByTheLowest() {
        withSeedProperty("" + Long.MAX_VALUE, () -> Fixture.passes(ThreeSeeds.class));
        assertEquals(List.of(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1), SEEN);
    }

    private static void withSeedProperty(String value, Runnable body) {
        String before = System.getProperty("heddle.seed");
        System.setProperty("heddle.seed", value);
        try {
            body.run();
        } finally {
            if (before == null) {
                System.clearProperty("heddle.seed");
            } else {
                System.setProperty("heddle.seed", before);
            }
        }
    }

    @Test
    void exactSeedsIgnoreTheProperty() {
        withSeedProperty("1000", () -> Fixture.passes(ExactSeeds.class));
        assertEquals(List.of(42L, -1L), SEEN);
    }

    static class ExactSeeds {
        @HeddleTest(seed = {42, -1})
        void body(TestWorld world) {
            SEEN.add(world.seed());
        }
    }

    @Test
    void everyBackendTriesEverySeed() {
        var run = Fixture.run(TwoBackends.class);
        assertEquals(
                List.of(
                        "sim, seed 0, pct",
                        "sim, seed 1, pct",
                        "poll, seed 0, pct",
                        "poll, seed 1, pct"),
                run.displayNames());
        assertEquals(4, run.succeeded());
        assertEquals(
                List.of(Backend.SIM, Backend.SIM, Backend.POLL, Backend.POLL), TwoBackends.SEEN);
    }

    static class TwoBackends {
        static final List<Backend> SEEN = new ArrayList<>();

        @HeddleTest(
                backends = {Backend.SIM, Backend.POLL},
                seeds = 2,
                schedule = Schedule.PCT)
        void body() {
            SEEN.add(Heddle.current().loop().backend());
        }
    }

    @Test
    void afterTheFirstSeedThatFailsNoMoreAreTried() {
        var run = Fixture.run(FailsAtFour.class);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L), SEEN);
        assertEquals("at 4", run.failure().getMessage());
        assertEquals(
                "@HeddleTest(seed = 4L, schedule = Schedule.RANDOM)",
                Fixture.replayOf(run.failure()));
    }

    static class FailsAtFour {
        @HeddleTest(seeds = 100)
        void body(TestWorld world) {
            SEEN.add(world.seed());
            if (world.seed() == 4) {
                throw new AssertionError("at 4");
            }
        }
    }

    @Test
    void thePastedLineGivesTheSameFailureAndTheSameTrace() {
        Throwable found = Fixture.failureOf(FailsAtSeven.Searched.class);
        Throwable replayed = Fixture.failureOf(FailsAtSeven.Pasted.class);

        assertEquals("@HeddleTest(seed = 7L, schedule = Schedule.RANDOM)", Fixture.replayOf(found));
        assertEquals(found.getMessage(), replayed.getMessage());
        assertEquals(Fixture.traceOf(found), Fixture.traceOf(replayed));
        assertEquals(Fixture.replayOf(found), Fixture.replayOf(replayed));
    }

    @Test
    void aRaceIsFoundByASeedAndFoundAgainByIt() {
        Throwable found = Fixture.failureOf(Race.class);
        String seed = Fixture.replayOf(found).replaceAll("\\D", "");
        withSeedProperty(
                seed,
                () -> {
                    var again = Fixture.run(Race.class);
                    assertEquals(List.of("seed " + seed + ", random"), again.displayNames());
                    assertEquals(found.getMessage(), again.failure().getMessage());
                    assertEquals(Fixture.traceOf(found), Fixture.traceOf(again.failure()));
                });
    }

    /// Deposits that get lost if another one comes in between.
    static class Account {
        int balance;

        void deposits(TestWorld world) {
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 4; i++) {
                int pause = world.random().nextInt(20);
                all.add(spawn(() -> deposit(pause)));
            }
            Heddle.awaitAll(all);
        }

        private void deposit(int pause) {
            delay(Duration.ofMillis(pause));
            int before = balance;
            suspend();
            balance = before + 1;
        }
    }

    static class Race extends Account {
        @HeddleTest(seeds = 500)
        void noDepositIsLost(TestWorld world) {
            deposits(world);
            assertEquals(4, balance, "at " + world.elapsed());
        }
    }

    static class FailsAtSeven extends Account {
        void body(TestWorld world) {
            deposits(world);
            if (world.seed() == 7) {
                throw new AssertionError(balance + " at " + world.elapsed());
            }
        }

        static class Searched extends FailsAtSeven {
            @HeddleTest(seeds = 500)
            void fails(TestWorld world) {
                body(world);
            }
        }

        static class Pasted extends FailsAtSeven {
            @HeddleTest(seed = 7L, schedule = Schedule.RANDOM)
            void fails(TestWorld world) {
                body(world);
            }
        }
    }

    @Test
    void theLineSaysWhatElseWasAskedFor() {
        assertEquals(
                "@HeddleTest(seed = 0L, schedule = Schedule.FIFO, backends = Backend.POLL,"
                        + " virtualTime = false, checkLeaks = false)",
                Fixture.replayOf(Fixture.failureOf(Particular.class)));
    }

    static class Particular {
        @HeddleTest(backends = Backend.POLL, virtualTime = false, checkLeaks = false)
        void fails() {
            throw new AssertionError();
        }
    }

    @Test
    void theFailureShowsTheLastSteps() {
        var failure = Fixture.failureOf(Steps.class);
        assertThat(failure.getSuppressed()[0].getMessage())
                .contains("PT1M wrote this down")
                .contains("PT1M main runs")
                .doesNotContain("of 0 ready");
    }

    static class Steps {
        @HeddleTest
        void fails(TestWorld world) {
            delay(Duration.ofMinutes(1));
            world.note("wrote this down");
            throw new AssertionError();
        }
    }

    @Test
    void notesBelongToTheTrace() {
        var simulation = Simulation.create();
        long first = simulation.run(world -> world.note("a"));
        assertEquals(first, simulation.run(world -> world.note("a")));
        assertThat(simulation.run(world -> world.note("b"))).isNotEqualTo(first);
        assertThrows(NullPointerException.class, () -> simulation.run(world -> world.note(null)));
    }
}
