package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Coroutines that wait for each other are told at once, whatever else goes on.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeadlockCycleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    // A place for a coroutine that others are to await before it is spawned.
    private final List<Coroutine<?>> ring = new ArrayList<>();

    private Coroutine<?> at(int index) {
        return ring.get(index);
    }

    /// Awaits what stands at `index`, and writes down what came of it.
    private int awaitAt(String name, int index) {
        try {
            await(at(index));
            world.say(name + " got a value");
        } catch (DeadlockError deadlock) {
            world.say(name + " deadlock of " + deadlock.members().size());
        } catch (OperationCancelledException ended) {
            world.say(name + " gave up");
        }
        return index;
    }

    @Test
    void twoThatAwaitEachOtherBothGetAnErrorThatNamesBoth() {
        var errors = new ArrayList<DeadlockError>();

        world.run(
                () -> {
                    for (int other : List.of(1, 0)) {
                        ring.add(
                                spawn(
                                        other == 1 ? "left" : "right",
                                        () -> {
                                            errors.add(
                                                    assertThrows(
                                                            DeadlockError.class,
                                                            () -> await(at(other))));
                                        }));
                    }
                });

        assertEquals(2, errors.size());
        for (var error : errors) {
            assertEquals(2, error.members().size());
            String text = String.valueOf(error.getMessage());
            assertTrue(text.startsWith("2 coroutines wait for each other"), text);
            assertTrue(text.contains("\"left\"") && text.contains("\"right\""), text);
            assertTrue(text.contains("waits for Coroutine #3 \"right\""), text);
            assertTrue(text.contains("waits for Coroutine #2 \"left\""), text);
            assertTrue(text.contains("suspended at DeadlockCycleTest.java:"), text);
        }
        assertEquals(List.of(), world.reports());
    }

    @Test
    void membersMayCatchItAndGoOnAndSuspendAgain() {
        world.run(
                () -> {
                    for (int i : List.of(0, 1)) {
                        ring.add(
                                spawn(
                                        () -> {
                                            awaitAt("c" + i, 1 - i);
                                            delay(SECOND);
                                            suspend();
                                            world.say("c" + i + " done");
                                        }));
                    }
                });

        assertEquals(
                List.of("c1 deadlock of 2", "c0 deadlock of 2", "c1 done", "c0 done"), world.trail);
        assertEquals(SECOND, world.elapsed());
    }

    @Test
    void aCircleIsFoundBesideALiveTimer() {
        world.run(
                () -> {
                    var timer = spawn(() -> delay(Duration.ofHours(1)));
                    ring.add(spawn(() -> awaitAt("c0", 1)));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                    awaitAll(at(0), at(1));
                    world.say("after " + world.elapsed());
                    timer.cancel();
                });

        assertEquals(List.of("c1 deadlock of 2", "c0 deadlock of 2", "after PT0S"), world.trail);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 1000})
    void everyMemberOfABigCircleGetsIt(int size) {
        world.run(
                () -> {
                    for (int i = 0; i < size; i++) {
                        int next = (i + 1) % size;
                        ring.add(spawn(() -> awaitAt("one", next)));
                    }
                });

        assertEquals(size, world.trail.size());
        assertEquals(1, world.trail.stream().distinct().count());
        assertEquals("one deadlock of " + size, world.trail.getFirst());
    }

    @Test
    void aCircleIsFoundThroughAMemberThatHundredsWaitFor() {
        int outsiders = 500;
        world.run(
                () -> {
                    ring.add(spawn(() -> awaitAt("c0", 1)));
                    ring.add(
                            spawn(
                                    () -> {
                                        suspend();
                                        awaitAt("c1", 0);
                                    }));
                    for (int i = 0; i < outsiders; i++) {
                        spawn(() -> awaitAt("outside", 1));
                    }
                });

        assertEquals(List.of("c1 deadlock of 2", "c0 deadlock of 2"), world.trail.subList(0, 2));
        assertEquals(outsiders, world.trail.stream().filter("outside got a value"::equals).count());
    }

    @Test
    void whoAwaitsAMemberFromOutsideIsNone() {
        world.run(
                () -> {
                    ring.add(spawn(() -> awaitAt("c0", 1)));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                    awaitAt("outside", 0);
                });

        assertEquals(
                List.of("c1 deadlock of 2", "c0 deadlock of 2", "outside got a value"),
                world.trail);
    }

    @Test
    void awaitingOneselfIsOneToo() {
        world.run(
                () -> {
                    var error = assertThrows(DeadlockError.class, () -> await(Heddle.current()));
                    assertEquals(1, error.members().size());
                });
    }

    @Test
    void aCircleThroughTheEndOfAScopeIsFound() {
        world.run(
                () -> {
                    Coroutine<?> waiter = Heddle.current();
                    var scope = new Scope();
                    scope.spawn(
                            "inside",
                            () -> {
                                var error = assertThrows(DeadlockError.class, () -> await(waiter));
                                world.say("inside: " + error.members().size());
                            });
                    var error = assertThrows(DeadlockError.class, scope::awaitCompletion);
                    world.say("waiter: " + error.members().size());
                    scope.awaitCompletion();
                    scope.close();
                });

        assertEquals(List.of("inside: 2", "waiter: 2"), world.trail);
    }

    @Test
    void aScopeIsStuckIfOneOfItsCoroutinesIsThoughOthersAreAlive() {
        world.run(
                () -> {
                    Coroutine<?> waiter = Heddle.current();
                    var scope = new Scope();
                    scope.spawn(() -> delay(SECOND));
                    ring.add(waiter);
                    scope.spawn(() -> awaitAt("inside", 0));
                    assertThrows(DeadlockError.class, scope::awaitCompletion);
                    world.say("found after " + world.elapsed());
                    scope.close();
                });

        assertEquals(List.of("inside deadlock of 2", "found after PT0S"), world.trail);
    }

    @Test
    void aChildThatAwaitsTheHostOfItsScopeIsFound() {
        world.run(
                () -> {
                    ring.add(Heddle.current());
                    var error =
                            assertThrows(
                                    DeadlockError.class,
                                    () -> Scope.run(_ -> spawn(() -> awaitAt("child", 0))));
                    world.say("host: " + error.members().size());
                });

        assertEquals(List.of("child deadlock of 2", "host: 2"), world.trail);
    }

    @Test
    void zombiesCountForWhoWaitsForTheEndOfAllButNotForWhoWaitsForTheActive() {
        world.run(
                () -> {
                    Coroutine<?> waiter = Heddle.current();
                    ring.add(waiter);
                    var scope = new Scope();
                    scope.spawn("stuck", () -> awaitAt("zombie", 0));
                    suspend();
                    scope.disposeSafely();
                    scope.awaitCompletion();
                    world.say("completed");
                    assertThrows(
                            DeadlockError.class, () -> scope.awaitAfterCancellation((_, _) -> {}));
                    world.say("circle");
                    scope.awaitAfterCancellation((_, _) -> {});
                });

        assertEquals(List.of("completed", "circle", "zombie deadlock of 2"), world.trail);
    }

    @Test
    void zombiesThatAwaitEachOtherAreLeftAlone() {
        world.run(
                () -> {
                    var scope = new Scope();
                    for (int i : List.of(0, 1)) {
                        ring.add(
                                scope.spawn(
                                        () -> {
                                            delay(SECOND);
                                            awaitAt("zombie", 1 - i);
                                        }));
                    }
                    suspend();
                    scope.close();
                    delay(SECOND.multipliedBy(2));
                    world.say("end");
                });

        // At the end of the program they are cancelled, and go.
        assertEquals(List.of("end"), world.trail);
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
        assertEquals(2, world.reports(Report.Kind.ZOMBIE).size());
        assertEquals(2, world.reports().size());
    }

    @Test
    void aWaitWithATimeoutIsInNoCircle() {
        world.run(
                () -> {
                    ring.add(
                            spawn(
                                    () -> {
                                        assertThrows(
                                                OperationCancelledException.class,
                                                () -> await(at(1), SECOND));
                                        world.say("timed out");
                                    }));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                });

        assertEquals(List.of("timed out", "c1 got a value"), world.trail);
    }

    @Test
    void aWaitWithATokenIsInNoCircle() {
        world.run(
                () -> {
                    var stop = new Promise<String>();
                    ring.add(
                            spawn(
                                    () -> {
                                        var token = Token.when(stop.deferred());
                                        assertThrows(
                                                OperationCancelledException.class,
                                                () -> await(at(1), token));
                                        world.say("ended");
                                    }));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                    delay(SECOND);
                    stop.complete("now");
                });

        assertEquals(List.of("ended", "c1 got a value"), world.trail);
    }

    @Test
    void aWaitInsideALimitIsInNoCircle() {
        world.run(
                () -> {
                    ring.add(
                            spawn(
                                    () -> {
                                        assertThrows(
                                                OperationCancelledException.class,
                                                () -> within(SECOND, () -> awaitAt("c0", 1)));
                                        world.say("limit");
                                    }));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                });

        assertEquals(List.of("limit", "c1 got a value"), world.trail);
    }

    @Test
    void anAlternativeThatIsAliveKeepsAWaitOutOfTheCircle() {
        world.run(
                () -> {
                    var slow = spawn(() -> delay(SECOND));
                    ring.add(
                            spawn(
                                    () -> {
                                        awaitAny(at(1), slow);
                                        world.say("the other one came");
                                    }));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                });

        assertEquals(List.of("the other one came", "c1 got a value"), world.trail);
    }

    @Test
    void alternativesThatAreAllInTheCircleDoNot() {
        world.run(
                () -> {
                    ring.add(spawn(() -> awaitAt("c0", 2)));
                    ring.add(spawn(() -> awaitAt("c1", 2)));
                    ring.add(
                            spawn(
                                    () -> {
                                        var error =
                                                assertThrows(
                                                        DeadlockError.class,
                                                        () -> awaitAny(at(0), at(1)));
                                        world.say("c2 deadlock of " + error.members().size());
                                    }));
                });

        assertEquals(
                List.of("c2 deadlock of 3", "c0 deadlock of 3", "c1 deadlock of 3"), world.trail);
    }

    @Test
    void aCircleThatIsLeftWhenTheLastAliveOneHasEndedIsFound() {
        world.run(
                () -> {
                    var finished = spawn(() -> {});
                    var slow = spawn(() -> delay(SECOND));
                    ring.add(
                            spawn(
                                    () -> {
                                        var all = List.of(finished, at(1), slow);
                                        var error =
                                                assertThrows(
                                                        DeadlockError.class,
                                                        () -> awaitSettled(all));
                                        world.say(
                                                "c0 deadlock of "
                                                        + error.members().size()
                                                        + " after "
                                                        + world.elapsed());
                                    }));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                    delay(Duration.ofHours(1));
                });

        assertEquals(List.of("c1 deadlock of 2", "c0 deadlock of 2 after PT1S"), world.trail);
    }

    @Test
    void whatIsThereAlreadyDoesNotHideTheCircleBehindIt() {
        world.run(
                () -> {
                    var there = Deferred.completed("there");
                    ring.add(
                            spawn(
                                    () -> {
                                        suspend();
                                        assertThrows(
                                                DeadlockError.class,
                                                () -> awaitSettled(List.of(there, at(1))));
                                        world.say("found after " + world.elapsed());
                                    }));
                    ring.add(spawn(() -> awaitAt("c1", 0)));
                    delay(Duration.ofHours(1));
                });

        assertEquals(List.of("found after PT0S", "c1 deadlock of 2"), world.trail);
    }

    @Test
    void aCancellationThatIsDueComesBeforeALookForCircles() {
        world.run(
                () -> {
                    ring.add(spawn(() -> awaitAt("c0", 1)));
                    ring.add(
                            spawn(
                                    () -> {
                                        Heddle.current().cancel();
                                        awaitAt("c1", 0);
                                    }));
                    ring.get(1).observed();
                    var end = ring.get(0).awaitOutcome();
                    world.say(end.getClass().getSimpleName());
                });

        assertEquals(List.of("Failure"), world.trail);
    }
}
