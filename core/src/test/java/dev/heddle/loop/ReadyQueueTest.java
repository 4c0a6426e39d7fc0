package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// First in, first out, and a task waits in it only once.
///
/// **Thread:** owner (the test runner).
final class ReadyQueueTest {
    private final ReadyQueue queue = new ReadyQueue();

    @Test
    void anEmptyQueueHasNothing() {
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.size());
        assertNull(queue.poll());
    }

    @Test
    void tasksComeOutInTheOrderTheyWentIn() {
        var tasks = List.of(task("a"), task("b"), task("c"));
        tasks.forEach(queue::add);

        assertEquals(3, queue.size());
        assertEquals(tasks, pollAll());
        assertTrue(queue.isEmpty());
    }

    @Test
    void aTaskThatIsPutFirstComesBeforeTheOthers() {
        var first = task("first");
        var second = task("second");
        var third = task("third");
        queue.addFirst(second);
        queue.add(third);
        queue.addFirst(first);

        assertEquals(List.of(first, second, third), pollAll());
    }

    @Test
    void aChainIsAddedInOneStep() {
        var before = task("before");
        var chain = List.of(task("a"), task("b"), task("c"));
        var after = task("after");
        queue.add(before);
        chain.get(0).next = chain.get(1);
        chain.get(1).next = chain.get(2);
        queue.addAll(chain.get(0), chain.get(2), 3);
        queue.add(after);

        assertEquals(5, queue.size());
        assertEquals(List.of(before, chain.get(0), chain.get(1), chain.get(2), after), pollAll());
    }

    @Test
    void aChainMayBeTheFirstThingInTheQueue() {
        var only = task("only");
        queue.addAll(only, only, 1);

        assertFalse(queue.isEmpty());
        assertEquals(List.of(only), pollAll());
    }

    @Test
    void aTaskMayBeQueuedAgainOnceItIsOut() {
        var task = task("again");
        for (int i = 0; i < 3; i++) {
            queue.add(task);
            assertEquals(List.of(task), pollAll());
        }
    }

    // Only with assertions, as tests are run: on the loop it would cost a look at every task.
    @Test
    void aTaskThatWaitsAlreadyIsNoticed() {
        var first = task("first");
        var last = task("last");
        queue.add(first);
        queue.add(last);

        for (var waiting : List.of(first, last)) {
            var noticed = assertThrows(IllegalStateException.class, () -> queue.add(waiting));
            assertTrue(noticed.getMessage().contains(waiting.toString()), noticed::getMessage);
            assertThrows(IllegalStateException.class, () -> queue.addFirst(waiting));
        }
        assertEquals(List.of(first, last), pollAll());
    }

    @Test
    void aRandomUseIsThatOfADeque() {
        long seed = LoopFixture.seed();
        var random = new Random(seed);
        var model = new ArrayDeque<Task>();
        for (int step = 0; step < 10_000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    var task = task("" + step);
                    queue.add(task);
                    model.add(task);
                }
                case 1 -> {
                    var task = task("" + step);
                    queue.addFirst(task);
                    model.addFirst(task);
                }
                default -> assertEquals(model.poll(), queue.poll(), () -> "seed " + seed);
            }
            assertEquals(model.size(), queue.size());
            assertEquals(model.isEmpty(), queue.isEmpty());
        }
        assertEquals(List.copyOf(model), pollAll());
    }

    private List<Task> pollAll() {
        var all = new ArrayList<Task>();
        for (var task = queue.poll(); task != null; task = queue.poll()) {
            all.add(task);
        }
        return all;
    }

    private static Task task(String name) {
        return new Task() {
            @Override
            protected void run() {
                throw new AssertionError("a queue does not run its tasks");
            }

            @Override
            public String toString() {
                return "task " + name;
            }
        };
    }
}
