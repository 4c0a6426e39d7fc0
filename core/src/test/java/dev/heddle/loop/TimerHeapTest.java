package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.SimReactor;
import dev.heddle.test.Choices;
import dev.heddle.test.Property;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The order of the heap, and that each timer knows its place in it.
///
/// **Thread:** owner (the test runner).
final class TimerHeapTest {
    private final SimReactor reactor = new SimReactor();
    private final Engine engine =
            new Engine(LoopOptions.defaults().reactor(reactor, reactor::nanos), reactor);
    private TimerHeap heap = new TimerHeap();
    private final List<Entry> model = new ArrayList<>();
    private long sequence;

    private record Entry(long deadline, long sequence, Timer timer) {}

    @AfterEach
    void close() {
        reactor.close();
    }

    @Test
    void anEmptyHeapHasNoDeadline() {
        assertEquals(0, heap.size());
        assertEquals(Long.MAX_VALUE, heap.earliest());
        assertNull(heap.pollDue(Long.MAX_VALUE));
    }

    @Test
    void onlyWhatIsDueIsTaken() {
        var timer = add(10);
        assertNull(heap.pollDue(9));
        assertEquals(1, heap.size());

        assertSame(timer, heap.pollDue(10));
        assertEquals(0, heap.size());
        assertEquals(-1, timer.place);
    }

    @Test
    void equalDeadlinesComeInTheOrderOfAdding() {
        var added = new ArrayList<Timer>();
        for (int i = 0; i < 100; i++) {
            added.add(add(7));
        }
        assertEquals(added, takeAll());
    }

    @Test
    void deadlinesFromZeroToTheLatestAreInOrder() {
        var latest = add(Long.MAX_VALUE - 1);
        var middle = add(Long.MAX_VALUE / 2);
        var zero = add(0);

        assertEquals(0, heap.earliest());
        assertEquals(List.of(zero, middle, latest), takeAll());
    }

    @Test
    void removalFromAnyPlaceKeepsTheOrder() {
        for (int size = 1; size <= 30; size++) {
            for (int victim = 0; victim < size; victim++) {
                removeOneOf(size, victim);
            }
        }
    }

    // Removals leave holes; a look at the first sweeps them out if they are many, or takes those at
    // the top away one by one. Both happen here, and neither, for long.
    @Test
    @Tag("PB-04")
    void randomAddsAndRemovalsKeepTheOrder() {
        Property.named("adds and removals keep the order")
                .tries(Depth.of(10_000, 1_000_000))
                .check(
                        choices -> {
                            heap = new TimerHeap();
                            model.clear();
                            choices.repeat(0, 60, () -> addOrRemove(choices));
                            model.sort(
                                    Comparator.comparingLong(Entry::deadline)
                                            .thenComparingLong(Entry::sequence));
                            assertEquals(model, takeAll().stream().map(this::entryOf).toList());
                        });
    }

    private void addOrRemove(Choices choices) {
        int step = model.isEmpty() ? 0 : choices.named("step").weighted(4, 3, 1);
        if (step == 0) {
            long deadline = choices.named("add").longBetween(0, 99);
            model.add(new Entry(deadline, sequence, add(deadline)));
        } else if (step == 1) {
            int index = choices.named("remove").intBetween(0, model.size() - 1);
            heap.remove(model.remove(index).timer);
        } else {
            assertEquals(
                    model.stream().mapToLong(Entry::deadline).min().orElseThrow(), heap.earliest());
        }
        assertEquals(model.size(), heap.size());
    }

    @Test
    void aCrowdThatIsRemovedInOrderLeavesTheOthersInOrder() {
        var crowd = new ArrayList<Timer>();
        var others = new ArrayList<Timer>();
        for (int i = 0; i < 1_000; i++) {
            crowd.add(add(i));
            if (i % 10 == 0) {
                others.add(add(i));
            }
        }

        crowd.forEach(heap::remove);

        assertEquals(others.size(), heap.size());
        assertEquals(0, heap.earliest());
        assertEquals(others, takeAll());
    }

    private Entry entryOf(Timer timer) {
        return model.stream().filter(entry -> entry.timer == timer).findAny().orElseThrow();
    }

    @Test
    void forEachSeesEveryTimerOnceAndMayRemove() {
        Set<Timer> added = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            added.add(add(50 - i));
        }
        var seen = new ArrayList<Timer>();

        heap.forEach(
                timer -> {
                    seen.add(timer);
                    heap.remove(timer);
                });

        assertEquals(added, Set.copyOf(seen));
        assertEquals(added.size(), seen.size());
        assertEquals(0, heap.size());
    }

    @Test
    void aTimerThatWasTakenMayBeAddedAgain() {
        var timer = add(1);
        heap.remove(timer);
        heap.add(timer, 2, sequence++);

        assertEquals(2, heap.earliest());
        assertEquals(List.of(timer), takeAll());
    }

    private void removeOneOf(int size, int victim) {
        var random = new Random(31L * size + victim);
        var added = new ArrayList<Timer>();
        var deadlines = new ArrayList<Integer>();
        for (int i = 0; i < size; i++) {
            int deadline = random.nextInt(size);
            deadlines.add(deadline);
            added.add(add(deadline));
        }
        heap.remove(added.get(victim));

        long last = -1;
        for (int left = size - 1; left > 0; left--) {
            long deadline = heap.earliest();
            assertTrue(deadline >= last, () -> "size " + size + ", without " + victim);
            last = deadline;
            int index = added.indexOf(heap.pollDue(Long.MAX_VALUE));
            assertEquals(deadline, (long) deadlines.get(index));
        }
        assertEquals(0, heap.size());
    }

    private Timer add(long deadline) {
        var timer = new Timer(engine, () -> {});
        heap.add(timer, deadline, sequence++);
        return timer;
    }

    private List<Timer> takeAll() {
        var all = new ArrayList<Timer>();
        for (var timer = heap.pollDue(Long.MAX_VALUE);
                timer != null;
                timer = heap.pollDue(Long.MAX_VALUE)) {
            all.add(timer);
        }
        return all;
    }
}
