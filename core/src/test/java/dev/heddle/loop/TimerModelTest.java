package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.SimReactor;
import dev.heddle.test.Choices;
import dev.heddle.test.Property;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/// The timers of a loop against the plainest thing that could do the same: a list that is sorted
/// before every use. Random programs run on both, and what fires must be the same, at the same time
/// and in the same order.
///
/// **Thread:** owner (the test runner).
final class TimerModelTest {
    private static final int TIMERS = 12;
    private static final int ACTS = 60;
    private static final long LATEST = Long.MAX_VALUE - 1;

    @RegisterExtension final LoopFixture fixture = new LoopFixture(Backend.SIM);

    @Test
    @Tag("PB-04")
    void timersDoWhatASortedListDoes() {
        fixture.limit(Duration.ofMinutes(10));
        Property.named("timers do what a sorted list does")
                .tries(Depth.of(10_000, 300_000))
                .check(
                        choices -> {
                            var acts = choices.listOf(0, ACTS, TimerModelTest::act);
                            var reactions = choices.listOf(0, TIMERS, TimerModelTest::reactions);
                            var model = new Model(reactions);
                            model.play(acts);
                            var real = new Real(reactions);
                            real.play(acts);
                            assertEquals(model.trail, real.trail);
                        });
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

    /// What is done to a timer, by the program or by a timer that fires.
    private sealed interface Act {}

    private record Start(int timer, long delay, long repeat) implements Act {}

    /// @param distance from now
    private record StartAt(int timer, long distance) implements Act {}

    private record Stop(int timer) implements Act {}

    private record Again(int timer) implements Act {}

    private record Run(long nanos) implements Act {}

    private static Act act(Choices choices) {
        return choices.chance(0.3) ? new Run(choices.intBetween(1, 40)) : reaction(choices);
    }

    private static Act reaction(Choices choices) {
        int timer = choices.intBetween(0, TIMERS - 1);
        return switch (choices.weighted(1, 3, 2, 2, 1, 1)) {
            case 0 -> new Stop(timer);
            case 1 -> new Start(timer, choices.intBetween(0, 30), 0);
            case 2 -> new Start(timer, choices.intBetween(0, 10), choices.intBetween(1, 20));
            case 3 -> new StartAt(timer, choices.intBetween(-20, 20));
            case 4 -> new Again(timer);
            // Too far, negative, beyond the end of time.
            default -> new Start(timer, choices.anyLong(), choices.longBetween(-1, LATEST + 1));
        };
    }

    /// What a timer does when it fires for the first time, the second and so on. Decided
    /// beforehand, so that both sides do the same as long as they fire the same.
    private static List<Act> reactions(Choices choices) {
        return choices.listOf(0, 3, TimerModelTest::reaction);
    }

    /// Plays a program over a few timers, and writes down what happens.
    ///
    /// **Thread:** owner (the test).
    private abstract static class Player {
        final List<String> trail = new ArrayList<>();
        private final List<Deque<Act>> reactions;

        Player(List<List<Act>> reactions) {
            this.reactions = reactions.stream().<Deque<Act>>map(ArrayDeque::new).toList();
        }

        abstract void start(int timer, long delay, long repeat);

        abstract void startAt(int timer, long deadline);

        abstract boolean stop(int timer);

        abstract void again(int timer);

        abstract void runFor(long nanos) throws IOException;

        abstract long now();

        void play(List<Act> acts) throws IOException {
            for (var act : acts) {
                if (act instanceof Run(var nanos)) {
                    runFor(nanos);
                    trail.add("ran until " + now());
                } else {
                    perform(act);
                }
            }
            for (int timer = 0; timer < TIMERS; timer++) {
                stop(timer);
            }
            runFor(1000);
        }

        void fire(int timer) {
            trail.add(timer + "@" + now());
            if (timer < reactions.size() && !reactions.get(timer).isEmpty()) {
                perform(reactions.get(timer).removeFirst());
            }
        }

        private void perform(Act act) {
            try {
                switch (act) {
                    case Start(var timer, var delay, var repeat) -> start(timer, delay, repeat);
                    case StartAt(var timer, var distance) -> startAt(timer, now() + distance);
                    case Stop(var timer) -> trail.add("stop " + stop(timer));
                    case Again(var timer) -> again(timer);
                    case Run _ -> throw new AssertionError("not in a callback");
                }
            } catch (IllegalArgumentException | IllegalStateException refused) {
                trail.add(act + " refused: " + refused.getClass().getSimpleName());
            }
        }
    }

    /// The loop's timers, on a loop for this program alone.
    ///
    /// **Thread:** owner (the test).
    private static final class Real extends Player {
        private final SimReactor sim = new SimReactor();
        private final Loop loop;
        private final List<Timer> timers = new ArrayList<>();

        Real(List<List<Act>> reactions) throws IOException {
            super(reactions);
            loop =
                    Loop.open(
                            LoopOptions.defaults()
                                    .reactor(sim, sim::nanos)
                                    .onError((error, _) -> trail.add("error " + error)));
            for (int i = 0; i < TIMERS; i++) {
                int timer = i;
                timers.add(loop.timer(() -> fire(timer)));
            }
        }

        @Override
        void play(List<Act> acts) throws IOException {
            try (loop) {
                super.play(acts);
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
        boolean stop(int timer) {
            return timers.get(timer).stop();
        }

        @Override
        void again(int timer) {
            timers.get(timer).again();
        }

        @Override
        void runFor(long nanos) throws IOException {
            loop.runFor(Duration.ofNanos(nanos));
        }

        @Override
        long now() {
            return sim.nanos();
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

        Model(List<List<Act>> reactions) {
            super(reactions);
        }

        @Override
        void start(int timer, long delay, long repeat) {
            refuseUnless(delay >= 0 && repeat >= 0);
            add(timer, plus(now, delay), repeat);
        }

        @Override
        void startAt(int timer, long deadline) {
            refuseUnless(deadline >= 0);
            add(timer, deadline, 0);
        }

        @Override
        boolean stop(int timer) {
            return entries.removeIf(entry -> entry.timer == timer);
        }

        @Override
        void again(int timer) {
            if (!everStarted[timer]) {
                throw new IllegalStateException();
            } else if (repeats[timer] > 0) {
                add(timer, plus(now, repeats[timer]), repeats[timer]);
            } else {
                stop(timer);
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
            stop(timer);
            repeats[timer] = repeat;
            everStarted[timer] = true;
            entries.add(new Entry(timer, deadline, sequence++));
        }

        private static void refuseUnless(boolean allowed) {
            if (!allowed) {
                throw new IllegalArgumentException();
            }
        }

        private static long plus(long from, long delay) {
            return delay > LATEST - from ? LATEST : from + delay;
        }
    }
}
