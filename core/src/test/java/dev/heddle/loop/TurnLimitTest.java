package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Interest;
import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Many tasks that compute do not keep the loop from its timers and descriptors. In virtual time,
/// in which computing takes as long as a test says.
///
/// **Thread:** owner (the test runner).
@Tag("CT-07")
final class TurnLimitTest {
    private static final Duration LIMIT = Duration.ofMillis(2);
    private static final long MILLI = 1_000_000;

    private final SimReactor sim = new SimReactor();
    private final List<String> trail = new ArrayList<>();
    private long computed;

    private Loop open(Duration limit) throws IOException {
        return Loop.open(LoopOptions.defaults().reactor(sim, this::nanos).turnLimit(limit));
    }

    private long nanos() {
        return sim.nanos() + computed;
    }

    private void compute(long millis) {
        computed += millis * MILLI;
    }

    private void postBusy(Loop loop, int count) {
        for (int i = 0; i < count; i++) {
            int number = i;
            loop.post(
                    () -> {
                        compute(1);
                        trail.add("task " + number);
                    });
        }
    }

    private static List<String> tasks(int count) {
        return IntStream.range(0, count).mapToObj(i -> "task " + i).toList();
    }

    @Test
    void aTimerBesideAThousandBusyTasksIsLateByNoMoreThanATurn() throws IOException {
        try (var loop = open(LIMIT)) {
            postBusy(loop, 1_000);
            var late = new ArrayList<Long>();
            var timer = loop.timer(() -> late.add(nanos() % (10 * MILLI) / MILLI));
            timer.start(Duration.ofMillis(10), Duration.ofMillis(10));
            timer.unref();

            loop.run();
            timer.stop();

            assertEquals(tasks(1_000), trail, "in their order");
            assertTrue(late.size() >= 99, () -> late.size() + " ticks");
            assertTrue(late.stream().allMatch(millis -> millis <= 3), late::toString);
        }
    }

    @Test
    void aTimerThatIsDueWhenABurstBeginsDoesNotWaitForItsEnd() throws IOException {
        try (var loop = open(LIMIT)) {
            loop.after(Duration.ofMillis(1), () -> trail.add("timer at " + nanos() / MILLI));
            loop.post(
                    () -> {
                        postBusy(loop, 100);
                        compute(1);
                    });

            loop.run();

            assertEquals("timer at 3", trail.get(2), trail::toString);
            assertEquals(101, trail.size());
        }
    }

    @Test
    void timersThatTakeAllTheTimeDoNotKeepTheOthersWaiting() throws IOException {
        try (var loop = open(LIMIT)) {
            postBusy(loop, 100);
            var timer = loop.timer(() -> compute(5));
            timer.start(Duration.ofMillis(1), Duration.ofMillis(1));
            timer.unref();

            loop.run();
            timer.stop();

            // Two tasks in each turn, and one tick.
            assertEquals(tasks(100), trail);
            assertTrue(nanos() <= (100 + 52 * 5) * MILLI, () -> "took " + nanos() / MILLI);
        }
    }

    @Test
    void timersFireInTheOrderOfTheirDeadlinesHoweverLongTheyTake() throws IOException {
        try (var loop = open(LIMIT)) {
            postBusy(loop, 50);
            for (int i = 1; i <= 20; i++) {
                int number = i;
                loop.after(
                        Duration.ofMillis(i),
                        () -> {
                            compute(1);
                            trail.add("timer " + number);
                        });
            }

            loop.run();

            assertEquals(
                    IntStream.rangeClosed(1, 20).mapToObj(i -> "timer " + i).toList(),
                    trail.stream().filter(each -> each.startsWith("timer")).toList());
            assertEquals(
                    tasks(50), trail.stream().filter(each -> each.startsWith("task")).toList());
        }
    }

    @Test
    void descriptorsAreLookedAtInBetween() throws IOException {
        try (var loop = open(LIMIT)) {
            int fd = sim.open();
            var watch = loop.watch(fd, (each, _) -> stopAndSay(each));
            watch.start(Interest.READ);
            postBusy(loop, 100);
            loop.post(() -> {});
            loop.after(Duration.ofMillis(4), () -> sim.ready(fd, Interest.READ));

            loop.run();

            assertTrue(trail.indexOf("readable") <= 9, trail::toString);
            sim.close(fd);
        }
    }

    private void stopAndSay(Watch watch) {
        watch.stop();
        trail.add("readable");
    }

    @Test
    void whatIsPostedMeanwhileComesAfterTheRest() throws IOException {
        try (var loop = open(LIMIT)) {
            postBusy(loop, 10);
            loop.after(Duration.ofMillis(3), () -> loop.post(() -> trail.add("posted")));
            loop.after(Duration.ofMillis(3), () -> trail.add("timer"));

            loop.run();

            assertEquals("posted", trail.getLast());
            assertTrue(trail.indexOf("timer") < 5, trail::toString);
        }
    }

    @Test
    void whatTasksCauseWaitsForTheNextRound() throws IOException {
        try (var loop = open(LIMIT)) {
            loop.post(() -> loop.post(() -> trail.add("caused")));
            postBusy(loop, 10);

            loop.run();

            assertEquals("caused", trail.getLast());
        }
    }

    @Test
    void aSingleTurnIsWhole() throws IOException {
        try (var loop = open(LIMIT)) {
            postBusy(loop, 10);

            assertEquals(10, loop.runNowait());
        }
    }

    @Test
    void aSingleTurnAlsoEndsWhatARunHasLeft() throws IOException {
        try (var loop = open(LIMIT)) {
            loop.post(loop::stop);
            postBusy(loop, 10);
            loop.run();
            assertFalse(trail.size() == 10);

            loop.runNowait();

            assertEquals(tasks(10), trail);
        }
    }

    @Test
    void withoutALimitATurnRunsAllThatIsReady() throws IOException {
        try (var loop = open(Duration.ZERO)) {
            loop.after(Duration.ofMillis(3), () -> trail.add("timer"));
            postBusy(loop, 10);

            loop.run();

            assertEquals("timer", trail.getLast());
        }
    }

    @Test
    void theBacklogIsInTheStatistics() throws IOException {
        try (var loop = open(LIMIT)) {
            postBusy(loop, 10);
            var seen = new ArrayList<Long>();
            for (int at = 5; at <= 50; at += 45) {
                loop.after(
                        Duration.ofMillis(at), () -> seen.add(loop.stats().backlog().toMillis()));
            }

            loop.run();

            assertEquals(List.of(6L, 0L), seen);
            assertEquals(Duration.ofMillis(8), loop.stats().backlogMax());
            assertEquals(0, loop.roundBehind());
        }
    }
}
