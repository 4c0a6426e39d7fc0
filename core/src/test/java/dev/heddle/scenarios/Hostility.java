package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Cancellation;
import dev.heddle.Coroutine;
import dev.heddle.CoroutineState;
import dev.heddle.DeadlockError;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Outcome;
import dev.heddle.Probe;
import dev.heddle.Report;
import dev.heddle.loop.Loop;
import dev.heddle.test.Schedule;
import dev.heddle.test.Simulation;
import dev.heddle.test.TestWorld;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// One run in which random coroutines are cancelled at random moments, up to a time; from then on
/// the program is left alone and must come to an end.
///
/// **Thread:** owner (the test); as a probe, loop.
final class Hostility implements Probe {
    private static final Duration QUIET_AFTER = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern TIMER = Pattern.compile("^Timer\\((\\d+)ms, once\\)");
    private static final Set<String> ENDS = Set.of("shutdown", "the program ends");

    private final Story story;
    private final Schedule schedule;
    private final long seed;
    private final SplittableRandom random;
    private final int rate;
    private final Map<Rare, Integer> seen = new EnumMap<>(Rare.class);
    private final Set<Coroutine<?>> begun = new HashSet<>();
    private final Map<Coroutine<?>, String> awaiting = new HashMap<>();
    private @Nullable TestWorld world;
    private List<String> left = List.of("the program did not end");

    Hostility(Story story, Schedule schedule, long seed) {
        this.story = story;
        this.schedule = schedule;
        this.seed = seed;
        random = new SplittableRandom(seed);
        // Many cancel nothing but one: whatever follows from that is not drowned by the next.
        rate = 1 << random.nextInt(1, 7);
    }

    /// Runs it.
    ///
    /// @throws AssertionError if it does not come to a good end, or breaks what it promises
    void run() {
        try {
            runToEnd();
            assertEquals(List.of(), left, "left when the program had ended");
            assertEquals(Set.of(), begun, "begun and never ended");
            var limit = QUIET_AFTER.plus(PATIENCE);
            if (here().elapsed().compareTo(limit) > 0) {
                throw new AssertionError("it ended after " + here().elapsed());
            }
            assertEquals(List.of(), abandoned(), "abandoned");
            story.verify();
        } catch (Throwable failure) {
            throw new AssertionError(this + ": " + failure, failure);
        }
    }

    /// {@return how often each rare thing happened}
    Map<Rare, Integer> seen() {
        story.seen().forEach((rare, count) -> seen.merge(rare, count, Integer::sum));
        return seen;
    }

    private void runToEnd() {
        try {
            Simulation.create()
                    .schedule(schedule)
                    .seed(seed)
                    .withoutChecks()
                    .run(this::begin, this);
        } catch (Cancellation | OperationCancelledException | DeadlockError reported) {
            // Somebody whom it needed was cancelled, and it was told so.
        }
    }

    private void begin(TestWorld its) throws Throwable {
        world = its;
        story.run(its);
    }

    private List<Report> abandoned() {
        return here().reports().stream()
                .filter(report -> report.kind() == Report.Kind.ABANDONED)
                .toList();
    }

    private TestWorld here() {
        if (world == null) {
            throw new AssertionError("it never began");
        }
        return world;
    }

    // ---- as a probe ----

    @Override
    public void suspends(Coroutine<?> coroutine) {
        begun.add(coroutine);
        if (isTime()) {
            var all = Heddle.coroutines();
            strike(all.get(random.nextInt(all.size())));
        }
    }

    @Override
    public void runs(Coroutine<?> coroutine) {
        if (!coroutine.isFinished()) {
            begun.add(coroutine);
            if (isTime()) {
                strike(coroutine);
            }
        }
    }

    @Override
    public void parked(Coroutine<?> coroutine) {
        String what = coroutine.awaitingInfo();
        awaiting.put(coroutine, what);
        var timer = TIMER.matcher(what);
        if (isTime() && timer.find()) {
            var due = here().elapsed().plusMillis(Long.parseLong(timer.group(1)));
            if (due.compareTo(QUIET_AFTER) < 0) {
                here().at(due, () -> strikeWithTimer(coroutine));
            }
        }
    }

    @Override
    public void ended(Coroutine<?> coroutine, int active) {
        begun.remove(coroutine);
        if (coroutine.isZombie()
                && coroutine.isCancelled()
                && coroutine.outcome().orElseThrow() instanceof Outcome.Cancelled<?>(var why)
                && ENDS.contains(why.reason())) {
            saw(Rare.ZOMBIE_CANCELLED_AT_THE_END);
        }
    }

    @Override
    public void ends(Loop loop) {
        left = Heddle.coroutines().stream().map(Coroutine::info).toList();
    }

    // ---- striking ----

    private boolean isTime() {
        return world != null
                && world.elapsed().compareTo(QUIET_AFTER) < 0
                && random.nextInt(rate) == 0;
    }

    private void strikeWithTimer(Coroutine<?> coroutine) {
        if (coroutine.state() == CoroutineState.WAITING
                && TIMER.matcher(coroutine.awaitingInfo()).find()) {
            saw(Rare.CANCELLED_WITH_ITS_TIMER);
        }
        strike(coroutine);
    }

    private void strike(Coroutine<?> coroutine) {
        if (coroutine.isFinished()) {
            return;
        }
        if (coroutine.isCancellationRequested()) {
            saw(Rare.CANCELLED_TWICE);
        }
        switch (coroutine.state()) {
            case QUEUED -> saw(Rare.CANCELLED_UNSTARTED);
            case READY -> {
                saw(Rare.WOKEN_THEN_CANCELLED);
                if (awaiting.getOrDefault(coroutine, "").startsWith("Promise(pending")) {
                    saw(Rare.COMPLETED_THEN_CANCELLED);
                }
            }
            case RUNNING, WAITING, IN_JDK_CALL, FINISHED -> {}
        }
        coroutine.cancel("hostile");
    }

    private void saw(Rare rare) {
        seen.merge(rare, 1, Integer::sum);
    }

    @Override
    public String toString() {
        return Library.nameOf(story.getClass()) + " under " + schedule + ", seed " + seed;
    }
}
