package dev.heddle.test;

import static dev.heddle.Heddle.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.heddle.Heddle;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `@OnHeddle` on tests of any kind.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OnHeddleTest {
    private static final List<String> TRAIL = new ArrayList<>();

    @BeforeEach
    void clear() {
        TRAIL.clear();
    }

    private static void waitsAnHour(String who, TestWorld world) {
        assertEquals("main", Heddle.current().name());
        assertEquals(Duration.ZERO, world.elapsed());
        delay(Duration.ofHours(1));
        assertEquals(Duration.ofHours(1), world.elapsed());
        TRAIL.add(who);
    }

    @Test
    void onMethodsOfEveryKind() {
        Fixture.passes(Methods.class);
        assertThat(TRAIL).containsExactlyInAnyOrder("test", "7", "8", "a1", "b2", "1/2", "2/2");
    }

    static class Methods {
        @OnHeddle
        @Test
        void test(TestWorld world) {
            waitsAnHour("test", world);
        }

        @OnHeddle
        @ParameterizedTest
        @ValueSource(ints = {7, 8})
        void ofOneParameter(int number, TestWorld world) {
            waitsAnHour("" + number, world);
        }

        @OnHeddle
        @ParameterizedTest
        @CsvSource({"a,1", "b,2"})
        void ofTwoParameters(String letter, int number, TestWorld world) {
            waitsAnHour(letter + number, world);
        }

        @OnHeddle
        @RepeatedTest(2)
        void repeated(TestWorld world, RepetitionInfo info) {
            waitsAnHour(info.getCurrentRepetition() + "/" + info.getTotalRepetitions(), world);
        }

        @Test
        void withoutItNothingChanges() {
            assertFalse(Thread.currentThread().isVirtual());
        }
    }

    @Test
    void onAClassItIsForAllOfItsTests() {
        Fixture.passes(WholeClass.class);
        assertThat(TRAIL)
                .containsExactlyInAnyOrder(
                        "own 0",
                        "inherited 0",
                        "of its own seed 5",
                        "nested 0",
                        "seed 0",
                        "seed 1");
    }

    static class Base {
        @Test
        void inherited(TestWorld world) {
            waitsAnHour("inherited " + world.seed(), world);
        }
    }

    @OnHeddle
    static class WholeClass extends Base {
        @Test
        void own(TestWorld world) {
            waitsAnHour("own " + world.seed(), world);
        }

        @Test
        @OnHeddle(seed = 5)
        void ofItsOwn(TestWorld world) {
            waitsAnHour("of its own seed " + world.seed(), world);
        }

        @HeddleTest(seeds = 2)
        void beside(TestWorld world) {
            waitsAnHour("seed " + world.seed(), world);
        }

        @Nested
        class Inner {
            @Test
            void nested(TestWorld world) {
                waitsAnHour("nested " + world.seed(), world);
            }
        }
    }

    @Test
    void aSubclassInheritsIt() {
        Fixture.passes(SubOfAnnotated.class);
        assertEquals(List.of("sub"), TRAIL);
    }

    @OnHeddle
    static class Annotated {}

    static class SubOfAnnotated extends Annotated {
        @Test
        void sub(TestWorld world) {
            waitsAnHour("sub", world);
        }
    }

    @Test
    void aNestedClassMayAskForSomethingElse() {
        Fixture.passes(OuterOfTwo.class);
        assertThat(TRAIL).containsExactlyInAnyOrder("outer 1", "inner 2", "innermost 2");
    }

    @OnHeddle(seed = 1)
    static class OuterOfTwo {
        @Test
        void outer(TestWorld world) {
            waitsAnHour("outer " + world.seed(), world);
        }

        @Nested
        @OnHeddle(seed = 2)
        class Inner {
            @Test
            void inner(TestWorld world) {
                waitsAnHour("inner " + world.seed(), world);
            }

            @Nested
            class Innermost {
                @Test
                void innermost(TestWorld world) {
                    waitsAnHour("innermost " + world.seed(), world);
                }
            }
        }
    }

    @Test
    void aFailureSaysHowToSeeItAgain() {
        var failure = Fixture.failureOf(Fails.class);
        assertEquals("four", failure.getMessage());
        assertEquals(
                "@OnHeddle(seed = 9L, schedule = Schedule.PCT, limitSeconds = 30)",
                Fixture.replayOf(failure));
    }

    static class Fails {
        @ParameterizedTest
        @ValueSource(ints = {3, 4})
        @OnHeddle(seed = 9, schedule = Schedule.PCT, limitSeconds = 30)
        void fails(int number) {
            delay(Duration.ofSeconds(number));
            if (number == 4) {
                throw new AssertionError("four");
            }
        }
    }

    @Test
    void whatIsLeftIsFoundHereToo() {
        assertThat(Fixture.failureOf(Leaves.class))
                .hasMessageContaining("the test left something behind")
                .hasMessageContaining("left-over");
    }

    static class Leaves {
        @Test
        @OnHeddle
        void leaves() {
            Heddle.spawn("left-over", () -> delay(Duration.ofHours(1)));
        }
    }
}
