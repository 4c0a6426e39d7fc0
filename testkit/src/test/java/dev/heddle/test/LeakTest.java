package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Cancellation;
import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.event.TimerEvent;
import dev.heddle.event.WorkEvent;
import dev.heddle.loop.Lane;
import dev.heddle.reactor.Interest;
import dev.heddle.sys.Memory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// Whatever a scenario leaves behind is found and named.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeakTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<MemorySegment> leaked = new ArrayList<>();

    @AfterEach
    void tidy() {
        leaked.forEach(Memory::free);
    }

    private static void finds(Scenario scenario, String... words) {
        var error = assertThrows(AssertionError.class, () -> Simulation.create().run(scenario));
        assertThat(error).hasMessageStartingWith("the test left something behind:");
        assertThat(error).hasMessageContainingAll(words);
        allows(scenario);
    }

    /// The same passes when nobody looks.
    private static void allows(Scenario scenario) {
        assertDoesNotThrow(() -> Simulation.create().withoutChecks().run(scenario));
    }

    @Test
    void aCoroutineThatWaitsForTime() {
        finds(
                _ -> spawn("sleeper", () -> delay(HOUR)),
                "sleeper",
                "at dev.heddle.test.LeakTest.lambda$aCoroutineThatWaitsForTime");
    }

    @Test
    void aCoroutineThatWaitsForAPromise() {
        finds(
                world -> {
                    var promise = new Promise<Void>();
                    world.at(HOUR, () -> promise.cancel("over"));
                    spawn("reader", () -> promise.deferred().awaitOutcome());
                },
                "reader",
                "LeakTest");
    }

    @Test
    void aCoroutineThatHasItsOwnScope() {
        finds(
                _ -> {
                    var scope = new Scope();
                    scope.spawn("in its own scope", () -> delay(HOUR));
                    scope.closeAfter(HOUR.multipliedBy(2));
                },
                "in its own scope");
    }

    @Test
    void aZombie() {
        finds(
                _ -> {
                    var scope = new Scope();
                    scope.spawn("undead", LeakTest::ignoresCancellations);
                    Heddle.suspend();
                    scope.disposeSafely();
                },
                "zombie ",
                "undead",
                "ignoresCancellations");
    }

    private static void ignoresCancellations() {
        for (int i = 0; i < 3; i++) {
            try {
                delay(HOUR);
            } catch (Cancellation ignored) {
                // The point of this one.
                assertThat(ignored).isNotNull();
            }
        }
    }

    @Test
    void aTimer() {
        finds(
                _ -> Heddle.current().loop().after(HOUR, () -> {}),
                "started and not stopped",
                "Timer");
    }

    @Test
    void aTimerThatRepeats() {
        finds(
                _ -> Heddle.current().loop().every(HOUR, () -> {}),
                "started and not stopped",
                "Timer");
    }

    @Test
    void aStartedEvent() {
        finds(
                _ -> TimerEvent.once(Heddle.current().loop(), HOUR).start(),
                "started and not stopped");
    }

    @Test
    void aWatch() {
        finds(
                world -> {
                    int fd = world.kernel().scripted();
                    Heddle.current().loop().watch(fd, Interest.READ, (_, _) -> {});
                },
                "started and not stopped",
                "Watch");
    }

    @Test
    void anAsync() {
        finds(_ -> Heddle.current().loop().async(() -> {}), "started and not stopped", "Async");
    }

    @Test
    void aSimulatedDescriptor() {
        finds(world -> world.kernel().pipe(), "simulated descriptor");
    }

    @Test
    void offloadedWorkByName() {
        finds(LeakTest::copiesForEver, "offloaded and not ended: Work(QUEUED, \"copies a file\")");
    }

    // To workers that take it and never begin.
    private static void copiesForEver(TestWorld world) {
        new WorkEvent<>(world.loop(), "copies a file", () -> 1).on(_ -> {}, Lane.NORMAL).start();
    }

    @Test
    void offloadedWorkThatEndsByItselfIsNoLeak() {
        Scenario abandons =
                _ -> {
                    var reader = spawn(() -> Heddle.offload(() -> 1, _ -> {}));
                    Heddle.suspend();
                    reader.cancel();
                    Heddle.current().loop().submit(() -> 1, (_, _) -> {});
                };
        Simulation.create().run(abandons);
        for (int seed = 0; seed < 100; seed++) {
            Simulation.create().schedule(Schedule.RANDOM).seed(seed).run(abandons);
        }
    }

    @Test
    void offloadedWorkEndsAtTheEndWithoutTimePassing() {
        Simulation.create()
                .schedule(Schedule.RANDOM)
                .run(
                        world -> {
                            world.holdTime();
                            world.loop()
                                    .submit(
                                            () -> 1,
                                            (_, _) -> assertEquals(Duration.ZERO, world.elapsed()));
                        });
    }

    @Test
    void whatTheEndOfOffloadedWorkStartsIsFound() {
        finds(
                world ->
                        world.loop()
                                .submit(() -> 1, (_, _) -> spawn("late child", () -> delay(HOUR))),
                "late child");
    }

    @Test
    void nativeMemory() {
        finds(_ -> leaked.add(Memory.allocate(48)), "48 bytes of native memory");
    }

    @Test
    void aFailureThatNobodyLookedAt() {
        finds(
                _ ->
                        spawn(
                                        "careless",
                                        () -> {
                                            throw new IOException("unseen");
                                        })
                                .observed(),
                "careless",
                "unseen");
    }

    @Test
    void everythingIsListedUpToALimit() {
        finds(
                _ -> {
                    for (int i = 0; i < 50; i++) {
                        spawn("number " + i, () -> delay(HOUR));
                    }
                },
                "number 0",
                "number 19",
                "and 30 more");
    }

    @Test
    void aCleanScenarioLeavesNothing() {
        assertDoesNotThrow(() -> Simulation.create().run(LeakTest::usesALittleOfEverything));
        for (var schedule : List.of(Schedule.RANDOM, Schedule.PCT)) {
            for (int seed = 0; seed < 50; seed++) {
                Simulation.create()
                        .schedule(schedule)
                        .seed(seed)
                        .run(LeakTest::usesALittleOfEverything);
            }
        }
    }

    private static void usesALittleOfEverything(TestWorld world) throws Exception {
        var loop = Heddle.current().loop();
        loop.every(HOUR, () -> {}).stop();
        var memory = Memory.allocate(10);
        var async = loop.async(() -> {});
        try (var scope = new Scope();
                var pipe = world.kernel().pipe()) {
            scope.spawn(() -> delay(HOUR));
            assertEquals("done", Heddle.offload(() -> "done"));
            Heddle.await(scope.spawn(() -> delay(HOUR)));
            async.send();
            assertThat(pipe).isNotNull();
        }
        async.close();
        Memory.free(memory);
    }

    @Test
    void whatEndsByItselfWithoutTimePassingIsNoLeak() {
        Simulation.create()
                .run(
                        _ -> {
                            for (int i = 0; i < 10; i++) {
                                spawn(LeakTest::letsOthersRunForAWhile);
                            }
                            spawn(() -> spawn(() -> spawn(LeakTest::letsOthersRunForAWhile)));
                            spawn(() -> delay(HOUR)).cancel();
                        });
    }

    private static void letsOthersRunForAWhile() {
        for (int i = 0; i < 100; i++) {
            Heddle.suspend();
        }
    }

    @Test
    void inRealTimeWhatEndsSoonIsNoLeak() {
        Simulation.create().realTime().run(_ -> spawn(() -> delay(Duration.ofMillis(20))));
    }

    @Test
    void inRealTimeOffloadedWorkThatEndsSoonIsNoLeak() {
        Simulation.create()
                .realTime()
                .run(
                        world -> {
                            var ready = new CountDownLatch(1);
                            world.loop()
                                    .submit(Executors.callable(() -> await(ready)), (_, _) -> {});
                            world.loop().after(Duration.ofMillis(20), ready::countDown);
                        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException early) {
            throw new IllegalStateException(early);
        }
    }

    @Test
    void inRealTimeOffloadedWorkThatGoesOnIsALeak() {
        var error =
                assertThrows(
                        AssertionError.class,
                        () -> Simulation.create().realTime().run(LeakTest::copiesForEver));
        assertThat(error).hasMessageContaining("offloaded and not ended: Work(QUEUED, \"copies");
    }

    @Test
    void inRealTimeWhatGoesOnIsALeak() {
        var error =
                assertThrows(
                        AssertionError.class,
                        () ->
                                Simulation.create()
                                        .realTime()
                                        .run(_ -> spawn("long", () -> delay(HOUR))));
        assertThat(error)
                .hasMessageContaining("left something behind")
                .hasMessageContaining("long");
    }
}
