package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.Loop;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Timeouts and tokens: they end a wait that nothing else ends in the same turn.
final class WakerLimitTest extends EventTestCase {
    private static final long MILLI = 1_000_000;

    private Sleeper sleeper;
    private Probe one;
    private Probe token;

    WakerLimitTest() {
        super(Backend.SIM);
    }

    @BeforeEach
    void make() {
        sleeper = new Sleeper(loop);
        one = Probe.remembering(loop, "one");
        token = Probe.remembering(loop, "token");
    }

    @Test
    void aTimeoutEndsTheWait() {
        sleeper.begin().on(one).onTimeout(sleeper.timer(5 * MILLI)).suspend();

        assertEquals("!timed out by Timer(5ms, once)", sleeper.answer());
        assertEquals(5 * MILLI, sim.nanos());
        assertEquals(List.of("start", "stop"), one.done);
        assertFalse(loop.alive(), "the timer is stopped");
    }

    @Test
    void anAnswerStopsTheTimeout() {
        loop.post(() -> one.happen("1"));

        sleeper.begin().on(one).onTimeout(sleeper.timer(5 * MILLI)).suspend();

        assertEquals(":1", sleeper.answer());
        assertFalse(loop.alive());
    }

    @Test
    void aTokenEndsTheWaitWithItsReason() {
        var reason = new IllegalStateException("reason");
        loop.post(() -> token.fail(reason));

        sleeper.begin().on(one).onToken(token).suspend();

        assertEquals("!cancelled by Probe(token)", sleeper.answer());
        assertSame(reason, sleeper.error().getCause());
    }

    @Test
    void anAnswerLaterInTheSameTurnBeatsAToken() {
        loop.post(() -> token.end("over"));
        loop.post(() -> one.happen("1"));

        sleeper.begin().onToken(token).on(one).suspend();

        assertEquals(":1", sleeper.answer());
    }

    @Test
    void anAnswerLaterInTheSameTurnBeatsATimeout() {
        // Armed before, due at the same time as the answer, hence fires first.
        var timeout = TimerEvent.once(loop, Duration.ofMillis(5));
        timeout.start();
        var answer = TimerEvent.once(loop, Duration.ofMillis(5));
        sleeper.begin().onTimeout(timeout).on(answer).suspend();

        assertEquals(":null", sleeper.answer());
        assertEquals(List.of(answer), sleeper.triggered());
        timeout.stop();
    }

    @Test
    void aTimeoutDoesNotWaitForTheNextTurn() {
        loop.post(() -> loop.post(() -> one.happen("too late")));
        loop.post(() -> token.end("over"));

        sleeper.begin().on(one).onToken(token).suspend();

        assertEquals("!cancelled by Probe(token)", sleeper.answer());
    }

    @Test
    void atTheBeginningWhatHasHappenedBeatsATokenThatHasFired() {
        token.end("over");
        one.end("1");

        assertFalse(sleeper.begin().onToken(token).on(one).suspend());

        assertEquals(":1", sleeper.answer());
    }

    @Test
    void aTokenThatHasFiredEndsTheWaitWithoutASwitch() {
        token.end("over");

        assertFalse(sleeper.begin().on(one).onToken(token).suspend());

        assertEquals("!cancelled by Probe(token)", sleeper.answer());
        assertEquals(List.of("start", "stop"), one.done);
    }

    @Test
    void theFirstOfTwoLimitsWins() {
        loop.post(() -> token.end("over"));
        var second = Probe.remembering(loop, "second");
        loop.post(() -> second.end("over"));

        sleeper.begin().on(one).onToken(second).onToken(token).suspend();

        assertEquals("!cancelled by Probe(token)", sleeper.answer());
        assertEquals(0, sleeper.error().getSuppressed().length);
    }

    // The token's verdict is put off to the end of the turn; by then the next wait is under way,
    // because the first one was answered without a switch.
    @Test
    void aTokenThatWasPutOffDoesNotEndTheNextWait() {
        var over = new Over();
        assertFalse(sleeper.begin().on(one).onToken(token).onToken(over).suspend());
        assertEquals("!cancelled by Over", sleeper.answer());

        loop.post(() -> loop.post(() -> one.happen("2")));
        assertTrue(sleeper.begin().on(one).suspend());
        assertEquals(":2", sleeper.answer());
    }

    @Test
    void theTimerOfAWakerIsOneAndTheSame() {
        var timer = sleeper.timer(MILLI);
        sleeper.begin().on(one).onTimeout(timer).suspend();
        assertSame(timer, sleeper.timer(2 * MILLI));
        sleeper.begin().on(one).onTimeout(timer).suspend();

        assertEquals("!timed out by Timer(2ms, once)", sleeper.answer());
        assertEquals(3 * MILLI, sim.nanos());
    }

    /// Has happened; fires the other token when asked.
    private final class Over extends Event<Void> {
        Over() {
            finish(null, null);
        }

        @Override
        protected boolean replay(Callback<? super Void> callback) {
            token.happen("fires, but stays open");
            tell(callback, null, null);
            return true;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public String info() {
            return "Over";
        }
    }
}
