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

    private final TestWorld world;
    private final CancelWay way;
    private final long point;
    private long seen;
    private @Nullable Coroutine<?> victim;
    private boolean reached;
    private String where = "nowhere";

    /// @param point which one, counted from 1; 0 for none, to count them
    CancelPoint(TestWorld world, CancelWay way, long point) {
        this.world = world;
        this.way = way;
        this.point = point;
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
        if (coroutine == victim && !reached && way == CancelWay.AFTER_IT_IS_WOKEN) {
            strike(coroutine);
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
