package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.heddle.reactor.SimReactor;
import dev.heddle.test.Choices;
import dev.heddle.test.Property;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Timers that are due when they are armed stand in a line, the others in a heap, and nobody can
/// tell from the order.
///
/// **Thread:** owner (the test runner).
final class TimerQueueTest {
    private record Entry(Timer timer, long deadline, int order) {}

    private enum Step {
        TAKE,
        ARM,
        ARM_DUE,
        ARM_FAR,
        STOP,
        RESTART
    }

    private static final int STEPS = 60;

    private TimerQueue queue = new TimerQueue();
    private final List<Entry> model = new ArrayList<>();
    private Loop loop;
    private int order;
    private long now;

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
    @Tag("PB-04")
    void theOrderIsThatOfASortedListWhateverIsArmedAndStopped() {
        Property.named("the order is that of a sorted list")
                .tries(Depth.of(10_000, 500_000))
                .check(
                        choices -> {
                            queue = new TimerQueue();
                            model.clear();
                            now = 0;
                            choices.repeat(0, STEPS, () -> step(choices));
                            choices.note("the rest");
                            takeDue(Long.MAX_VALUE, Integer.MAX_VALUE);
                            assertEquals(0, queue.size());
                        });
    }

    private void step(Choices choices) {
        switch (choices.named("step").oneOf(Step.values())) {
            case TAKE -> {
                now += choices.named("later by").intBetween(0, 2);
                takeDue(now, choices.named("at most").intBetween(0, 5));
            }
            case ARM -> {
                long soon = Math.max(0, now + choices.named("in").intBetween(-3, 20));
                arm(soon, now);
            }
            case ARM_DUE -> arm(now, now);
            case ARM_FAR -> arm(choices.named("at").longBetween(0, Long.MAX_VALUE - 1), now);
            case STOP -> stopOne(choices);
            case RESTART -> restartOne(choices);
        }
        assertEquals(model.size(), queue.size());
        assertEquals(
                model.stream().mapToLong(Entry::deadline).min().orElse(Long.MAX_VALUE),
                queue.earliest());
    }

    private Timer arm(long deadline, long now) {
        var timer = loop.timer(() -> {});
        queue.add(timer, deadline, now);
        model.add(new Entry(timer, deadline, order++));
        return timer;
    }

    private void stopOne(Choices choices) {
        if (!model.isEmpty()) {
            queue.remove(takeOne(choices).timer());
        }
    }

    private void restartOne(Choices choices) {
        if (!model.isEmpty()) {
            var timer = takeOne(choices).timer();
            queue.remove(timer);
            long deadline = Math.max(0, now + choices.named("in").intBetween(-3, 20));
            queue.add(timer, deadline, now);
            model.add(new Entry(timer, deadline, order++));
        }
    }

    private Entry takeOne(Choices choices) {
        return model.remove(choices.named("which").intBetween(0, model.size() - 1));
    }

    private void takeDue(long until, int most) {
        model.sort(Comparator.comparingLong(Entry::deadline).thenComparingInt(Entry::order));
        for (int i = 0; i < most; i++) {
            boolean due = !model.isEmpty() && model.getFirst().deadline() <= until;
            assertSame(due ? model.removeFirst().timer() : null, queue.pollDue(until));
            if (!due) {
                return;
            }
        }
    }
}
