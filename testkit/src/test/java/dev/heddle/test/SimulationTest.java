package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Probe;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Scenarios without JUnit: where they may be run, and what is refused.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SimulationTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static void anHour(TestWorld world) {
        delay(HOUR);
        assertEquals(HOUR, world.elapsed());
    }

    @Test
    void itRunsOnTheCallingThread() {
        var test = Thread.currentThread();
        Simulation.create()
                .run(
                        world -> {
                            anHour(world);
                            assertEquals("main", Heddle.current().name());
                            Heddle.current()
                                    .loop()
                                    .post(() -> assertSame(test, Thread.currentThread()));
                        });
    }

    @Test
    void fromAVirtualThreadItWorksToo() throws Exception {
        var done = new CompletableFuture<Long>();
        Thread.ofVirtual()
                .start(() -> done.complete(Simulation.create().run(SimulationTest::anHour)));
        assertEquals(Simulation.create().run(SimulationTest::anHour), done.get());
    }

    @Test
    void insideACoroutineItIsRefused() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Simulation.create()
                                        .run(_ -> Simulation.create().run(SimulationTest::anHour)));
        assertThat(thrown).hasMessageContaining("inside a coroutine").hasMessageContaining("main");
        assertThrows(
                IllegalStateException.class,
                () ->
                        Heddle.run(
                                () -> Simulation.create().limit(HOUR).run(SimulationTest::anHour)));
    }

    @Test
    void onACallbackOfALoopItIsRefused() {
        var thrown = new ArrayList<Throwable>();
        Simulation.create()
                .run(
                        _ ->
                                Heddle.current()
                                        .loop()
                                        .post(
                                                () ->
                                                        thrown.add(
                                                                assertThrows(
                                                                        IllegalStateException.class,
                                                                        () ->
                                                                                Simulation.create()
                                                                                        .run(
                                                                                                SimulationTest
                                                                                                        ::anHour)))));
        assertEquals(1, thrown.size());
        assertThat(thrown.getFirst()).hasMessageContaining("callback of a loop");
    }

    @Test
    void whatTheScenarioThrowsComesOutAsItIs() {
        var checked = new IOException("checked");
        assertSame(
                checked,
                assertThrows(
                        IOException.class,
                        () ->
                                Simulation.create()
                                        .run(
                                                _ -> {
                                                    throw checked;
                                                })));
    }

    @Test
    void withALimitItRunsOnAThreadThatCanBeGivenUp() {
        var error =
                assertThrows(
                        AssertionError.class,
                        () ->
                                Simulation.create()
                                        .limit(Duration.ofMillis(200))
                                        .run(SimulationTest::suspendsForEver));
        assertThat(error)
                .hasMessageContaining("has not ended within PT0.2S")
                .hasMessageContaining("suspendsForEver");
    }

    private static void suspendsForEver(TestWorld world) {
        while (true) {
            Heddle.suspend();
        }
    }

    @Test
    void everyBackendThatCanBeSimulatedRuns() {
        for (var backend : List.of(Backend.SIM, Backend.EPOLL, Backend.POLL)) {
            Simulation.create()
                    .backend(backend)
                    .run(
                            world -> {
                                anHour(world);
                                assertEquals(backend, Heddle.current().loop().backend());
                            });
        }
    }

    @Test
    void aBackendThatCannotBeSimulatedIsRefused() {
        for (var backend : List.of(Backend.URING, Backend.KQUEUE)) {
            var thrown =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Simulation.create().backend(backend).run(SimulationTest::anHour));
            assertThat(thrown).hasMessageContaining("" + backend).hasMessageContaining("SIM");
        }
    }

    @Test
    void aProbeIsToldWhatHappens() {
        var told = new ArrayList<String>();
        Simulation.create()
                .run(
                        SimulationTest::anHour,
                        new Probe() {
                            @Override
                            public void suspends(Coroutine<?> coroutine) {
                                told.add("suspends");
                            }

                            @Override
                            public void parked(Coroutine<?> coroutine) {
                                told.add("parked");
                            }

                            @Override
                            public void runs(Coroutine<?> coroutine) {
                                told.add("runs");
                            }
                        });
        assertEquals(List.of("runs", "suspends", "parked", "runs"), told);
    }

    @Test
    void everyChangeIsACopy() {
        var original = Simulation.create();
        original.seed(5).schedule(Schedule.PCT).withoutChecks();
        original.run(world -> assertEquals(0, world.seed()));
        assertThrows(AssertionError.class, () -> original.run(_ -> spawn(() -> delay(HOUR))));
    }

    @Test
    void nothingMayBeNull() {
        var simulation = Simulation.create();
        assertThrows(NullPointerException.class, () -> simulation.run(null));
        assertThrows(NullPointerException.class, () -> simulation.run(_ -> {}, null));
        assertThrows(NullPointerException.class, () -> simulation.schedule(null));
        assertThrows(NullPointerException.class, () -> simulation.backend(null));
        assertThrows(NullPointerException.class, () -> simulation.limit(null));
        assertThrows(IllegalArgumentException.class, () -> simulation.limit(HOUR.negated()));
        simulation.run(
                world -> {
                    assertThrows(NullPointerException.class, () -> world.at(null, () -> {}));
                    assertThrows(NullPointerException.class, () -> world.at(HOUR, null));
                    assertThrows(NullPointerException.class, () -> world.advance(null));
                    assertThrows(NullPointerException.class, () -> world.raise(null));
                });
    }
}
