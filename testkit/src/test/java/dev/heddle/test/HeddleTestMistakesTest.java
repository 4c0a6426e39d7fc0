package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What annotations that make no sense are told: one message, and no test has run.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeddleTestMistakesTest {
    private static int ran;

    private static void refuses(Class<?> fixture, String... words) {
        ran = 0;
        assertThat(Fixture.failureOf(fixture)).hasMessageContainingAll(words);
        assertEquals(0, ran);
    }

    @Test
    void noSeeds() {
        refuses(NoSeeds.class, "seeds must be at least 1, but is 0");
    }

    static class NoSeeds {
        @HeddleTest(seeds = 0)
        void body() {
            ran++;
        }
    }

    @Test
    void bothKindsOfSeeds() {
        refuses(BothSeeds.class, "either seeds = 5 or seed", "not both");
    }

    static class BothSeeds {
        @HeddleTest(seeds = 5, seed = 3)
        void body() {
            ran++;
        }
    }

    @Test
    void noTime() {
        refuses(NoTime.class, "limitSeconds must be at least 1, but is 0");
        refuses(NoTimeOnHeddle.class, "limitSeconds must be at least 1, but is -1");
    }

    static class NoTime {
        @HeddleTest(limitSeconds = 0)
        void body() {
            ran++;
        }
    }

    static class NoTimeOnHeddle {
        @Test
        @OnHeddle(limitSeconds = -1)
        void body() {
            ran++;
        }
    }

    @Test
    void backendsThatCannotBeSimulated() {
        refuses(Unsimulated.class, "URING", "[EPOLL, POLL, SIM]", "virtualTime = false");
    }

    static class Unsimulated {
        @HeddleTest(backends = {Backend.EPOLL, Backend.URING})
        void body() {
            ran++;
        }
    }

    @Test
    void theSimulatedBackendInRealTime() {
        refuses(SimulatedInRealTime.class, "SIM", "real time");
    }

    static class SimulatedInRealTime {
        @HeddleTest(backends = Backend.SIM, virtualTime = false)
        void body() {
            ran++;
        }
    }

    // One world for all tests of a class would carry time and chance from one to the next.
    @Test
    void aWorldForAllTestsOfAClass() {
        refuses(WorldForAll.class, "TestWorld");
    }

    @OnHeddle
    static class WorldForAll {
        @BeforeAll
        static void before(TestWorld world) {
            ran++;
        }

        @Test
        void body() {
            ran++;
        }
    }

    @Test
    void manualTimeInATestWithRealTime() {
        assertThat(Fixture.failureOf(ManualRealTime.class))
                .hasMessage("holdTime() needs virtual time, and this test has none");
    }

    static class ManualRealTime {
        @HeddleTest(virtualTime = false)
        void body(TestWorld world) {
            world.holdTime();
        }
    }
}
