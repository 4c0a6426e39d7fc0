package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/// A queue of room for three against a list: the right one passes, and of the wrong one the
/// shortest story is told.
final class CommandsTest {
    private static final int CAPACITY = 3;

    /// A queue in an array. The wrong one forgets to wrap around where it takes.
    private static final class Ring {
        private final int[] slots = new int[CAPACITY];
        private final boolean wrong;
        private int head;
        private int size;

        Ring(boolean wrong) {
            this.wrong = wrong;
        }

        void add(int value) {
            slots[(head + size) % CAPACITY] = value;
            size++;
        }

        int take() {
            int value = slots[head];
            head = wrong && head == CAPACITY - 1 ? head : (head + 1) % CAPACITY;
            size--;
            return value;
        }
    }

    private record Add(int value) implements Command<List<Integer>, Ring> {
        @Override
        public boolean isPossible(List<Integer> model) {
            return model.size() < CAPACITY;
        }

        @Override
        public void run(List<Integer> model, Ring ring) {
            model.addLast(value);
            ring.add(value);
        }
    }

    private record Take() implements Command<List<Integer>, Ring> {
        @Override
        public boolean isPossible(List<Integer> model) {
            return !model.isEmpty();
        }

        @Override
        public void run(List<Integer> model, Ring ring) {
            assertEquals(model.removeFirst(), ring.take());
        }
    }

    private static final Commands<List<Integer>, Ring> COMMANDS =
            Commands.<List<Integer>, Ring>none()
                    .with(2, (choices, _) -> new Add(choices.intBetween(0, 9)))
                    .with(1, (_, _) -> new Take())
                    .afterEach((model, ring) -> assertEquals(model.size(), ring.size));

    @Test
    void whatBehavesLikeItsModelPasses() {
        Property.named("a ring is a queue")
                .check(choices -> COMMANDS.run(choices, 50, new ArrayList<>(), new Ring(false)));
    }

    // Four must be added, for the fourth to stand in the first slot again, and all be taken.
    @ParameterizedTest
    @ValueSource(longs = {1, 22, 333, 4444, 55555})
    void theShortestListOfCommandsThatFailsIsFound(long seed) {
        var property = Property.named("a ring is a queue").seed(seed);
        var report =
                assertThrows(
                        AssertionError.class,
                        () ->
                                property.check(
                                        choices ->
                                                COMMANDS.run(
                                                        choices,
                                                        50,
                                                        new ArrayList<>(),
                                                        new Ring(true))));
        var story = report.getMessage().lines().filter(line -> line.startsWith("    "));
        assertEquals(
                List.of(
                        "Add[value=0]",
                        "Add[value=0]",
                        "Add[value=0]",
                        "Take[]",
                        "Add[value=1]",
                        "Take[]",
                        "Take[]",
                        "Take[]"),
                story.map(String::strip).toList(),
                report::getMessage);
    }

    @Test
    void theCheckAlsoHoldsBeforeTheFirstCommand() {
        var wrong = COMMANDS.afterEach((model, _) -> assertEquals(1, model.size()));
        var property = Property.named("never empty");
        var report =
                assertThrows(
                        AssertionError.class,
                        () ->
                                property.check(
                                        choices ->
                                                wrong.run(
                                                        choices,
                                                        9,
                                                        new ArrayList<>(),
                                                        new Ring(false))));
        assertThat(report.getMessage()).contains("in 0 attempts:\nbecause of");
    }

    @Test
    void badInputIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> COMMANDS.with(0, (_, _) -> new Take()));
        var none = Commands.<List<Integer>, Ring>none();
        var choices = new Choices(Tape.random(1), false);
        var refused =
                assertThrows(
                        IllegalStateException.class,
                        () -> none.run(choices, 9, new ArrayList<>(), new Ring(false)));
        assertThat(refused).hasMessageContaining("no commands");
        assertThrows(
                IllegalArgumentException.class,
                () -> COMMANDS.run(choices, -1, new ArrayList<>(), new Ring(false)));
    }
}
