package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Where in a turn hooks are called, and how they keep the loop going, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class HookContract {
    @RegisterExtension final LoopFixture fixture;

    HookContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    @Test
    void aTurnGoesFromIdleToPrepareToCheckToTimersAndTasks() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(() -> trail.add("task"));
        loop.after(Duration.ZERO, () -> trail.add("timer"));
        var hooks =
                List.of(
                        loop.onCheck(() -> trail.add("check")),
                        loop.onPrepare(() -> trail.add("prepare")),
                        loop.onIdle(() -> trail.add("idle")));

        loop.runOnce();

        assertEquals(List.of("idle", "prepare", "check", "task", "timer"), trail);
        hooks.forEach(Hook::stop);
    }

    @Test
    void hooksOfOnePlaceAreCalledInTheOrderTheyWereStarted() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var first = loop.onPrepare(() -> trail.add("first"));
        var second = loop.onPrepare(() -> trail.add("second"));
        loop.runNowait();
        assertTrue(first.stop());
        first.start();
        loop.runNowait();

        assertEquals(List.of("first", "second", "second", "first"), trail);
        first.stop();
        second.stop();
    }

    // L14
    @Test
    void anIdleHookDoesNotKeepATimerFromFiring() throws IOException {
        var loop = fixture.open();
        // On a simulated loop nothing but this makes time pass: the loop never waits.
        var idle = loop.onIdle(() -> fixture.spend(Duration.ofMillis(1)));
        loop.after(Duration.ofMillis(5), idle::stop);

        assertFalse(loop.run());
    }

    // L15
    @Test
    void checkRunsInTheSameTurnAsAnIdleHookThatStopsItself() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var idle = new Hook[1];
        idle[0] =
                loop.onIdle(
                        () -> {
                            trail.add("idle");
                            idle[0].stop();
                        });
        var check = loop.onCheck(() -> trail.add("check"));
        // Without it the loop would wait for ever, now that nothing is idle any more.
        loop.after(Duration.ofMillis(1), () -> {});

        loop.runOnce();

        assertEquals(List.of("idle", "check"), trail);
        check.stop();
    }

    @Test
    void anIdleHookKeepsTheLoopFromWaiting() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});
        var idle = loop.onIdle(() -> {});

        for (int i = 0; i < 3; i++) {
            loop.runOnce();
        }

        assertEquals(Duration.ZERO, loop.stats().idle());
        idle.stop();
        far.stop();
    }

    @Test
    void aHookThatIsStoppedByAnEarlierOneIsNotCalled() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var hooks = new ArrayList<Hook>();
        hooks.add(
                loop.onCheck(
                        () -> {
                            trail.add("first");
                            hooks.get(1).stop();
                        }));
        hooks.add(loop.onCheck(() -> trail.add("second")));
        hooks.add(loop.onCheck(() -> trail.add("third")));

        loop.runNowait();

        assertEquals(List.of("first", "third"), trail);
        hooks.forEach(Hook::stop);
    }

    @Test
    void aHookThatIsStartedByAnotherOfItsPlaceWaitsForTheNextTurn() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var late = loop.onPrepare(() -> trail.add("late"));
        late.stop();
        var early =
                loop.onPrepare(
                        () -> {
                            trail.add("early");
                            late.start();
                        });
        loop.runNowait();
        assertEquals(List.of("early"), trail);

        loop.runNowait();
        assertEquals(List.of("early", "early", "late"), trail);
        early.stop();
        late.stop();
    }

    @Test
    void startingAndStoppingAHookTwiceCountsOnce() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var hook = loop.onCheck(calls::incrementAndGet);
        hook.start();
        loop.runNowait();
        assertEquals(1, calls.get());

        assertTrue(hook.stop());
        assertFalse(hook.stop());
        assertFalse(loop.alive());
    }

    // L19
    @Test
    void aHookThatUnrefsItselfLetsTheLoopEnd() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var prepare = new Hook[1];
        prepare[0] =
                loop.onPrepare(
                        () -> {
                            calls.incrementAndGet();
                            prepare[0].unref();
                        });

        assertFalse(loop.run());
        assertEquals(1, calls.get());
    }
}
