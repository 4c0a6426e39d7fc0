package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.iterate;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/// One coroutine for each item, a few at a time.
final class Looping {
    private Looping() {}

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    static final class NeverMoreThanAllowed extends Story {
        private int now;
        private int most;
        private int done;

        @Override
        public void run(TestWorld world) {
            iterate(upTo(8), 3, item -> busy(() -> visit(world.random().nextInt(3))));
        }

        private void visit(int millis) {
            now++;
            most = Math.max(most, now);
            try {
                delay(ms(millis));
                done++;
            } finally {
                now--;
            }
        }

        @Override
        void expect() {
            assertEquals(8, done);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertTrue(most <= 3, most + " at a time");
            assertEquals(0, now);
        }
    }

    static final class ResultsAreInTheOrderOfTheItems extends Story {
        @Override
        public void run(TestWorld world) {
            var squares =
                    mapEach(
                            upTo(6),
                            4,
                            item -> {
                                busy(() -> delay(ms(6 - item)));
                                return item * item;
                            });
            say(squares.toString());
        }

        @Override
        void expect() {
            assertEquals("[[0, 1, 4, 9, 16, 25]]", trail.toString());
        }
    }

    static final class FirstFailureEndsTheRest extends Story {
        private int finished;

        @Override
        public void run(TestWorld world) {
            try {
                iterate(upTo(100), 4, item -> busy(() -> step(item)));
            } catch (Planned failure) {
                say(String.valueOf(failure.getMessage()));
            }
        }

        private void step(int item) {
            delay(ms(1 + item));
            if (item == 2) {
                throw new Planned("third");
            }
            finished++;
        }

        @Override
        void expect() {
            assertEquals("[third]", trail.toString());
            assertTrue(finished < 10, finished + " went on");
        }
    }

    static final class SourceThatNeverEndsAndWaits extends Story {
        private int asked;
        private int taken;

        @Override
        public void run(TestWorld world) {
            Iterable<Integer> endless = () -> new Counter();
            try {
                iterate(endless, 2, item -> busy(() -> take(item)));
            } catch (Planned full) {
                say(String.valueOf(full.getMessage()));
            }
        }

        private void take(int item) {
            suspend();
            taken++;
            if (item >= 5) {
                throw new Planned("enough");
            }
        }

        private final class Counter implements Iterator<Integer> {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                delay(ms(1));
                return asked++;
            }
        }

        @Override
        void expect() {
            assertEquals("[enough]", trail.toString());
            assertTrue(asked <= 8, asked + " asked for");
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertTrue(taken <= asked);
        }
    }

    static final class LoopInALoop extends Story {
        @Override
        public void run(TestWorld world) {
            var sums =
                    mapEach(
                            upTo(3),
                            2,
                            row ->
                                    mapEach(upTo(3), 2, column -> cell(row, column)).stream()
                                            .mapToInt(Integer::intValue)
                                            .sum());
            say(sums.toString());
        }

        private int cell(int row, int column) {
            busy(() -> delay(ms(1)));
            return row * column;
        }

        @Override
        void expect() {
            assertEquals("[[0, 3, 6]]", trail.toString());
        }
    }

    static final class OneAtATimeIsInOrder extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var other = spawn(() -> busy(() -> delay(ms(2))));
                        mapEach(
                                upTo(4),
                                1,
                                item -> {
                                    suspend();
                                    say("" + item);
                                    return item;
                                });
                        other.awaitOutcome();
                    });
        }

        @Override
        void expect() {
            assertEquals("[0, 1, 2, 3]", trail.toString());
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(upTo(trail.size()).stream().map(String::valueOf).toList(), trail);
        }
    }
}
