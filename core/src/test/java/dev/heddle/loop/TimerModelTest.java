package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/// The timers of a loop against the plainest thing that could do the same: a list that is sorted
/// before every use. Random programs run on both, and what fires must be the same, at the same time
/// and in the same order.
///
/// **Thread:** owner (the test runner).
final class TimerModelTest {
    private static final int TIMERS = 12;
    private static final int PROGRAMS = 400;
    private static final int STEPS = 60;
    private static final long LATEST = Long.MAX_VALUE - 1;

    @RegisterExtension final LoopFixture fixture = new LoopFixture(Backend.SIM);

    @Test
    void timersDoWhatASortedListDoes() throws IOException {
        long seed = LoopFixture.seed();
        for (int i = 0; i < PROGRAMS; i++) {
            long program = seed + i;
            var model = new Model(program);
            model.play();
            var real = new Real(program, fixture.open());
            real.play();

            assertEquals(model.trail, real.trail, () -> "program " + program);
        }
    }

    // L44
    @Test
    void aMillionTimersFireInOrderAndInNumber() throws IOException {
        fixture.limit(Duration.ofSeconds(30));
        int count = 1_000_000;
        long seed = LoopFixture.seed();
        var random = new Random(seed);
        var loop = fixture.open();
        var timers = new Timer[count];
        var deadlines = new long[count];
        var fired = new int[count];
        var order = new int[count];
        var total = new int[1];
        for (int i = 0; i < count; i++) {
            int index = i;
            deadlines[i] = 1 + random.nextInt(count / 4);
            timers[i] =
                    loop.at(
                            deadlines[i],
                            () -> {
                                assertEquals(deadlines[index], fixture.nanos());
                                fired[index]++;
                                order[total[0]] = index;
                                total[0]++;
                            });
        }
        int stopped = 0;
        for (int i = 0; i < count; i++) {
            if (random.nextInt(10) < 3 && timers[random.nextInt(count)].stop()) {
                stopped++;
            }
        }

        loop.run();

        assertEquals(count - stopped, total[0], () -> "seed " + seed);
        assertTrue(Arrays.stream(fired).allMatch(times -> times <= 1));
        for (int i = 1; i < total[0]; i++) {
            int before = order[i - 1];
            int after = order[i];
            boolean ordered =
                    deadlines[before] < deadlines[after]
                            || (deadlines[before] == deadlines[after] && before < after);
            assertTrue(ordered, () -> before + " before " + after + "; seed " + seed);
        }
        assertTrue(total[0] > count / 2 && stopped > count / 10);
    }

    /// A random program over a few timers. What is done when a timer fires depends on which it is
    /// and how often it has fired, so that both sides do the same as long as they fire the same.
    ///
    /// **Thread:** owner (the test).
    private abstract static class Player {
        final List<String> trail = new ArrayList<>();
        private final long seed;
        private final int[] fired = new int[TIMERS];

        Player(long seed) {
            this.seed = seed;
        }

        abstract void start(int timer, long delay, long repeat);

        abstract void startAt(int timer, long deadline);

        abstract void stop(int timer);

        abstract void again(int timer);

        abstract void runFor(long nanos) throws IOException;

        abstract long now();

        void play() throws IOException {
            var random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                act(random);
                if (random.nextInt(3) == 0) {
                    runFor(1 + random.nextInt(40));
                    trail.add("ran until " + now());
                }
            }
            for (int timer = 0; timer < TIMERS; timer++) {
                stop(timer);
            }
            runFor(1000);
        }

        void fire(int timer) {
            fired[timer]++;
            trail.add(timer + "@" + now());
            var random = new Random(seed ^ (timer * 7919L + fired[timer]));
            if (random.nextInt(3) == 0) {
                act(random);
            }
        }

