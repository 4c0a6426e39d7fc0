package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/// Timers that are due when they are armed stand in a line, the others in a heap, and nobody can
/// tell from the order.
///
/// **Thread:** owner (the test runner).
final class TimerQueueTest {
    private record Entry(Timer timer, long deadline, int order) {}

    private final TimerQueue queue = new TimerQueue();
    private final List<Entry> model = new ArrayList<>();
    private Loop loop;
    private int order;

    @BeforeEach
    void openLoop() throws IOException {
        var sim = new SimReactor();
        loop = Loop.open(LoopOptions.defaults().reactor(sim, sim::nanos));
    }

    @AfterEach
    void closeLoop() {
        loop.close();
    }

    @Test
    void anEmptyQueueHasNothing() {
        assertEquals(0, queue.size());
        assertEquals(Long.MAX_VALUE, queue.earliest());
        assertNull(queue.pollDue(Long.MAX_VALUE));
    }

    @Test
    void whatWasDueWhenItWasArmedComesAfterEqualDeadlinesThatWereArmedBefore() {
        var early = arm(10, 5);
        var late = arm(10, 10);
        assertEquals(List.of(early, late), List.of(queue.pollDue(10), queue.pollDue(10)));
    }

    @Test
    void anEarlierDeadlineThanTheLastOneInTheLineStillComesFirst() {
        var second = arm(10, 10);
        var third = arm(12, 12);
        var first = arm(5, 12);
        assertEquals(
                List.of(first, second, third),
                List.of(queue.pollDue(12), queue.pollDue(12), queue.pollDue(12)));
    }

    @Test
    void armingAndStoppingForEverWithinATurnTakesNoMoreRoom() {
        var kept = arm(0, 0);
        var one = arm(0, 0);
        var other = arm(0, 0);
        for (int i = 0; i < 100_000; i++) {
            queue.remove(one);
            queue.add(one, 0, 0);
            queue.remove(other);
            queue.add(other, 0, 0);
        }
        assertEquals(3, queue.size());
        assertEquals(
                List.of(kept, one, other),
                List.of(queue.pollDue(0), queue.pollDue(0), queue.pollDue(0)));
    }

    @Test
    void theOrderIsThatOfASortedListWhateverIsArmedAndStopped() {
        long seed = LoopFixture.seed();
        var random = new Random(seed);
        long now = 0;
        for (int step = 0; step < 50_000; step++) {
            switch (random.nextInt(5)) {
                case 0 -> arm(now, now);
                case 1 -> arm(Math.max(0, now - random.nextInt(4)), now);
                case 2 -> arm(now + random.nextInt(20), now);
                case 3 -> stopOne(random);
                default -> {
                    now += random.nextInt(3);
                    takeAll(now, random.nextInt(6));
                }
            }
            assertEquals(model.size(), queue.size(), "seed " + seed);
        }
        takeAll(Long.MAX_VALUE, Integer.MAX_VALUE);
        assertEquals(0, queue.size());
    }

    private Timer arm(long deadline, long now) {
        var timer = loop.timer(() -> {});
        queue.add(timer, deadline, now);
        model.add(new Entry(timer, deadline, order++));
        return timer;
    }

    private void stopOne(Random random) {
        if (!model.isEmpty()) {
            queue.remove(model.remove(random.nextInt(model.size())).timer());
        }
    }

    private void takeAll(long now, int most) {
        model.sort(Comparator.comparingLong(Entry::deadline).thenComparingInt(Entry::order));
        for (int i = 0; i < most; i++) {
            boolean due = !model.isEmpty() && model.getFirst().deadline() <= now;
            assertEquals(due ? model.removeFirst().timer() : null, queue.pollDue(now));
            if (!due) {
                return;
            }
        }
    }
}
