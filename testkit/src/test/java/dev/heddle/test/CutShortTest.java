package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.heddle.Cancellation;
import dev.heddle.Heddle;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A test whose rest did not run does not pass, whoever ended it.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CutShortTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static void isCutShort(Class<?> fixture) {
        assertThat(Fixture.failureOf(fixture))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not come to its end")
                .hasMessageContaining("shut down")
                .hasCauseInstanceOf(Cancellation.class);
    }

    @Test
    void byItsOwnShutdown() {
        isCutShort(ShutsDown.class);
    }

    static class ShutsDown {
        @HeddleTest
        void body() {
            Heddle.shutdown();
            delay(SECOND);
            fail("not reached");
        }
    }

    @Test
    void byAShutdownFromOutside() {
        isCutShort(ShutDownFromOutside.class);
    }

    static class ShutDownFromOutside {
        @HeddleTest
        void body(TestWorld world) {
            world.at(SECOND, Heddle::shutdown);
            delay(SECOND.multipliedBy(2));
        }
    }

    @Test
    void byAnotherCoroutineWithoutChecks() {
        isCutShort(ShutDownByAnother.class);
    }

    static class ShutDownByAnother {
        @HeddleTest(checkLeaks = false)
        void body() {
            spawn(Heddle::shutdown);
            delay(SECOND);
        }
    }

    @Test
    void inRealTime() {
        isCutShort(ShutsDownInRealTime.class);
    }

    static class ShutsDownInRealTime {
        @HeddleTest(virtualTime = false)
        void body() {
            Heddle.shutdown();
            delay(SECOND);
        }
    }

    @Test
    void onHeddle() {
        isCutShort(ShutsDownOnHeddle.class);
    }

    static class ShutsDownOnHeddle {
        @OnHeddle
        @Test
        void body() {
            Heddle.shutdown();
            delay(SECOND);
        }
    }

    @Test
    void aShutdownAsTheLastActIsNone() {
        Fixture.passes(ShutsDownLast.class);
    }

    static class ShutsDownLast {
        @HeddleTest
        void body() {
            Heddle.shutdown();
        }
    }

    @Test
    void afterASetUpThatFailsNoMoreSeedsAreTried() {
        SetUpFails.TRAIL.clear();
        assertThat(Fixture.failureOf(SetUpFails.class)).hasMessage("no database");
        assertEquals(List.of("set-up"), SetUpFails.TRAIL);
    }

    static class SetUpFails {
        static final List<String> TRAIL = new ArrayList<>();

        @BeforeEach
        void setUp() {
            TRAIL.add("set-up");
            throw new IllegalStateException("no database");
        }

        @HeddleTest(seeds = 100)
        void body() {
            TRAIL.add("body");
        }
    }
}
