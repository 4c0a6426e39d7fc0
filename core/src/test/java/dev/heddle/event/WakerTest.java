package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.event.Waker.State;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How a wait begins, is answered and ends. What happens between the answer and the waking is in
/// [WakerMergeTest], timeouts and tokens are in [WakerLimitTest].
final class WakerTest extends EventTestCase {
    private Sleeper sleeper;
    private Probe one;
    private Probe two;
    private Probe three;

    WakerTest() {
        super(Backend.SIM);
    }

    @BeforeEach
    void make() {
        sleeper = new Sleeper(loop);
        one = Probe.remembering(loop, "one");
        two = Probe.remembering(loop, "two");
        three = Probe.remembering(loop, "three");
    }

    @Test
    void aWaitEndsWithTheValueOfTheEvent() {
        loop.post(() -> one.happen("1"));

        assertTrue(sleeper.begin().on(one).suspend());

        assertEquals(":1", sleeper.answer());
        assertEquals(List.of(one), sleeper.triggered());
        assertEquals(List.of("start", "stop"), one.done);
        assertFalse(one.hasSubscribers());
    }

    @Test
    void aWaitEndsWithTheErrorOfTheEvent() {
        var error = new IllegalStateException("failed");
        loop.post(() -> one.fail(error));

        sleeper.begin().on(one).suspend();

        assertSame(error, sleeper.error());
        assertNull(sleeper.result());
    }

    @Test
    void theStatesAreGoneThroughInOrder() {
        assertEquals(State.NONE, sleeper.state());
        loop.post(() -> one.happen("1"));
        sleeper.begin().on(one);
        assertEquals(State.NONE, sleeper.state());

        sleeper.suspend();

        // Parked, put into the queue, run by the loop.
        assertEquals(List.of(State.WAITING, State.QUEUED, State.QUEUED), sleeper.states);
        assertEquals(State.RESULT, sleeper.state());
        sleeper.begin();
        assertEquals(State.NONE, sleeper.state());
        assertNull(sleeper.result(), "a new wait forgets the last one");
        assertEquals(List.of(), sleeper.triggered());
    }

    @Test
    void aQueuedSleeperCanBeIgnored() {
        sleeper.queueFirst();
        assertEquals(State.QUEUED, sleeper.state());
        sleeper.ignore();
        assertEquals(State.IGNORED, sleeper.state());
        sleeper.answer(one, "1", null);
        assertEquals(State.IGNORED, sleeper.state());
        assertFalse(sleeper.interrupt(new IllegalStateException()));
    }

    @Test
    void aSleeperThatQueuesItselfIsQueuedUntilItIsResumed() {
        sleeper.queueWithoutWait();
        assertEquals(State.QUEUED, sleeper.state());
        assertEquals("its turn", sleeper.awaitingInfo());
        sleeper.resumed();
        assertEquals(State.RESULT, sleeper.state());
    }

    @Test
    void gatheringStartsNothing() {
        sleeper.begin().on(one).on(two);

        assertEquals(List.of(), one.done);
        assertFalse(one.hasSubscribers());
        assertEquals("Probe(one), Probe(two)", sleeper.awaitingInfo());
        sleeper.begin();
        assertEquals("nothing", sleeper.awaitingInfo());
    }

    @Test
    void aWaitUnderWayCannotBeBegunAnew() {
        loop.post(
                () -> {
                    var thrown = assertThrows(IllegalStateException.class, sleeper::begin);
                    assertEquals("a wait is under way: Probe(one)", thrown.getMessage());
                    one.happen("1");
                });

        sleeper.begin().on(one).suspend();

        assertEquals(":1", sleeper.answer());
    }

    @Test
    void whatHasHappenedAnswersWithoutASwitch() {
        one.end("1");

        assertFalse(sleeper.begin().on(one).suspend());

        assertEquals(0, sleeper.parks);
        assertEquals(":1", sleeper.answer());
        assertEquals(State.RESULT, sleeper.state());
    }

    @Test
    void whatHasHappenedStopsTheOthersThatWereStarted() {
        two.end("2");

        assertFalse(sleeper.begin().on(one).on(two).on(three).suspend());

        assertEquals(":2", sleeper.answer());
        assertEquals(List.of("start", "stop"), one.done);
        assertEquals(List.of(), three.done, "it was not needed any more");
    }

    @Test
    void theFirstOfManyWinsAndAllAreStoppedOnce() {
        loop.post(
                () -> {
                    two.happen("2");
                    one.happen("1");
                    three.happen("3");
                });

        sleeper.begin().on(one).on(two).on(three).suspend();

        assertEquals(":2", sleeper.answer());
        assertEquals(List.of(two), sleeper.triggered());
        for (var event : List.of(one, two, three)) {
            assertEquals(List.of("start", "stop"), event.done, event.info());
            assertFalse(event.hasSubscribers(), event.info());
        }
    }

