package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Starting, stopping, closing, owning and flags of an event.
final class EventLifeTest extends EventTestCase {
    private Probe event;

    EventLifeTest() {
        super(Backend.SIM);
    }

    @BeforeEach
    void make() {
        event = Probe.forgetful(loop, "e");
    }

    @Test
    void onlyTheFirstStartAndTheLastStopTouchTheLoop() {
        event.start();
        event.start();
        event.start();
        event.stop();
        event.stop();
        assertEquals(List.of("start"), event.done);
        assertTrue(event.isStarted());

        event.stop();
        assertEquals(List.of("start", "stop"), event.done);
        assertFalse(event.isStarted());

        event.start();
        assertEquals(List.of("start", "stop", "start"), event.done);
        event.stop();
    }

    @Test
    void aStopWithoutAStartIsRefused() {
        var thrown = assertThrows(IllegalStateException.class, event::stop);
        assertEquals("stop without start: Probe(e)", thrown.getMessage());

        event.start();
        event.stop();
        assertThrows(IllegalStateException.class, event::stop);
        assertEquals(List.of("start", "stop"), event.done);
    }

    @Test
    void aStartThatFailsChangesNothing() {
        event.refuseStarts(new IllegalStateException("refused"));
        assertThrows(IllegalStateException.class, event::start);
        assertFalse(event.isStarted());
        assertEquals(Life.CREATED, event.life());

        event.allowStarts();
        event.start();
        assertEquals(List.of("start"), event.done);
        event.stop();
    }

    @Test
    void lifeGoesFromCreatedToClosed() {
        event.subscribe((_, _) -> trail.add("in the round " + event.life()));
        trail.add("" + event.life());
        event.start();
        trail.add("" + event.life());
        event.happen("1");
        trail.add("" + event.life());
        event.stop();
        trail.add("" + event.life());
        event.start();
        trail.add("" + event.life());
        event.end("2");
        trail.add("" + event.life());

        assertTrail(
                "CREATED",
                "ACTIVE",
                "in the round FIRED",
                "ACTIVE",
                "STOPPED",
                "ACTIVE",
                "in the round CLOSED",
                "CLOSED");
    }

    @Test
    void closedIsFinal() {
        event.start();
        event.start();
        event.end("1");
        assertEquals(List.of("start", "stop"), event.done, "it stops once, however often started");

        event.start();
        event.stop();
        assertFalse(event.isStarted());
        assertEquals(List.of("start", "stop"), event.done);
        assertEquals(Life.CLOSED, event.life());
        assertTrue(event.is(Event.CLOSED));
        assertThrows(IllegalStateException.class, () -> event.end("2"));
    }

    @Test
    void subscribingToAClosedEventThatRemembersNothingIsRefused() {
        event.end("1");

        var thrown =
                assertThrows(IllegalStateException.class, () -> event.subscribe(noting("late")));

        assertEquals("closed, with nothing to tell: Probe(e)", thrown.getMessage());
        assertTrail();
    }

    @Test
    void aClosedEventTellsItsOutcomeAgainAndAgain() {
        var remembering = Probe.remembering(loop, "r");
        var error = new IllegalStateException("failed");
        remembering.fail(error);

        remembering.subscribe((_, told) -> assertSame(error, told));
        remembering.subscribe(this.<String>noting("a"));
        remembering.subscribe(this.<String>noting("b"));

        assertTrail("a!failed", "b!failed");
    }

    @Test
    void theLastOwnerDisposesOfItOnce() {
        event.retain();
        event.retain();
        event.release();
        event.release();
        assertFalse(event.isDisposed());
        assertEquals(List.of(), event.done);

        event.release();
        assertTrue(event.isDisposed());
        event.release();
        event.dispose();
        assertEquals(List.of("dispose"), event.done);
    }

    @Test
    void disposeEndsItWhoeverElseOwnsIt() {
        event.retain();
        event.start();

        event.dispose();
        event.dispose();
        event.release();

        assertEquals(List.of("start", "stop", "dispose"), event.done);
        assertEquals(Life.CLOSED, event.life());
        assertThrows(IllegalStateException.class, event::retain);
    }

    @Test
    void subscribersAreToldOnceThatTheEventIsGone() {
        event.subscribe(this.<String>noting("a"));
        event.subscribe(this.<String>noting("b"));

        event.dispose();
        event.dispose();

        assertTrail("a gone", "b gone");
        assertFalse(event.hasSubscribers());
    }

    @Test
    void disposingInsideARoundEndsItAndDropsWhatWasQueued() {
        event.notifyHook(
                notice -> {
                    trail.add("hook:" + notice.value());
                    return notice;
                });
        event.subscribe(
                new Noting<String>(trail, "a")
                        .then(
                                () -> {
                                    event.happen("2");
                                    event.dispose();
                                }));
        event.subscribe(this.<String>noting("b"));

        event.happen("1");

        assertTrail("hook:1", "a:1", "a gone", "b gone");
        assertEquals(List.of("dispose"), event.done);
    }

    @Test
    void aDisposeHookThatThrowsIsReportedAndTheOthersAreTold() {
        event.subscribe(
                new Callback<String>() {
                    @Override
                    protected void onEvent(
                            Event<? extends String> source, String value, Throwable error) {}

                    @Override
                    protected void onDispose(Event<?> source) {
                        throw new IllegalStateException("broken");
                    }
                });
        event.subscribe(this.<String>noting("b"));

        event.dispose();

        assertTrail("b gone");
        assertEquals(List.of("broken"), takeErrors());
        assertEquals(List.of("dispose"), event.done);
    }

    @Test
    void flagsAreSetEachByItself() {
        int[] flags = {
            Event.RESULT_USED,
            Event.EXCEPTION_CAUGHT,
            Event.EXCEPTION_HANDLED,
            Event.CLOSE_FD,
            Event.REFERENCE,
            Event.FREE_BITS
        };
        for (int flag : flags) {
            var fresh = Probe.forgetful(loop, "f");
            fresh.flag(flag);
            for (int other : flags) {
                assertEquals(flag == other, fresh.is(other));
            }
            assertEquals(Life.CREATED, fresh.life());
        }
    }

    @Test
    void markUsedSaysThatResultAndErrorAreWaitedFor() {
        assertFalse(event.is(Event.RESULT_USED));
        event.markUsed();
        assertTrue(event.is(Event.RESULT_USED));
        assertTrue(event.is(Event.EXCEPTION_CAUGHT));
        assertFalse(event.is(Event.EXCEPTION_HANDLED));
    }

    @Test
    void hidingIsForEventsThatAreNotStarted() {
        event.start();
        assertThrows(IllegalStateException.class, event::hide);
        assertFalse(event.is(Event.HIDDEN));
        event.stop();
        event.hide();
        assertTrue(event.is(Event.HIDDEN));
    }

    @Test
    void anEventIsPrintedAsItsInfo() {
        assertEquals("Probe(e)", event.toString());
    }
}
