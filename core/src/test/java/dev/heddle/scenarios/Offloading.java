package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Work on other threads. Bodies touch atomics only: they run beside the loop.
final class Offloading {
    private Offloading() {}

    static final class ValueAndFailureComeBack extends Story {
        @Override
        public void run(TestWorld world) {
            say(offload(() -> "value"));
            try {
                offload(
                        () -> {
                            throw new Planned("on a worker");
                        });
            } catch (Planned failure) {
                say(String.valueOf(failure.getMessage()));
            }
        }

        @Override
        void expect() {
            assertEquals("[value, on a worker]", trail.toString());
        }
    }

    static final class OnAChosenPool extends Story {
        private final AtomicInteger ran = new AtomicInteger();

        @Override
        public void run(TestWorld world) {
            say(offload(Runnable::run, () -> "value"));
            offload(Runnable::run, () -> ran.incrementAndGet() > 0);
            offload(
                    Runnable::run,
                    () -> {
                        ran.incrementAndGet();
                    });
        }

        @Override
        void expect() {
            assertEquals("[value]", trail.toString());
            assertEquals(2, ran.get());
        }
    }

    static final class PoolsOfOneAfterTheOther extends Story {
        private final AtomicInteger ran = new AtomicInteger();

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        for (int i = 0; i < 3; i++) {
                            spawn(() -> offload(Runnable::run, () -> ran.incrementAndGet()));
                            spawn(
                                    () ->
                                            offload(
                                                    Runnable::run,
                                                    () -> {
                                                        ran.incrementAndGet();
                                                    }));
                        }
                    });
        }

        @Override
        void expect() {
            assertEquals(6, ran.get());
        }
    }

    static final class ManyAtOnce extends Story {
        private final AtomicInteger ran = new AtomicInteger();

        @Override
        public void run(TestWorld world) {
            var tens = mapEach(List.of(1, 2, 3, 4), 4, item -> offload(() -> slow(item * 10)));
            say(tens.toString());
        }

        private int slow(int value) {
            ran.incrementAndGet();
            return value;
        }

        @Override
        void expect() {
            assertEquals("[[10, 20, 30, 40]]", trail.toString());
        }

        @Override
        public void verify() {
            assertTrue(ran.get() <= 4);
        }
    }

    /// What was opened on a worker is closed, by whoever gets it.
    static final class ResultIsUsedOrDiscarded extends Story {
        private static final int OPENERS = 6;

        private final AtomicInteger opened = new AtomicInteger();
        private int used;
        private int discarded;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        for (int i = 0; i < OPENERS; i++) {
                            spawn(this::open);
                        }
                    });
            // Not waited for: what was discarded may come later.
            delay(ms(5));
        }

        private void open() {
            int before = opened.get();
            try {
                offload(opened::incrementAndGet, _ -> discard());
                used++;
            } finally {
                if (opened.get() == before) {
                    saw(Rare.OFFLOAD_NEVER_BEGAN);
                }
            }
        }

        private void discard() {
            discarded++;
            saw(Rare.OFFLOAD_DISCARDED);
        }

        @Override
        void expect() {
            assertEquals(OPENERS, used);
        }

        @Override
        public void verify() {
            assertEquals(opened.get(), used + discarded, "opened, and used or discarded");
        }
    }

    static final class LimitOnTheWorker extends Story {
        private final AtomicInteger begun = new AtomicInteger();
        private int got;
        private int lost;

        @Override
        public void run(TestWorld world) {
            for (int i = 0; i < 4; i++) {
                try {
                    within(ms(1).dividedBy(2), () -> offload(this::begin, _ -> lose()));
                    got++;
                } catch (OperationCancelledException late) {
                    say("late");
                }
            }
            delay(ms(5));
        }

        private int begin() {
            return begun.incrementAndGet();
        }

        private void lose() {
            lost++;
            saw(Rare.OFFLOAD_DISCARDED);
        }

        @Override
        void expect() {
            assertEquals(4, got + trail.size());
        }

        @Override
        public void verify() {
            assertEquals(begun.get(), got + lost);
        }
    }

    static final class CancelledBeforeItBeganNeverRuns extends Story {
        private final AtomicInteger ran = new AtomicInteger();
        private boolean ended;

        @Override
        public void run(TestWorld world) {
            var child = spawn(() -> busy(() -> offload(this::touch)));
            world.settle();
            boolean before = ran.get() == 0 && !child.isFinished();
            child.cancel();
            child.awaitOutcome();
            ended = child.isFinished();
            if (before && ran.get() == 0) {
                saw(Rare.OFFLOAD_NEVER_BEGAN);
            }
        }

        private void touch() {
            ran.incrementAndGet();
        }

        @Override
        void expect() {
            assertTrue(ended);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertTrue(ran.get() <= 1);
        }
    }

    static final class LoopGoesOnMeanwhile extends Story {
        private final AtomicInteger blocks = new AtomicInteger();

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        spawn(() -> busy(() -> delay(ms(1))));
                        offload(blocks::incrementAndGet);
                        offload(() -> say("a worker, alone"));
                        say("after");
                    });
        }

        @Override
        void expect() {
            assertEquals(1, blocks.get());
            assertEquals("[a worker, alone, after]", trail.toString());
        }
    }
}
