package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random programs of coroutines that wait for nothing but each other, beside a timer that never
/// lets the loop come to a standstill.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeadlockModelTest {
    private static final int PROGRAMS = 500;
    private static final int COROUTINES_MAX = 14;
    private static final Duration HOUR = Duration.ofHours(1);

    private int errors;

    @ParameterizedTest
    @ValueSource(longs = {1, 20_261_115, 987_654_321})
    void everybodyEndsAtOnceByAValueOrByADeadlock(long seed) {
        int deadlocks = 0;
        for (int i = 0; i < PROGRAMS; i++) {
            deadlocks += run(new Random(seed + i), false, "seed " + (seed + i));
        }
        assertTrue(deadlocks > PROGRAMS, "the programs are no test: " + deadlocks);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 20_261_116, 123_456_789})
    void whereEverybodyWaitsOnlyForOlderOnesThereIsNoDeadlock(long seed) {
        for (int i = 0; i < PROGRAMS; i++) {
            assertEquals(0, run(new Random(seed + i), true, "seed " + (seed + i)));
        }
    }

    /// {@return how many coroutines got an error}
    private int run(Random random, boolean acyclic, String message) {
        var world = World.virtual();
        errors = 0;
        world.run(
                () -> {
                    var all = new ArrayList<Coroutine<?>>();
                    int count = 2 + random.nextInt(COROUTINES_MAX - 1);
                    for (int i = 0; i < count; i++) {
                        var targets = targets(random, i, acyclic ? i : count);
                        int pauses = random.nextInt(4);
                        int manner = random.nextInt(4);
                        all.add(spawn("c" + i, () -> live(all, targets, pauses, manner)));
                    }
                    var timer = spawn(() -> delay(HOUR));
                    for (var each : all) {
                        each.awaitOutcome();
                    }
                    assertEquals(Duration.ZERO, world.elapsed(), message);
                    timer.cancel();
                });
        assertEquals(List.of(), world.reports(), message);
        return errors;
    }

    private static List<Integer> targets(Random random, int self, int below) {
        var targets = new ArrayList<Integer>();
        int wanted = 1 + random.nextInt(3);
        for (int i = 0; i < wanted && below > 0; i++) {
            int target = random.nextInt(below);
            if (target != self) {
                targets.add(target);
            }
        }
        return targets;
    }

    private void live(List<Coroutine<?>> all, List<Integer> targets, int pauses, int manner) {
        for (int i = 0; i < pauses; i++) {
            suspend();
        }
        if (targets.isEmpty()) {
            return;
        }
        var awaited = targets.stream().<Coroutine<?>>map(all::get).toList();
        try {
            switch (manner) {
                case 0 -> await(awaited.getFirst());
                case 1 -> awaitAny(awaited);
                case 2 -> awaitSettled(awaited);
                default -> Scope.run(_ -> awaited.forEach(each -> spawn(() -> await(each))));
            }
        } catch (DeadlockError deadlock) {
            errors++;
        }
    }
}
