package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.loop.Loop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What `@HeddleTest` does with one method.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeddleTestTest {
    private static final List<String> TRAIL = new ArrayList<>();

    @BeforeEach
    void clear() {
        TRAIL.clear();
    }

    @Test
    void theMethodIsTheMainCoroutineOfItsOwnLoop() {
        OwnLoops.LOOPS.clear();
        Fixture.passes(OwnLoops.class);
        assertEquals(2, OwnLoops.LOOPS.size());
    }

    static class OwnLoops {
        static final Set<Loop> LOOPS = new HashSet<>();

        @HeddleTest
        void first() {
            check();
        }

        @HeddleTest
        void second() {
            check();
        }

        private static void check() {
            Coroutine<?> main = Heddle.current();
            assertEquals("main", main.name());
            assertTrue(Thread.currentThread().isVirtual());
            assertEquals(List.of(main), Heddle.coroutines());
            LOOPS.add(main.loop());
        }
    }

    @Test
    void everySeedHasAnInstanceAndASetUpOfItsOwn() {
        Fixture.passes(Fresh.class);
        var once = List.of("before", "body", "after");
        assertEquals(List.of(once, once, once).stream().flatMap(List::stream).toList(), TRAIL);
    }

    static class Fresh {
        private final List<String> own = new ArrayList<>();

        @BeforeEach
        void before() {
            TRAIL.add(Thread.currentThread().isVirtual() ? "on a coroutine" : "before");
            own.add("before");
        }

        @AfterEach
        void after() {
            TRAIL.add("after");
            assertEquals(List.of("before", "body"), own);
        }

        @HeddleTest(seeds = 3)
        void body() {
            TRAIL.add("body");
            own.add("body");
        }
    }

    @Test
    void theWorldOfTheSetUpIsTheWorldOfTheTest() {
        Fixture.passes(WorldInSetUp.class);
    }

    static class WorldInSetUp {
        private TestWorld fromSetUp;
        private static TestWorld last;

        @BeforeEach
        void before(TestWorld world) {
            assertNotSame(last, world);
            world.at(Duration.ofSeconds(1), () -> TRAIL.add("script"));
            fromSetUp = world;
            last = world;
        }

        @HeddleTest(seeds = 2)
        void body(TestWorld world) {
            assertSame(fromSetUp, world);
            delay(Duration.ofSeconds(2));
            assertEquals(List.of("script"), TRAIL);
            TRAIL.clear();
        }
    }

    @Test
    void whatTheBodyThrowsIsTheFailureItself() {
        assertSame(Throws.ASSERTION, Fixture.failureOf(Throws.AnAssertion.class));
        assertSame(Throws.CHECKED, Fixture.failureOf(Throws.AChecked.class));
        assertSame(Throws.ERROR, Fixture.failureOf(Throws.AnError.class));
    }

    static class Throws {
        static final AssertionFailedError ASSERTION = new AssertionFailedError("1 is not 2", 1, 2);
        static final IOException CHECKED = new IOException("checked");
        static final Error ERROR = new StackOverflowError("pretended");

        static class AnAssertion {
            @HeddleTest
            void fails() {
                throw ASSERTION;
            }
        }

        static class AChecked {
            @HeddleTest(seeds = 2)
            void fails() throws IOException {
                throw CHECKED;
            }
        }

        static class AnError {
            @HeddleTest
            void fails() {
                throw ERROR;
            }
        }
    }

    @Test
    void aFailureIsNotHiddenByWhatIsLeftBehindItsBack() {
        var failure = Fixture.failureOf(FailsAndLeaves.class);
        assertEquals("the real one", failure.getMessage());
    }

    static class FailsAndLeaves {
        @HeddleTest
        void fails() {
            spawn(() -> Heddle.await(new Promise<>().deferred()));
            spawn(() -> delay(Duration.ofDays(1)));
            Heddle.suspend();
            throw new AssertionError("the real one");
        }
    }

    @Test
    void aFailureOfAnotherCoroutineFailsTheTest() {
        var failure = Fixture.failureOf(ChildFails.class);
        assertThat(failure).isInstanceOf(IOException.class).hasMessage("of a child");
    }

    static class ChildFails {
        @HeddleTest
        void spawnsAndForgets() {
            spawn(
                    () -> {
                        throw new IOException("of a child");
                    });
        }
    }

    @Test
    void withoutVirtualTimeTheMachinesClockRuns() {
        Fixture.passes(RealTime.class);
    }

    static class RealTime {
        @HeddleTest(virtualTime = false)
        void waits(TestWorld world) {
            long before = System.nanoTime();
            delay(Duration.ofMillis(20));
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
            assertThat(world.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        }
    }

    @Test
    void aSingleRunSaysInWhichTimeItRan() {
        assertEquals(List.of("in virtual time"), Fixture.run(Throws.AnError.class).displayNames());
        assertEquals(List.of("in real time"), Fixture.run(RealTime.class).displayNames());
    }
}
