package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// What a [TimerEvent] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class TimerEventContract extends EventTestCase {
    private static final Duration SHORT = Duration.ofMillis(2);

    TimerEventContract(Backend backend) {
        super(backend);
    }

    @Test
    void theDelayCountsFromTheStart() throws IOException {
        var timer = TimerEvent.once(loop, SHORT);
        timer.subscribe(this.<Void>noting("t"));
        assertFalse(loop.alive());
        loop.updateNow();
        long began = loop.now();
        timer.start();

        loop.run();

        assertTrail("t:null");
        assertFalse(loop.alive(), "a timer that fired once waits for its next start");
        assertTrue(loop.now() - began >= SHORT.toNanos());
        timer.dispose();
    }

    @Test
    void aPeriodicTimerFiresUntilItIsStopped() throws IOException {
        var timer = TimerEvent.every(loop, SHORT);
        timer.subscribe(
                new Noting<Void>(trail, "t")
                        .then(
                                () -> {
                                    assertEquals(Life.FIRED, timer.life());
                                    if (trail.size() == 3) {
                                        timer.stop();
                                    }
                                }));
        timer.start();

        loop.run();

        assertTrail("t:null", "t:null", "t:null");
        assertEquals(Life.STOPPED, timer.life());
        timer.dispose();
    }

    @Test
    void aHookTurnsATickIntoATimeout() throws IOException {
        var timer = TimerEvent.once(loop, SHORT);
        timer.notifyHook(notice -> notice.failed(new TimeoutException("too long")));
        timer.subscribe(this.<Void>noting("t"));
        timer.start();

        loop.run();

        assertTrail("t!too long");
        timer.dispose();
    }

    @Test
    void hiddenItDoesNotKeepTheLoopAlive() throws IOException {
        var timer = TimerEvent.once(loop, SHORT);
        timer.hide();
        timer.subscribe(this.<Void>noting("t"));
        timer.start();

        assertFalse(loop.run());
        assertTrail();
        var keepAlive = TimerEvent.once(loop, SHORT);
        keepAlive.start();
        loop.run();
        assertTrail("t:null");
        keepAlive.dispose();
        timer.dispose();
    }

    @Test
    void disposedOfItDoesNotFire() throws IOException {
        var timer = TimerEvent.once(loop, Duration.ZERO);
        timer.subscribe(this.<Void>noting("t"));
        timer.start();
        timer.dispose();

        assertFalse(loop.run());
        assertTrail("t gone");
    }

    @Test
    void itsDelayIsInItsInfo() {
        assertEquals("Timer(150ms, once)", TimerEvent.once(loop, Duration.ofMillis(150)).info());
        assertEquals("Timer(2s, periodic)", TimerEvent.every(loop, Duration.ofSeconds(2)).info());
        assertEquals("Timer(0ms, once)", TimerEvent.once(loop, Duration.ZERO).info());
        assertEquals("Timer(70ns, once)", TimerEvent.once(loop, Duration.ofNanos(70)).info());
    }

    @Test
    void aPeriodOfZeroOrADelayBelowIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> TimerEvent.every(loop, Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class, () -> TimerEvent.once(loop, Duration.ofNanos(-1)));
    }
}
