package dev.heddle.test;

import dev.heddle.loop.Order;
import dev.heddle.loop.Task;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;

/// The ready coroutine with the highest priority runs; priorities are random, and at a few random
/// steps the one that would run falls behind all others.
///
/// A bug that needs `d` steps in a certain order is found with a probability of at least 1 in n *
/// k^(d-1), for n coroutines and k steps. The paper takes k from an earlier run. A seed must say
/// everything here, so the horizon in which changes fall is itself drawn, from a few steps to a few
/// thousand.
///
/// What is no coroutine, the loop's own tasks, has one priority together; which of these is next is
/// drawn.
///
/// **Thread:** loop.
final class Pct implements Order {
    /*
     * A hundred thousand may be ready, so nobody looks at all of them for each step. `places` is a copy
     * of the list, kept as Order says that the list changes; of its entries those of coroutines are in a
     * heap, and the others in a list.
     */
    private static final int DEPTH = 3;
    private static final int HORIZON_BITS_MIN = 3;
    private static final int HORIZON_BITS_MAX = 12;
    private static final long NO_COROUTINE = 0;

    // A coroutine that only lets others run, in a loop, would stay in front for ever.
    private static final int STRAIGHT_MAX = 256;

    /// A ready task.
    private static final class Entry {
        final Task task;
        double priority;
        int place;

        Entry(Task task, double priority, int place) {
            this.task = task;
            this.priority = priority;
            this.place = place;
        }

        double priority() {
            return priority;
        }
    }

    private final RandomGenerator random;
    private final Map<Long, Double> priorities = new HashMap<>();
    private final Set<Integer> changes = new HashSet<>();
    private final List<Entry> places = new ArrayList<>();
    private final PriorityQueue<Entry> coroutines =
            new PriorityQueue<>(Comparator.comparingDouble(Entry::priority).reversed());
    private final List<Entry> others = new ArrayList<>();
    private int step;
    private long lastNumber = -1;
    private int straight;
    private double lowest = -1;

    Pct(RandomGenerator random) {
        this.random = random;
        int horizon = 1 << random.nextInt(HORIZON_BITS_MIN, HORIZON_BITS_MAX + 1);
        for (int i = 1; i < DEPTH; i++) {
            changes.add(random.nextInt(horizon));
        }
    }

    @Override
    public int next(List<? extends Task> ready) {
        for (int i = places.size(); i < ready.size(); i++) {
            add(ready.get(i), i);
        }
        long number = highest();
        if (changes.contains(step) || isTooLong(number, ready.size())) {
            fallBehind(number);
            number = highest();
        }
        step++;
        lastNumber = number;
        var picked = number == NO_COROUTINE ? takeOther() : coroutines.remove();
        assert ready.get(picked.place) == picked.task : "the list changed in another way";
        leave(picked);
        return picked.place;
    }

    private void add(Task task, int place) {
        var entry = new Entry(task, priority(task.number()), place);
        places.add(entry);
        (task.number() == NO_COROUTINE ? others : coroutines).add(entry);
    }

    private void leave(Entry picked) {
        var last = places.removeLast();
        if (last != picked) {
            places.set(picked.place, last);
            last.place = picked.place;
        }
    }

    /// {@return the number of the task, or tasks, with the highest priority}
    private long highest() {
        var first = coroutines.peek();
        boolean isOther =
                !others.isEmpty() && (first == null || priority(NO_COROUTINE) > first.priority);
        return isOther || first == null ? NO_COROUTINE : first.task.number();
    }

    private void fallBehind(long number) {
        priorities.put(number, lowest);
        if (number != NO_COROUTINE) {
            var first = coroutines.remove();
            first.priority = lowest;
            coroutines.add(first);
        }
        lowest--;
    }

    private Entry takeOther() {
        int index = others.size() == 1 ? 0 : random.nextInt(others.size());
        var taken = others.get(index);
        var last = others.removeLast();
        if (last != taken) {
            others.set(index, last);
        }
        return taken;
    }

    private boolean isTooLong(long number, int count) {
        straight = number == lastNumber && count > 1 ? straight + 1 : 0;
        if (straight < STRAIGHT_MAX) {
            return false;
        }
        straight = 0;
        return true;
    }

    private double priority(long number) {
        return priorities.computeIfAbsent(number, _ -> random.nextDouble());
    }
}