        private void act(Random random) {
            int timer = random.nextInt(TIMERS);
            switch (random.nextInt(8)) {
                case 0, 1 -> start(timer, random.nextInt(30), 0);
                case 2 -> start(timer, 0, 0);
                case 3 -> start(timer, random.nextInt(10), 1 + random.nextInt(20));
                case 4 -> startAt(timer, Math.max(0, now() - 20 + random.nextInt(40)));
                case 5 -> again(timer);
                case 6 -> start(timer, random.nextBoolean() ? Long.MAX_VALUE : LATEST, 3);
                default -> stop(timer);
            }
        }
    }

    /// The loop's timers.
    ///
    /// **Thread:** owner (the test).
    private final class Real extends Player {
        private final Loop loop;
        private final List<Timer> timers = new ArrayList<>();

        Real(long seed, Loop loop) {
            super(seed);
            this.loop = loop;
            for (int i = 0; i < TIMERS; i++) {
                int timer = i;
                timers.add(loop.timer(() -> fire(timer)));
            }
        }

        @Override
        void start(int timer, long delay, long repeat) {
            timers.get(timer).startNanos(delay, repeat);
        }

        @Override
        void startAt(int timer, long deadline) {
            timers.get(timer).startAt(deadline);
        }

        @Override
        void stop(int timer) {
            trail.add("stop " + timers.get(timer).stop());
        }

        @Override
        void again(int timer) {
            try {
                timers.get(timer).again();
            } catch (IllegalStateException _) {
                trail.add("never started");
            }
        }

        @Override
        void runFor(long nanos) throws IOException {
            loop.runFor(Duration.ofNanos(nanos));
        }

        @Override
        long now() {
            return fixture.nanos();
        }
    }

    /// A sorted list.
    ///
    /// **Thread:** owner (the test).
    private static final class Model extends Player {
        private record Entry(int timer, long deadline, long sequence) {}

        private final List<Entry> entries = new ArrayList<>();
        private final long[] repeats = new long[TIMERS];
        private final boolean[] everStarted = new boolean[TIMERS];
        private long sequence;
        private long now;

        Model(long seed) {
            super(seed);
        }

        @Override
        void start(int timer, long delay, long repeat) {
            add(timer, plus(now, delay), repeat);
        }

        @Override
        void startAt(int timer, long deadline) {
            add(timer, deadline, 0);
        }

        @Override
        void stop(int timer) {
            trail.add("stop " + remove(timer));
        }

        @Override
        void again(int timer) {
            if (!everStarted[timer]) {
                trail.add("never started");
            } else if (repeats[timer] > 0) {
                add(timer, plus(now, repeats[timer]), repeats[timer]);
            } else {
                remove(timer);
            }
        }

        @Override
        void runFor(long nanos) {
            long end = now + nanos;
            while (now < end) {
                entries.sort(
                        Comparator.comparingLong(Entry::deadline)
                                .thenComparingLong(Entry::sequence));
                long earliest = entries.isEmpty() ? LATEST : entries.getFirst().deadline;
                now = Math.max(now, Math.min(end, earliest));
                runBatch(entries.stream().filter(entry -> entry.deadline <= now).toList());
            }
        }

        @Override
        long now() {
            return now;
        }

        private void runBatch(List<Entry> due) {
            for (var entry : due) {
                // An earlier one of the batch may have stopped or restarted it.
                if (entries.remove(entry)) {
                    rearm(entry);
                    fire(entry.timer);
                }
            }
        }

        private void rearm(Entry entry) {
            long repeat = repeats[entry.timer];
            if (repeat > 0) {
                long next = plus(entry.deadline, repeat);
                while (next <= now) {
                    next = plus(next, repeat);
                }
                entries.add(new Entry(entry.timer, next, sequence++));
            }
        }

        private void add(int timer, long deadline, long repeat) {
            remove(timer);
            repeats[timer] = repeat;
            everStarted[timer] = true;
            entries.add(new Entry(timer, deadline, sequence++));
        }

        private boolean remove(int timer) {
            return entries.removeIf(entry -> entry.timer == timer);
        }

        private static long plus(long from, long delay) {
            return delay > LATEST - from ? LATEST : from + delay;
        }
    }
}
