package dev.heddle.test;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Probe;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Cancels a coroutine once, at one of a scenario's suspension points, in one way.
///
/// **Thread:** loop.
final class CancelPoint implements Probe {
    private static final String REASON = "torture";

    // Somebody who only lets others run, and waits for what will not happen, moves no clock.
    private static final int TURNS_WITHOUT_TIME_MAX = 1_000_000;

    private final TestWorld world;
    private final CancelWay way;
    private final long point;
    private long seen;
    private @Nullable Coroutine<?> victim;
    private boolean reached;
    private String where = "nowhere";
    private Duration limit = Duration.ZERO;
    private long lastNanos;
    private int turns;

    /// @param point which one, counted from 1; 0 for none, to count them
    CancelPoint(TestWorld world, CancelWay way, long point) {
        this.world = world;
        this.way = way;
        this.point = point;
    }

    /// Ends a program that still runs after this much virtual time.
    void endAfter(Duration newLimit) {
        limit = newLimit;
    }

    /// {@return how many suspension points were passed}
    long seen() {
        return seen;
    }

    /// {@return whether anybody was cancelled: a point may pass without parking, or without a
    /// timer}
    boolean isReached() {
        return reached;
    }

    /// {@return who was cancelled, and what it did}
    String where() {
        return where;
    }

    @Override
    public void suspends(Coroutine<?> coroutine) {
        seen++;
        if (seen == point) {
            victim = coroutine;
            if (way == CancelWay.BEFORE_IT_PARKS) {
                strike(coroutine);
            }
        } else if (coroutine == victim && !reached) {
            // It did not park at its point, or nothing woke it there.
            victim = null;
        }
    }

    @Override
    public void parked(Coroutine<?> coroutine) {
        if (coroutine != victim) {
            return;
        }
        if (reached) {
            if (way == CancelWay.TWICE) {
                coroutine.cancel(REASON + " again");
            }
            return;
        }
        switch (way) {
            case WHILE_PARKED, TWICE, BY_ITS_SCOPE -> strike(coroutine);
            case BY_SHUTDOWN -> {
                if (!isEnding()) {
                    strike(coroutine);
                }
            }
            case WITH_A_TIMER ->
                    world.loop()
                            .untilNextTimer()
                            .ifPresent(left -> strikeAt(world.elapsed().plus(left), coroutine));
            case BEFORE_IT_PARKS, AFTER_IT_IS_WOKEN -> {}
        }
    }

    @Override
    public void runs(Coroutine<?> coroutine) {
        ensureItGetsOn(coroutine);
        if (coroutine == victim && !reached && way == CancelWay.AFTER_IT_IS_WOKEN) {
            strike(coroutine);
        }
    }

    private void ensureItGetsOn(Coroutine<?> coroutine) {
        turns = world.nanos() == lastNanos ? turns + 1 : 0;
        lastNanos = world.nanos();
        if (turns > TURNS_WITHOUT_TIME_MAX) {
            throw new AssertionError(
                    "it does not end: "
                            + turns
                            + " turns without waiting for anything, the last of "
                            + coroutine.info());
        }
        if (!limit.isZero() && world.elapsed().compareTo(limit) > 0) {
            throw new AssertionError(
                    "it has not ended after "
                            + limit
                            + ", and it is the turn of "
                            + coroutine.info()
                            + "; if it needs longer, say so by patience(…)");
        }
    }

    // The second shutdown of a program ends it at once, and lets nobody clean up.
    private static boolean isEnding() {
        return Heddle.coroutines().stream().allMatch(Coroutine::isCancellationRequested);
    }

    private void strikeAt(Duration when, Coroutine<?> coroutine) {
        world.at(
                when,
                () -> {
                    if (coroutine == victim && !reached && !coroutine.isFinished()) {
                        strike(coroutine);
                    }
                });
    }

    private void strike(Coroutine<?> coroutine) {
        reached = true;
        where = coroutine.name() + ", waiting for " + coroutine.awaitingInfo();
        switch (way) {
            case BY_ITS_SCOPE -> coroutine.scope().dispose();
            case BY_SHUTDOWN -> Heddle.shutdown();
            case TWICE -> {
                coroutine.cancel(REASON);
                coroutine.cancel(REASON + " again");
            }
            case BEFORE_IT_PARKS, WHILE_PARKED, AFTER_IT_IS_WOKEN, WITH_A_TIMER ->
                    coroutine.cancel(REASON);
        }
    }
}
