package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// What happens to posts and work that meet the begin or the end of a loop: they are taken or
/// refused, and what was taken is run or told, never lost.
///
/// Many rounds, each with two threads that meet at a barrier and then race.
///
/// **Thread:** owner (the test runner).
abstract class RaceContract extends LoopTestCase {
    private static final int ROUNDS =
            System.getProperty("heddle.depth", "quick").equals("deep") ? 20_000 : 2_000;
    private static final int ATTEMPTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    // Of the round: what was taken, and what became of it.
    private final AtomicReference<Loop> loop = new AtomicReference<>();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    RaceContract(Backend backend) {
        super(backend);
    }

    @Test
    void aPostThatRacesWithCloseIsRefusedOrRun() throws Exception {
        race(
                current -> current.post(ended::incrementAndGet),
                () -> {
                    while (!isClosed(loop.get())) {
                        loop.get().runNowait();
                    }
                });
    }

    @Test
    void aPostThatRacesWithShutdownIsRefusedOrRunOrToldThatItIsDropped() throws Exception {
        race(current -> current.post(new Ended()), () -> loop.get().shutdown(Duration.ZERO));
    }

    @Test
    void workThatRacesWithCloseIsRefusedOrCompleted() throws Exception {
        var pool = fixture.workers(1, ATTEMPTS);
        race(
                current ->
                        current.submit(
                                pool, Lane.NORMAL, () -> "", (_, _) -> ended.incrementAndGet()),
                () -> {
                    while (!isClosed(loop.get())) {
                        expectOthers();
                        loop.get().runNowait();
                    }
                });
    }

    @Test
    void postsAndTimersOfTheOpenerAreNotLostWhenAnotherThreadBeginsToRun() throws Exception {
        fixture.limit(PATIENCE);
        var start = new CyclicBarrier(2);
        var end = new CyclicBarrier(2);
        var runner =
                fixture.outside(
                        () -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                start.await();
                                loop.get().run();
                                end.await();
                            }
                        });
        for (int round = 0; round < ROUNDS; round++) {
            var current = fixture.open();
            var keepAlive = current.async();
            loop.set(current);
            ended.set(0);
            start.await();
            for (int i = 0; i < ATTEMPTS; i++) {
                current.post(ended::incrementAndGet);
                current.after(Duration.ZERO, ended::incrementAndGet);
            }
            current.post(() -> current.post(() -> current.post(keepAlive::close)));
            end.await();

            assertEquals(2 * ATTEMPTS, ended.get(), "in round " + round);
            current.close();
        }
        runner.awaitEnd();
    }

    @Test
    void aRunThatRacesWithCloseIsRefusedAndNeverGoesOnInAClosedReactor() throws Exception {
        fixture.limit(PATIENCE);
        int rounds = ROUNDS / 10;
        var start = new CyclicBarrier(2);
        var end = new CyclicBarrier(2);
        var refusals = new ConcurrentSkipListSet<String>();
        var runner =
                fixture.outside(
                        () -> {
                            for (int round = 0; round < rounds; round++) {
                                start.await();
                                refusals.add(refusalOfRuns(loop.get()));
                                end.await();
                            }
                        });
        for (int round = 0; round < rounds; round++) {
            loop.set(fixture.open());
            start.await();
            while (!isClosed(loop.get())) {
                Thread.yield();
            }
            end.await();
        }
        runner.awaitEnd();

        // As the loop says it, not the reactor in the middle of a turn.
        refusals.removeIf(refusal -> refusal.contains("Loop("));
        assertEquals(Set.of(), refusals);
    }

    private static String refusalOfRuns(Loop loop) throws IOException {
        while (true) {
            try {
                loop.runNowait();
            } catch (IllegalStateException refused) {
                return String.valueOf(refused.getMessage());
            }
        }
    }

    private interface Attempt {
        void on(Loop loop);
    }

    /// Another thread attempts, until it is refused or has attempted often enough, while this one
    /// ends the loop.
    private void race(Attempt attempt, Run ending) throws Exception {
        fixture.limit(PATIENCE);
        var start = new CyclicBarrier(2);
        var end = new CyclicBarrier(2);
        var outsider =
                fixture.outside(
                        () -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                start.await();
                                attempt(attempt);
                                end.await();
                            }
                        });
        for (int round = 0; round < ROUNDS; round++) {
            loop.set(fixture.open());
            taken.set(0);
            ended.set(0);
            start.await();
            ending.run();
            end.await();

            assertEquals(taken.get(), ended.get(), "taken and ended in round " + round);
        }
        outsider.awaitEnd();
    }

    private void attempt(Attempt attempt) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                attempt.on(loop.get());
            } catch (RejectedExecutionException refused) {
                return;
            }
            taken.incrementAndGet();
        }
    }

    private static boolean isClosed(Loop loop) {
        try {
            loop.close();
            return true;
        } catch (IllegalStateException alive) {
            return false;
        }
    }

    private final class Ended extends Task {
        @Override
        protected void run() {
            ended.incrementAndGet();
        }

        @Override
        protected void drop() {
            ended.incrementAndGet();
        }
    }
}
