package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.Choices;
import dev.heddle.test.Property;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Random programs of coroutines that wait for nothing but each other, beside a timer that never
/// lets the loop come to a standstill.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeadlockModelTest {
    private static final int PROGRAMS = 1500;
    private static final int COROUTINES_MAX = 14;
    private static final Duration HOUR = Duration.ofHours(1);

    private enum Manner {
        FIRST,
        ANY,
        ALL,
        IN_A_BLOCK
    }

    /// How many coroutines got an error.
    private int errors;

    @Test
    void everybodyEndsAtOnceByAValueOrByADeadlock() {
        Property.named("everybody ends at once")
                .tries(PROGRAMS)
                .check(choices -> run(choices, false));
        assertTrue(errors > PROGRAMS, "the programs are no test: " + errors);
    }

    @Test
    void whereEverybodyWaitsOnlyForOlderOnesThereIsNoDeadlock() {
        Property.named("no deadlock without a cycle")
                .tries(PROGRAMS)
                .check(
                        choices -> {
                            errors = 0;
                            run(choices, true);
                            assertEquals(0, errors);
                        });
    }

    private void run(Choices choices, boolean acyclic) {
        var world = World.virtual();
        int count = choices.named("coroutines").intBetween(2, COROUTINES_MAX);
        world.run(
                () -> {
                    var all = new ArrayList<Coroutine<?>>();
                    for (int i = 0; i < count; i++) {
                        var targets = targets(choices, i, acyclic ? i : count);
                        int pauses = choices.named("pauses").intBetween(0, 3);
                        var manner = choices.named("manner").oneOf(Manner.values());
                        all.add(spawn("c" + i, () -> live(all, targets, pauses, manner)));
                    }
                    var timer = spawn(() -> delay(HOUR));
                    for (var each : all) {
                        each.awaitOutcome();
                    }
                    assertEquals(Duration.ZERO, world.elapsed());
                    timer.cancel();
                });
        assertEquals(List.of(), world.reports());
    }

    /// {@return for whom the coroutine waits: not for itself}
    private static List<Integer> targets(Choices choices, int self, int below) {
        var others = IntStream.range(0, below).filter(each -> each != self).boxed().toList();
        return others.isEmpty()
                ? List.of()
                : choices.named("c" + self + " waits for").listOf(0, 3, c -> c.oneOf(others));
    }

    private void live(List<Coroutine<?>> all, List<Integer> targets, int pauses, Manner manner) {
        for (int i = 0; i < pauses; i++) {
            suspend();
        }
        if (targets.isEmpty()) {
            return;
        }
        var awaited = targets.stream().<Coroutine<?>>map(all::get).toList();
        try {
            switch (manner) {
                case FIRST -> await(awaited.getFirst());
                case ANY -> awaitAny(awaited);
                case ALL -> awaitSettled(awaited);
                case IN_A_BLOCK ->
                        Scope.run(_ -> awaited.forEach(each -> spawn(() -> await(each))));
            }
        } catch (DeadlockError deadlock) {
            errors++;
        }
    }
}
