package dev.heddle.test;

import static dev.heddle.Heddle.delay;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Report;
import dev.heddle.loop.Clock;
import dev.heddle.loop.Loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Looks for what a test has left behind in its loop.
///
/// In virtual time whatever can run has run, and no time passes: what is left then was going to
/// wait. In real time, what ends by itself within a second is no leak. Nor is offloaded work that
/// does, which nobody can hurry: a body that was given up ends when it likes.
///
/// **Thread:** loop (the main coroutine, at its end).
final class Leftovers {
    private static final Clock MACHINE = Clock.system();
    private static final int FRAMES_SHOWN = 12;
    private static final int SHOWN_MAX = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Set<Report.Kind> FAILURES =
            EnumSet.of(Report.Kind.UNREAD_FAILURE, Report.Kind.ABANDONED);

    private final TestWorld world;

    Leftovers(TestWorld world) {
        this.world = world;
    }

    /// @throws AssertionError that lists everything which is left
    void check() {
        world.probe().leaveAlone(Heddle.current());
        world.settle();
        if (!world.isVirtual()) {
            awaitRealEnds();
        }
        awaitWork();
        List<String> found = new ArrayList<>();
        addCoroutines(found);
        world.probe().pendingWork().forEach(work -> found.add("offloaded and not ended: " + work));
        if (!found.isEmpty()) {
            throw left(found);
        }
    }

    /// What shows only after the end.
    ///
    /// @param more what else was found
    void checkAfterwards(List<String> more) {
        var found = new ArrayList<>(more);
        world.reports().stream()
                .filter(report -> FAILURES.contains(report.kind()))
                .map(Report::full)
                .forEach(found::add);
        if (!found.isEmpty()) {
            throw left(found);
        }
    }

    private void awaitRealEnds() {
        long end = MACHINE.nanos() + PATIENCE.toNanos();
        while (Heddle.coroutines().size() > 1 && MACHINE.nanos() < end) {
            delay(PAUSE);
        }
    }

    // Until the loop was told of their ends, whose callbacks may do something, too.
    private void awaitWork() {
        long end = MACHINE.nanos() + PATIENCE.toNanos();
        while (world.loop().stats().work() > 0 && MACHINE.nanos() < end) {
            world.letWorkEnd();
        }
        world.settle();
    }

    private static void addCoroutines(List<String> found) {
        for (var each : Heddle.coroutines()) {
            if (each != Heddle.current()) {
                found.add((each.isZombie() ? "zombie " : "") + each.info() + stack(each));
            }
        }
    }

    private static String stack(Coroutine<?> coroutine) {
        var text = new StringBuilder();
        coroutine.stack().stream()
                .limit(FRAMES_SHOWN)
                .forEach(frame -> text.append("\n        at ").append(frame));
        return text.toString();
    }

    /// {@return what keeps a loop alive besides coroutines, in words}
    static List<String> started(Loop loop) {
        var found = new ArrayList<String>();
        loop.walk(
                source -> {
                    if (source.isActive() && source.hasRef()) {
                        found.add("started and not stopped: " + source);
                    }
                });
        return found;
    }

    private static AssertionError left(List<String> found) {
        var text = new StringBuilder("the test left something behind:");
        found.stream().limit(SHOWN_MAX).forEach(line -> text.append("\n    ").append(line));
        if (found.size() > SHOWN_MAX) {
            text.append("\n    and ").append(found.size() - SHOWN_MAX).append(" more");
        }
        return new AssertionError(text.toString());
    }
}
