package dev.heddle.test;

import dev.heddle.loop.Order;
import dev.heddle.loop.Task;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
/// What is no coroutine, the loop's own tasks, has one priority together.
///
/// **Thread:** loop.
final class Pct implements Order {
    private static final int DEPTH = 3;
    private static final int HORIZON_BITS_MIN = 3;
    private static final int HORIZON_BITS_MAX = 12;

    // A coroutine that only lets others run, in a loop, would stay in front for ever.
    private static final int STRAIGHT_MAX = 256;

    private final RandomGenerator random;
    private final Map<Long, Double> priorities = new HashMap<>();
    private final Set<Integer> changes = new HashSet<>();
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
        int index = highest(ready);
        if (changes.contains(step) || isTooLong(ready.get(index).number(), ready.size())) {
            priorities.put(ready.get(index).number(), lowest--);
            index = highest(ready);
        }
        step++;
        lastNumber = ready.get(index).number();
        return index;
    }

    private boolean isTooLong(long number, int count) {
        straight = number == lastNumber && count > 1 ? straight + 1 : 0;
        if (straight < STRAIGHT_MAX) {
            return false;
        }
        straight = 0;
        return true;
    }

    private int highest(List<? extends Task> ready) {
        int best = 0;
        for (int i = 1; i < ready.size(); i++) {
            if (priority(ready.get(i)) > priority(ready.get(best))) {
                best = i;
            }
        }
        return best;
    }

    private double priority(Task task) {
        return priorities.computeIfAbsent(task.number(), _ -> random.nextDouble());
    }
}
