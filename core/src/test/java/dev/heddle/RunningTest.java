package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/// Where a program runs, when it is over, and what its end looks like.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class RunningTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    @Test
    void aPlatformThreadBecomesTheLoops() {
        Thread caller = Thread.currentThread();

        world.run(
                () -> {
                    assertSame(caller, Carrier.current());
                    assertTrue(Thread.currentThread().isVirtual());
                });
    }

    @Test
    void aVirtualThreadGetsAPlatformThreadMadeForIt() throws InterruptedException {
        var result = new CompletableFuture<String>();
        Thread.startVirtualThread(
                        () -> {
                            Thread caller = Thread.currentThread();
                            result.complete(
                                    world.call(
                                            () -> {
                                                assertNotSame(caller, Thread.currentThread());
                                                return Carrier.current().getName();
                                            }));
                        })
                .join();

        assertEquals("heddle", result.join());
    }

    @Test
    void insideACoroutineItIsAScope() {
        world.run(
                () -> {
                    Thread loop = Carrier.current();
                    String value =
                            Heddle.run(
                                    () -> {
                                        spawn(
                                                () -> {
                                                    delay(SECOND);
                                                    world.say("child");
                                                });
                                        assertSame(loop, Carrier.current());
                                        return "value";
                                    });
                    world.say(value);
                });

        assertEquals(List.of("child", "value"), world.trail);
    }

    @Test
    void insideACoroutineItsFailureIsThrownThere() {
        var failure = new IOException("on purpose");

        world.run(
                () -> {
                    var caught =
                            assertThrows(
                                    IOException.class,
                                    () ->
                                            Heddle.run(
                                                    () -> {
                                                        throw failure;
                                                    }));
                    assertSame(failure, caught);
                });
    }

    @Test
    void insideACallbackItIsRefused() {
        var refused = new ArrayList<String>();
        world.run(
                () ->
                        spawn(() -> {})
                                .onCompletion(
                                        _ ->
                                                refused.add(
                                                        assertThrows(
                                                                        IllegalStateException.class,
                                                                        () -> Heddle.run(() -> {}))
                                                                .getMessage())));

        assertEquals(
                List.of(
                        "run inside a callback of a loop, which cannot wait: spawn a coroutine"
                                + " there"),
                refused);
    }

    @Test
    void programsMayFollowOneAnother() {
        for (int i = 0; i < 50; i++) {
            int number = i;
            assertEquals(
                    number,
                    World.virtual()
                            .<Integer, RuntimeException>call(
                                    () -> {
                                        assertEquals(1, Heddle.current().id());
                                        return spawn(() -> number).await();
                                    }));
        }
    }

    @Test
    void twoProgramsRunAtTheSameTimeAndKnowNothingOfEachOther() throws InterruptedException {
        var barrier = new CyclicBarrier(2);
        var results = new ArrayList<FutureTask<Integer>>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 2; i++) {
            var result = new FutureTask<>(() -> meetAndCount(barrier));
            results.add(result);
            threads.add(Thread.ofPlatform().start(result));
        }
        for (var thread : threads) {
            thread.join();
        }

        assertEquals(List.of(101, 101), results.stream().map(FutureTask::resultNow).toList());
    }

    private static int meetAndCount(CyclicBarrier barrier) {
        return Heddle.<Integer, RuntimeException>run(
                () -> {
                    for (int i = 0; i < 100; i++) {
                        spawn(() -> delay(Duration.ofMillis(1)));
                    }
                    int seen = Heddle.coroutines().size();
                    Heddle.offload(() -> meet(barrier));
                    return seen;
                });
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void whatBelongsToAnotherLoopIsRefusedByName() {
        var foreign = new CompletableFuture<Coroutine<String>>();
        world.run(() -> foreign.complete(spawn(() -> "value")));

        World.virtual()
                .run(
                        () -> {
                            var refused =
                                    assertThrows(
                                            WrongLoopException.class, () -> foreign.join().await());
                            assertTrue(
                                    refused.getMessage().contains("Loop(heddle"),
                                    refused.getMessage());
                        });
    }

    @Test
    void itReturnsWhenNoCoroutineIsLeftWhateverMainDid() {
        String value =
                world.call(
                        () -> {
                            spawn(
                                    () -> {
                                        delay(SECOND);
                                        spawn(
                                                () -> {
                                                    delay(SECOND);
                                                    world.say("grandchild");
                                                });
                                    });
                            return "value";
                        });

        assertEquals("value", value);
        assertEquals(List.of("grandchild"), world.trail);
        assertEquals(Duration.ofSeconds(2), world.elapsed());
    }

    @Test
    void aFailureOfMainIsThrownAsItselfAndCancelsTheRest() {
        var failure = new IOException("on purpose");

        var thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(
                                                    () -> {
                                                        try {
                                                            delay(Duration.ofHours(1));
                                                        } finally {
                                                            world.say("cleaned up");
                                                        }
                                                    });
                                            suspend();
                                            throw failure;
                                        }));

        assertSame(failure, thrown);
        assertEquals(List.of("cleaned up"), world.trail);
        assertTrue(world.elapsed().compareTo(Duration.ofHours(1)) < 0);
    }

    @Test
    void aFailureOfAnotherThatNobodyObservesEndsTheProgramAndIsThrown() {
        var failure = new IllegalStateException("on purpose");

        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            spawn(
                                                    () -> {
                                                        throw failure;
                                                    });
                                            delay(Duration.ofHours(1));
                                        }));

        assertSame(failure, thrown);
    }

    @Test
    void aMainThatIsCancelledIsAnException() {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                world.run(
                                        () -> {
                                            Heddle.current().cancel("changed my mind");
                                            suspend();
                                        }));

        assertEquals("changed my mind", thrown.getMessage());
        assertFalse(thrown.timedOut());
    }

    @Test
    void theOptionsOfANestedRunAreTheOuterOnes() {
        world.run(
                () -> {
                    assertFalse(Heddle.current().scheduler().options.debug);
                    Heddle.with()
                            .debug()
                            .run(() -> assertFalse(Heddle.current().scheduler().options.debug));
                });
    }

    @Test
    void anInterruptOfTheVirtualThreadThatWaitsForItsProgramIsKept() throws InterruptedException {
        var interrupted = new CompletableFuture<Boolean>();
        var begun = new CompletableFuture<Thread>();
        var caller =
                Thread.startVirtualThread(
                        () -> {
                            World.real()
                                    .run(
                                            () -> {
                                                begun.complete(Thread.currentThread());
                                                Heddle.await(interrupted.minimalCompletionStage());
                                            });
                            begun.complete(Thread.currentThread());
                        });
        begun.join();
        caller.interrupt();
        interrupted.complete(true);
        caller.join();

        assertTrue(interrupted.join());
    }

    @ParameterizedTest
    @MethodSource("dev.heddle.World#backends")
    void everyBackendRunsProgramsThatSleepWorkAndHearFromOtherThreads(Backend backend)
            throws InterruptedException {
        var real = World.real().with(options -> options.backend(backend));

        String result =
                real.call(
                        () -> {
                            assertEquals(backend, Heddle.current().loop().backend());
                            Promise<String> promise = Promise.external();
                            var other =
                                    Thread.ofPlatform().unstarted(() -> promise.complete("heard"));
                            var slept =
                                    spawn(
                                            () -> {
                                                delay(Duration.ofMillis(1));
                                                other.start();
                                                return "slept";
                                            });
                            var worked = spawn(() -> Heddle.offload(() -> "worked"));
                            var doomed = spawn(() -> delay(Duration.ofHours(1)));
                            String heard = promise.deferred().await();
                            doomed.cancelAndAwait("enough");
                            Heddle.offload(() -> other.join());
                            return slept.await() + worked.await() + heard;
                        });

        assertEquals("sleptworkedheard", result);
    }

    @Test
    void aMainThatIsCancelledForAReasonCalledShutdownIsNotShutDown() {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                Heddle.run(
                                        () -> {
                                            Heddle.current().cancel("shutdown");
                                            Heddle.suspend();
                                        }));
        assertEquals("shutdown", thrown.getMessage());
    }

    @Test
    void aShutdownAfterMainWasCancelledDoesNotHideThat() {
        assertThrows(
                OperationCancelledException.class,
                () ->
                        Heddle.run(
                                () -> {
                                    Heddle.current().cancel("my own");
                                    Heddle.shutdown();
                                    Heddle.suspend();
                                }));
    }
}
