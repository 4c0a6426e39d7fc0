package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Leaving an event from any place in its list.
final class EventRemovalTest extends EventTestCase {
    private static final int MANY = 100_000;

    EventRemovalTest() {
        super(Backend.SIM);
    }

    @Test
    void whoeverLeavesInWhateverOrderTheRestKeepsItsOwn() {
        var numbers = List.of(0, 1, 2, 3, 4, 5);
        for (var order : orders(numbers)) {
            var event = Probe.forgetful(loop, "e");
            var callbacks = new ArrayList<Noting<String>>();
            for (int number : numbers) {
                var callback = new Noting<String>(trail, "" + number);
                callbacks.add(callback);
                event.subscribe(callback);
            }
            var model = new ArrayList<>(numbers);
            for (Integer leaving : order) {
                assertTrue(event.unsubscribe(callbacks.get(leaving)));
                model.remove(leaving);
                event.happen("x");
                assertTrail(model.stream().map(each -> each + ":x").toArray(String[]::new));
            }
            assertFalse(event.hasSubscribers());
        }
    }

    // A neighbour is all that a removal touches: with its links taken away from everybody else, it
    // still succeeds. A search through the list would fail on the way.
    @Test
    void leavingTouchesNobodyButTheNeighbours() {
        var event = Probe.forgetful(loop, "e");
        var callbacks = new ArrayList<Noting<String>>();
        for (int i = 0; i < 9; i++) {
            var callback = new Noting<String>(trail, "" + i);
            callbacks.add(callback);
            event.subscribe(callback);
        }
        for (int far : new int[] {1, 2, 6, 7}) {
            callbacks.get(far).next = null;
            callbacks.get(far).previous = null;
        }

        assertTrue(event.unsubscribe(callbacks.get(4)));

        assertEquals(callbacks.get(5), callbacks.get(3).next);
        assertEquals(callbacks.get(3), callbacks.get(5).previous);
    }

    @Test
    void aHundredThousandLeaveInAnyOrder() {
        var event = Probe.forgetful(loop, "e");
        var callbacks = new ArrayList<Callback<String>>();
        for (int i = 0; i < MANY; i++) {
            callbacks.add(event.subscribe((_, _) -> trail.add("called")));
        }
        var first = callbacks.getFirst();
        var last = callbacks.getLast();
        var middle = callbacks.subList(1, MANY - 1);
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Collections.shuffle(middle, new Random(seed));

        for (var callback : middle) {
            assertTrue(event.unsubscribe(callback));
        }

        event.happen("x");
        assertTrail("called", "called");
        assertEquals(last, first.next);
        assertEquals(first, last.previous);
    }

    private static List<List<Integer>> orders(List<Integer> numbers) {
        if (numbers.isEmpty()) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<Integer>>();
        for (Integer first : numbers) {
            var rest = new ArrayList<>(numbers);
            rest.remove(first);
            for (var order : orders(rest)) {
                var whole = new ArrayList<Integer>(List.of(first));
                whole.addAll(order);
                all.add(whole);
            }
        }
        return all;
    }
}
