package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Hooks that throw: the loop lives, and the error reaches whoever should get it.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-04")
final class HostileHookTest {
    private final World world = World.virtual();
    private final Error failure = new AssertionError("on purpose");

    @Test
    void aCompletionHandlerThatThrowsEndsTheProgramIfNobodyTakesIt() {
        assertProgramEndsWithFailure(() -> spawn(() -> {}).onCompletion(_ -> raise()));
    }

    @Test
    void aFinallyHandlerThatThrowsEndsTheProgramIfNobodyTakesIt() {
        assertProgramEndsWithFailure(
                () -> {
                    var scope = new Scope().onFinally(_ -> raise());
                    scope.spawn(() -> {});
                    suspend();
                    scope.close();
                });
    }

    @Test
    void aScopeHandlerThatThrowsPassesItOn() {
        var thrown =
                assertProgramEndsWithFailure(
                        () -> {
                            var scope = new Scope().onException((_, _) -> raise());
                            scope.spawn(
                                    () -> {
                                        throw new IllegalStateException("first");
                                    });
                        });

        assertEquals("first", thrown.getSuppressed()[0].getMessage());
    }

    @Test
    void aLoopCallbackThatThrowsEndsTheProgram() {
        assertProgramEndsWithFailure(() -> Heddle.current().loop().post(this::raise));
    }

    @Test
    void aTimerThatThrowsEndsTheProgram() {
        assertProgramEndsWithFailure(
                () -> {
                    Heddle.current().loop().after(Duration.ofSeconds(1), this::raise);
                    delay(Duration.ofHours(1));
                });
    }

    @Test
    void aSubscriberThatThrowsDoesNotKeepTheOthersFromBeingTold() {
        assertProgramEndsWithFailure(
                () -> {
                    var ending = spawn(() -> "value");
                    ending.subscribe((_, _) -> raise());
                    ending.subscribe((value, _) -> world.say("told " + value));
                });

        assertEquals(List.of("told value"), world.trail);
    }

    @Test
    void aNotifyHookThatThrowsIsReportedAndTheValueGoesThrough() {
        assertProgramEndsWithFailure(
                () -> {
                    var ending = spawn(() -> "value");
                    ending.notifyHook(
                            _ -> {
                                throw failure;
                            });
                    ending.subscribe((value, _) -> world.say("told " + value));
                });

        assertEquals(List.of("told value"), world.trail);
    }

    @Test
    void aSpawnHookThatThrowsBeforeTheSpawnPreventsIt() {
        var strategy =
                new SpawnStrategy() {
                    @Override
                    public void before(Scope scope) {
                        raise();
                    }
                };

        world.run(
                () -> {
                    assertSame(
                            failure,
                            assertThrows(
                                    AssertionError.class,
                                    () -> Heddle.spawnWith(strategy, () -> say("never"))));
                    assertEquals(1, Heddle.coroutines().size());
                });

        assertEquals(List.of(), world.trail);
    }

    @Test
    void aSpawnHookThatThrowsAfterTheSpawnIsThrownAtTheSpawnerAndTheCoroutineRuns() {
        var strategy =
                new SpawnStrategy() {
                    @Override
                    public void after(Coroutine<?> coroutine, Scope scope) {
                        raise();
                    }
                };

        world.run(
                () ->
                        assertSame(
                                failure,
                                assertThrows(
                                        AssertionError.class,
                                        () -> Heddle.spawnWith(strategy, () -> say("ran")))));

        assertEquals(List.of("ran"), world.trail);
    }

    @Test
    void aSpawnHookThatReturnsNoScopeIsNamed() {
        var strategy =
                new SpawnStrategy() {
                    @Override
                    @SuppressWarnings("NullAway")
                    public Optional<Scope> scope() {
                        return null;
                    }
                };

        world.run(
                () -> {
                    assertThrows(
                            NullPointerException.class,
                            () -> Heddle.spawnWith(strategy, () -> "never"));
                    assertEquals(1, Heddle.coroutines().size());
                });
    }

    @Test
    void aReportConsumerThatThrowsHarmsNobody() {
        var calls = new int[1];
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.with(
                                                options ->
                                                        options.onReport(
                                                                _ -> {
                                                                    calls[0]++;
                                                                    throw failure;
                                                                }))
                                        .run(
                                                () ->
                                                        spawn(
                                                                () -> {
                                                                    throw new IllegalStateException(
                                                                            "uncaught");
                                                                })));

        assertEquals("uncaught", thrown.getMessage());
        assertEquals(1, calls[0]);
    }

    @Test
    void anOperationInsideTheDestructorOfAWaitIsRefused() {
        world.run(
                () -> {
                    var waker = Heddle.current().fiber();
                    var timer = waker.timer(1);
                    waker.begin().on(timer).onEnd(this::raise);
                    assertSame(failure, assertThrows(AssertionError.class, waker::suspend));
                    delay(Duration.ofSeconds(1));
                });
    }

    @Test
    void aBodyAndItsHandlerThatBothThrowAreBothKnown() {
        world.run(
                () -> {
                    var scope =
                            new Scope().onException((error, _) -> world.say(error.getMessage()));
                    Coroutine<String> bad =
                            scope.spawn(
                                    () -> {
                                        throw new IllegalStateException("body");
                                    });
                    bad.onCompletion(_ -> raise());
                    bad.onCompletion(outcome -> world.say(kind(outcome)));
                    scope.awaitCompletion();
                    suspend();
                    scope.close();
                });

        assertEquals(List.of("body", "Failure", "on purpose"), world.trail);
    }

    private Throwable assertProgramEndsWithFailure(VoidOp<RuntimeException> main) {
        var thrown = assertThrows(AssertionError.class, () -> world.run(main));
        assertSame(failure, thrown);
        assertEquals(1, world.reports(Report.Kind.UNCAUGHT).size());
        assertTrue(
                world.reports(Report.Kind.UNCAUGHT).getFirst().contains("on purpose"),
                () -> world.reports().toString());
        return thrown;
    }

    private static String kind(Outcome<?> outcome) {
        return assertInstanceOf(Outcome.class, outcome).getClass().getSimpleName();
    }

    private String say(String line) {
        world.say(line);
        return line;
    }

    private void raise() {
        throw failure;
    }
}
