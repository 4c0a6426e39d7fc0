package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.loop.Task;

import org.junit.jupiter.api.Test;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/// What a step costs when many are ready: the same as when few are.
class PctStepsTest {
    private static final int TASKS = 10_000;

    private static final class Numbered extends Task {
        private final long number;

        Numbered(long number) {
            this.number = number;
        }

        @Override
        protected void run() {}

        @Override
        public long number() {
            return number;
        }
    }

    /// Changes as the list that an order is given does, and counts who looks.
    private static final class Ready extends AbstractList<Task> {
        private final List<Task> tasks = new ArrayList<>();
        private int looks;

        @Override
        public Task get(int index) {
            looks++;
            return tasks.get(index);
        }

        @Override
        public int size() {
            return tasks.size();
        }

        Task take(int index) {
            Task taken = tasks.get(index);
            Task last = tasks.removeLast();
            if (last != taken) {
                tasks.set(index, last);
            }
            return taken;
        }
    }

    @Test
    void eachTaskIsLookedAtAFewTimesHoweverManyAreReady() {
        var pct = new Pct(new SplittableRandom(7));
        var ready = new Ready();
        for (int i = 0; i < TASKS; i++) {
            // Every fourth is no coroutine.
            ready.tasks.add(new Numbered(i % 4 == 0 ? 0 : i));
        }
        var taken = new HashSet<Task>();
        while (!ready.isEmpty()) {
            taken.add(ready.take(pct.next(ready)));
        }
        assertEquals(TASKS, taken.size());
        assertThat(ready.looks).isLessThanOrEqualTo(4 * TASKS);
    }

    @Test
    void aCoroutineKeepsItsPriorityWhenItIsReadyAgain() {
        var pct = new Pct(new SplittableRandom(7));
        var ready = new Ready();
        for (int i = 1; i <= 3; i++) {
            ready.tasks.add(new Numbered(i));
        }
        // Past the few steps at which priorities change.
        long last = 0;
        int changes = 0;
        for (int i = 0; i < 200; i++) {
            Task taken = ready.take(pct.next(ready));
            changes += taken.number() == last ? 0 : 1;
            last = taken.number();
            ready.tasks.add(taken);
        }
        assertThat(changes).isBetween(1, 3);
    }
}