    @Test
    void theSameEventMayBeAwaitedTwice() {
        loop.post(() -> one.happen("1"));

        sleeper.begin().on(one).on(one).suspend();

        assertEquals(":1", sleeper.answer());
        assertEquals(List.of("start", "stop"), one.done);
    }

    @Test
    void anEventThatDoesNotStartEndsTheWaitAndLeavesNothing() {
        two.refuseStarts(new IllegalStateException("refused"));

        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () -> sleeper.begin().on(one).on(two).suspend());

        assertEquals("refused", thrown.getMessage());
        assertEquals(List.of("start", "stop"), one.done);
        assertFalse(one.hasSubscribers());
        assertFalse(two.hasSubscribers());
        assertEquals(State.NONE, sleeper.state());
    }

    @Test
    void anEventThatIsDisposedOfEndsTheWait() {
        loop.post(one::dispose);

        sleeper.begin().on(one).on(two).suspend();

        assertEquals("!disposed of while awaited: Probe(one)", sleeper.answer());
        assertEquals(List.of("start", "stop", "dispose"), one.done);
        assertEquals(List.of("start", "stop"), two.done);
    }

    @Test
    void aReactionDecidesWhenToAnswer() {
        loop.post(() -> one.happen("not yet"));
        loop.post(() -> one.happen("now"));

        sleeper.begin()
                .on(
                        one,
                        (waker, source, value, error) -> {
                            trail.add(value);
                            if ("now".equals(value)) {
                                waker.answer(source, "answer", error);
                            }
                        })
                .suspend();

        assertTrail("not yet", "now");
        assertEquals(":answer", sleeper.answer());
    }

    @Test
    void anOwnedEventIsReleasedWhenTheWaitEnds() {
        loop.post(() -> one.happen("1"));
        two.retain();

        sleeper.begin().on(one).owning(one).on(two).owning(two).suspend();

        assertTrue(one.isDisposed());
        assertFalse(two.isDisposed(), "it has another owner");
        two.release();
        assertTrue(two.isDisposed());
    }

    @Test
    void anOwnedEventIsReleasedAlsoIfTheWaitNeverHappens() {
        sleeper.begin().on(one).owning(one);
        sleeper.begin();

        assertEquals(List.of("dispose"), one.done);
    }

    @Test
    void onlyWhatWasGatheredCanBeOwned() {
        sleeper.begin().on(one);
        var thrown = assertThrows(IllegalArgumentException.class, () -> sleeper.owning(two));
        assertEquals("not gathered: Probe(two)", thrown.getMessage());
    }

    @Test
    void theDestructorRunsOnceWhateverEndsTheWait() {
        loop.post(() -> one.happen("1"));
        sleeper.begin().on(one).onEnd(() -> trail.add("answered"));
        sleeper.suspend();
        assertTrail("answered");

        two.refuseStarts(new IllegalStateException("refused"));
        sleeper.begin().on(two).onEnd(() -> trail.add("refused"));
        assertThrows(IllegalStateException.class, sleeper::suspend);
        assertTrail("refused");

        loop.post(() -> sleeper.interrupt(new IllegalStateException("interrupted")));
        sleeper.begin().on(one).onEnd(() -> trail.add("interrupted"));
        sleeper.suspend();
        assertTrail("interrupted");

        sleeper.begin();
        assertTrail();
    }

    @Test
    void everyAwaitedEventIsShownInTheOrderGathered() {
        var shown = new ArrayList<String>();
        var timer = TimerEvent.once(loop, Duration.ofMillis(150));
        loop.post(
                () -> {
                    sleeper.awaited(event -> shown.add(event.info()));
                    assertFalse(sleeper.isPatient());
                    one.happen("1");
                });

        sleeper.begin().onTimeout(timer).on(one).onToken(two).suspend();

        assertEquals(List.of("Timer(150ms, once)", "Probe(one)", "Probe(two)"), shown);
        assertTrue(sleeper.begin().on(one).on(two).isPatient());
        sleeper.begin();
    }

    @Test
    void waitingMarksTheResultAsUsed() {
        loop.post(() -> one.happen("1"));
        sleeper.begin().on(one);
        assertFalse(one.is(Event.RESULT_USED));

        sleeper.suspend();

        assertTrue(one.is(Event.RESULT_USED));
        assertTrue(one.is(Event.EXCEPTION_CAUGHT));
    }
}
