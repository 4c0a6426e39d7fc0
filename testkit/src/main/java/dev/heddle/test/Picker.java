package dev.heddle.test;

import dev.heddle.loop.Order;
import dev.heddle.loop.Task;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// Chooses the next task as a [Schedule] says, and keeps the trace of it.
///
/// **Thread:** loop.
final class Picker implements Order {
    private final Order order;
    private final Trace trace;
    private final LongSupplier clock;

    Picker(Schedule schedule, RandomGenerator random, Trace trace, LongSupplier clock) {
        order =
                switch (schedule) {
                    case RANDOM -> ready -> random.nextInt(ready.size());
                    case PCT -> new Pct(random);
                    case FIFO, AUTO ->
                            throw new IllegalArgumentException("the loop's own order: " + schedule);
                };
        this.trace = trace;
        this.clock = clock;
    }

    @Override
    public int next(List<? extends Task> ready) {
        int index = order.next(ready);
        trace.chose(clock.getAsLong(), ready.get(index).number(), index, ready.size());
        return index;
    }
}
