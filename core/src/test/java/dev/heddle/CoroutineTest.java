package dev.heddle;

import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The order in which coroutines run, and what they return.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CoroutineTest {
    private final World world = World.virtual();

    @Test
    void bodiesStartWhenTheSpawnerEndsInTheOrderTheyWereSpawned() {
        world.run(
                () -> {
                    world.say("start");
                    for (int i = 1; i <= 3; i++) {
                        String line = String.valueOf(i);
                        spawn(() -> world.say(line));
                    }
                    world.say("end");
                });

        assertEquals(List.of("start", "end", "1", "2", "3"), world.trail);
    }

    @Test
    void suspendGoesToTheEndOfTheLine() {
        world.run(
                () -> {
                    spawn(() -> turns("A", 3));
                    spawn(() -> turns("B", 2));
                    spawn(() -> turns("C", 1));
                });

        assertEquals(List.of("A1", "B1", "C1", "A2", "B2", "A3"), world.trail);
    }

    @Test
    void aDelayOfNothingIsASuspend() {
        world.run(
                () -> {
                    spawn(() -> world.say("other"));
                    delay(Duration.ZERO);
                    world.say("main");
                });

        assertEquals(List.of("other", "main"), world.trail);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void suspendReturnsIfNobodyElseIsThere() {
        world.run(
                () -> {
                    for (int i = 0; i < 1000; i++) {
                        suspend();
                    }
                    world.say("done");
                });

        assertEquals(List.of("done"), world.trail);
    }

    @Test
    void aThousandCoroutinesReturnTheirValues() {
        List<Integer> values =
                world.call(
                        () -> {
                            var all = new ArrayList<Coroutine<Integer>>();
                            for (int i = 0; i < 1000; i++) {
                                int number = i;
                                all.add(spawn(() -> number));
                            }
                            return awaitAll(all);
                        });

        assertEquals(IntStream.range(0, 1000).boxed().toList(), values);
    }

    @Test
    void aThousandSleepersReturnTheirValuesInOrderWhoeverWakesFirst() {
        List<Integer> values =
                world.call(
                        () -> {
                            var all = new ArrayList<Coroutine<Integer>>();
                            for (int i = 0; i < 1000; i++) {
                                int number = i;
                                all.add(
                                        spawn(
                                                () -> {
                                                    delay(Duration.ofMillis(1000 - number));
                                                    return number;
                                                }));
                            }
                            return awaitAll(all);
                        });

        assertEquals(IntStream.range(0, 1000).boxed().toList(), values);
        assertEquals(Duration.ofSeconds(1), world.elapsed());
    }

    @Test
    void aCoroutineMaySuspendAThousandCallsDeep() {
        world.run(
                () -> {
                    var deep = spawn(() -> depth(1000));
                    var other = spawn(() -> depth(1000));
                    assertEquals(List.of(1000, 1000), awaitAll(deep, other));
                });
    }

    @Test
    void aCoroutineSpawnedByTheHandlerOfTheLastEndStillRuns() {
        world.run(
                () ->
                        Heddle.current()
                                .onCompletion(
                                        _ ->
                                                spawn(
                                                        () -> {
                                                            delay(Duration.ofSeconds(1));
                                                            world.say("after the end");
                                                        })));

        assertEquals(List.of("after the end"), world.trail);
        assertEquals(Duration.ofSeconds(1), world.elapsed());
    }

    @Test
    void completionHandlersRunInOrderAfterWhoAwaited() {
        world.run(
                () -> {
                    var ending = spawn(() -> world.say("body"));
                    ending.onCompletion(_ -> world.say("first handler"));
                    ending.onCompletion(_ -> world.say("second handler"));
                    spawn(
                            () -> {
                                ending.await();
                                world.say("awaiter");
                            });
                });

        assertEquals(List.of("body", "awaiter", "first handler", "second handler"), world.trail);
    }

    @Test
    void aHandlerOfOneThatHasEndedIsCalledAtTheNextTurn() {
        world.run(
                () -> {
                    var ended = spawn(() -> "value");
                    ended.await();
                    ended.onCompletion(outcome -> world.say(outcome.toString()));
                    world.say("not yet");
                    suspend();
                    world.say("by now");
                });

        assertEquals(List.of("not yet", "Success[value=value]", "by now"), world.trail);
    }

    @Test
    void hooksAroundASpawnAreCalledInOrder() {
        var tracing =
                new SpawnStrategy() {
                    @Override
                    public Optional<Scope> scope() {
                        world.say("scope");
                        return Optional.empty();
                    }

                    @Override
                    public void before(Scope scope) {
                        world.say("before");
                    }

                    @Override
                    public void after(Coroutine<?> coroutine, Scope scope) {
                        assertEquals(scope, coroutine.scope());
                        world.say("after, started=" + coroutine.hasStarted());
                    }
                };

        world.run(() -> Heddle.spawnWith(tracing, () -> done("body")).await());

        assertEquals(List.of("scope", "before", "after, started=false", "body"), world.trail);
    }

    @Test
    void aSpawnHookMayChooseTheScope() {
        world.run(
                () -> {
                    try (var chosen = new Scope().asNotSafely()) {
                        var strategy =
                                new SpawnStrategy() {
                                    @Override
                                    public Optional<Scope> scope() {
                                        return Optional.of(chosen);
                                    }
                                };
                        var coroutine = Heddle.spawnWith(strategy, () -> done("body"));
                        assertEquals(chosen, coroutine.scope());
                        coroutine.await();
                    }
                });
    }

    @Test
    void aScopeThatWasDisposedOfTakesNoMore() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.dispose();

                    var refused =
                            assertThrows(
                                    IllegalStateException.class, () -> scope.spawn(() -> "never"));

                    assertTrue(
                            refused.getMessage()
                                    .startsWith("Cannot spawn a coroutine in a closed scope"),
                            refused.getMessage());
                    assertTrue(scope.isClosed());
                    assertTrue(scope.isFinished());
                    assertEquals(0, scope.active());
                });
    }

    private void turns(String name, int count) {
        for (int i = 1; i <= count; i++) {
            world.say(name + i);
            if (i < count) {
                suspend();
            }
        }
    }

    private String done(String line) {
        world.say(line);
        return line;
    }

    private static int depth(int left) {
        if (left % 20 == 0) {
            suspend();
        }
        return left == 0 ? 0 : 1 + depth(left - 1);
    }

    @Test
    void oneThatHasEndedDoesNotKeepWhatItWaitedForLast() {
        world.run(
                () -> {
                    Coroutine<WeakReference<Object>> waiter = spawn(CoroutineTest::awaitAnother);
                    var awaited = waiter.await();
                    while (awaited.get() != null) {
                        System.gc();
                        suspend();
                    }
                    assertTrue(waiter.isFinished());
                });
    }

    private static WeakReference<Object> awaitAnother() {
        Coroutine<String> another =
                spawn(
                        () -> {
                            suspend();
                            return "value";
                        });
        another.await();
        return new WeakReference<>(another);
    }
}
