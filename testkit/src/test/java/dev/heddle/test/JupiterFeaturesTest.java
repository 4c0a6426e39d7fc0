package dev.heddle.test;

import static dev.heddle.Heddle.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.Heddle;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `@HeddleTest` beside what else JUnit has.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JupiterFeaturesTest {
    private static final List<String> TRAIL = new ArrayList<>();

    @BeforeEach
    void clear() {
        TRAIL.clear();
    }

    @Test
    void nestedClassesHaveTheSetUpOfTheirOuterOnes() {
        Fixture.passes(Outer.class);
        assertEquals(List.of("all", "outer", "inner", "body", "outer", "inner", "body"), TRAIL);
    }

    static class Outer {
        @BeforeAll
        static void all() {
            TRAIL.add("all");
        }

        @BeforeEach
        void outer() {
            TRAIL.add("outer");
        }

        @Nested
        class Inner {
            @BeforeEach
            void inner() {
                TRAIL.add("inner");
            }

            @HeddleTest(seeds = 2)
            void body() {
                delay(Duration.ofDays(1));
                TRAIL.add("body");
            }
        }
    }

    @Test
    void oneInstanceForAllIsOneForAllSeeds() {
        Fixture.passes(OneInstance.class);
        assertEquals(List.of("4 runs"), TRAIL);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        private int runs;

        @HeddleTest(seeds = 3)
        void many() {
            runs++;
        }

        @HeddleTest
        void one() {
            runs++;
        }

        @AfterAll
        void sum() {
            TRAIL.add(runs + " runs");
        }
    }

    @Test
    void testsOfASuperclassAndOfAnInterfaceRun() {
        Fixture.passes(Concrete.class);
        assertThat(TRAIL).containsExactlyInAnyOrder("superclass: concrete", "interface: concrete");
    }

    abstract static class Contract {
        abstract String name();

        @HeddleTest
        void fromSuperclass() {
            TRAIL.add("superclass: " + name());
        }
    }

    interface Promises {
        String name();

        @HeddleTest
        default void fromInterface() {
            TRAIL.add("interface: " + name());
        }
    }

    static class Concrete extends Contract implements Promises {
        @Override
        public String name() {
            return "concrete";
        }
    }

    @Test
    void namesTagsAndOtherParametersAreJUnits() {
        Fixture.passes(Named.class);
        assertEquals(List.of("seed 0, random [slow]", "seed 1, random [slow]"), TRAIL);
    }

    static class Named {
        @HeddleTest(seeds = 2)
        @DisplayName("a name of its own")
        @Tag("slow")
        void body(TestInfo info, TestWorld world, @TempDir Path folder) {
            assertEquals(world.seed(), TRAIL.size());
            assertThat(folder).isEmptyDirectory();
            TRAIL.add(info.getDisplayName() + " " + info.getTags());
        }
    }

    @Test
    void anAssumptionThatDoesNotHoldSkipsOnlyItsSeed() {
        var run = Fixture.run(Assumes.class);
        assertEquals(List.of(), run.failures());
        assertEquals(3, run.started());
        assertEquals(2, run.succeeded());
    }

    static class Assumes {
        @HeddleTest(seeds = 3)
        void notWithSeedOne(TestWorld world) {
            assumeTrue(world.seed() != 1);
        }
    }

    @Test
    void anAnnotationOfOnesOwnMayCarryIt() {
        Fixture.passes(Composed.class);
        assertEquals(List.of("seed 0", "seed 1", "seed 2"), TRAIL);
    }

    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @HeddleTest(seeds = 3)
    @interface Thrice {}

    static class Composed {
        @Thrice
        void body(TestWorld world) {
            TRAIL.add("seed " + world.seed());
        }
    }

    @Test
    void aTestThatCallsRunIsInTheSameWorld() {
        Fixture.passes(CallsRun.class);
    }

    static class CallsRun {
        @HeddleTest
        void body(TestWorld world) {
            var loop = Heddle.current().loop();
            var inner =
                    Heddle.run(
                            () -> {
                                delay(Duration.ofHours(1));
                                return Heddle.current().loop();
                            });
            assertEquals(loop, inner);
            assertEquals(Duration.ofHours(1), world.elapsed());
        }
    }
}
