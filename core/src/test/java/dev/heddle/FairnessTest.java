package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Nobody keeps the loop for himself, and nobody gives it up in vain.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class FairnessTest {
    private static final int BUDGET = 128;

    private final World world = World.virtual();
    private boolean served;

    @Test
    void whoAwaitsWhatHasEndedLetsTheOthersRunNowAndThen() {
        world.run(
                () -> {
                    var ended = spawn(() -> "value");
                    ended.await();
                    spawn(() -> served = true);
                    int operations = 0;
                    while (!served) {
                        assertEquals("value", ended.await());
                        operations++;
                    }
                    assertTrue(operations <= BUDGET, "only after " + operations);
                });
    }

    @Test
    void whoAwaitsACompletedPromiseLetsTheOthersRunNowAndThen() {
        world.run(
                () -> {
                    var completed = Deferred.completed("value");
                    spawn(() -> served = true);
                    while (!served) {
                        assertEquals("value", completed.await());
                    }
                });
    }

    @Test
    void whoseWaitsAreAllEndedAtOnceLetsTheOthersRunNowAndThen() {
        world.run(
                () -> {
                    var never = new Promise<String>();
                    spawn(() -> served = true);
                    while (!served) {
                        var over =
                                assertThrows(
                                        OperationCancelledException.class,
                                        () -> never.deferred().await(Token.after(Duration.ZERO)));
                        assertTrue(over.timedOut());
                    }
                });
    }

    @Test
    void whoGathersWhatHasEndedLetsTheOthersRunNowAndThen() {
        world.run(
                () -> {
                    var one = Deferred.completed(1);
                    var two = Deferred.completed(2);
                    spawn(() -> served = true);
                    while (!served) {
                        assertEquals(List.of(1, 2), Heddle.awaitAll(one, two));
                    }
                });
    }

    @Test
    void suspendAloneCostsNoSwitchMostOfTheTime() {
        world.run(
                () -> {
                    Scheduler scheduler = Heddle.current().scheduler();
                    long before = scheduler.runs();
                    for (int i = 1; i < BUDGET; i++) {
                        suspend();
                    }
                    assertEquals(before, scheduler.runs());
                    // Not for ever: where no time passes, nobody else would ever get the loop.
                    suspend();
                    assertEquals(before + 1, scheduler.runs());
                });
    }

    @Test
    void suspendAloneSwitchesIfTheKernelWasNotAskedForAMillisecond() {
        var sim = new SimReactor();
        var now = new AtomicLong();
        Heddle.with()
                .loop(loop -> loop.reactor(sim, now::get))
                .run(
                        () -> {
                            Scheduler scheduler = Heddle.current().scheduler();
                            // The first turn has asked already.
                            suspend();
                            long before = scheduler.runs();
                            now.addAndGet(999_999);
                            suspend();
                            assertEquals(before, scheduler.runs());
                            now.addAndGet(1);
                            suspend();
                            assertEquals(before + 1, scheduler.runs());
                            // A turn with something ready may leave the kernel alone, once.
                            suspend();
                            long asked = scheduler.runs();
                            suspend();
                            assertEquals(asked, scheduler.runs());
                        });
    }

    @Test
    void whoSuspendsAloneStillHearsFromOtherThreads() {
        World.real()
                .run(
                        () -> {
                            Promise<String> promise = Promise.external();
                            var other = Thread.ofPlatform().start(() -> promise.complete("heard"));
                            while (!promise.deferred().outcome().isPresent()) {
                                suspend();
                            }
                            assertEquals("heard", promise.deferred().await());
                            joined(other);
                        });
    }

    @Test
    void whoSuspendsAloneDoesNotKeepTimersFromFiring() {
        World.real()
                .run(
                        () -> {
                            spawn(
                                    () -> {
                                        delay(Duration.ofMillis(1));
                                        served = true;
                                    });
                            while (!served) {
                                suspend();
                            }
                        });
    }

    @Test
    void aThousandThatSuspendTakeTurns() {
        world.run(
                () -> {
                    var rounds = new int[1000];
                    for (int i = 0; i < rounds.length; i++) {
                        int number = i;
                        spawn(
                                () -> {
                                    for (int round = 0; round < 10; round++) {
                                        rounds[number]++;
                                        // Nobody is a whole round ahead of anybody.
                                        int next = rounds[(number + 1) % rounds.length];
                                        assertTrue(Math.abs(rounds[number] - next) <= 1);
                                        suspend();
                                    }
                                });
                    }
                });
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
