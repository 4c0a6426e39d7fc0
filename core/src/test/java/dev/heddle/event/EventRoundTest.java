package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Who is called when an event fires, in which order, and what callbacks may do meanwhile.
final class EventRoundTest extends EventTestCase {
    private Probe event;

    EventRoundTest() {
        super(Backend.SIM);
    }

    @BeforeEach
    void make() {
        event = Probe.remembering(loop, "e");
    }

    @Test
    void subscribersAreCalledInTheOrderTheyCame() {
        add("a");
        add("b");
        add("c");

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "b:1", "c:1", "a:2", "b:2", "c:2");
    }

    @Test
    void whoLeavesAndComesBackIsLast() {
        var a = add("a");
        add("b");
        event.unsubscribe(a);
        event.subscribe(a);

        event.happen("1");

        assertTrail("b:1", "a:1");
    }

    @Test
    void aLambdaGetsValueAndErrorAndCanBeUnsubscribed() {
        var callback = event.subscribe((value, error) -> trail.add(value + "/" + error));
        event.happen("1");
        assertTrue(event.unsubscribe(callback));
        event.happen("2");

        assertTrail("1/null");
    }

    @Test
    void aCallbackSubscribesOnceAtATime() {
        var a = add("a");
        var other = Probe.forgetful(loop, "other");

        var thrown = assertThrows(IllegalStateException.class, () -> other.subscribe(a));
        assertEquals("subscribed already, to Probe(e)", thrown.getMessage());
        assertFalse(other.unsubscribe(a), "it is not subscribed there");

        assertTrue(event.unsubscribe(a));
        assertFalse(event.unsubscribe(a));
        assertFalse(a.isSubscribed());
        other.subscribe(a);
        other.happen("1");
        assertTrail("a:1");
    }

    @Test
    void aCallbackMayUnsubscribeItself() {
        add("a");
        var b = add("b");
        b.then(() -> event.unsubscribe(b));
        add("c");

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "b:1", "c:1", "a:2", "c:2");
    }

    @Test
    void theLastMayUnsubscribeItselfAndTheOnlyOneToo() {
        var a = add("a");
        a.then(() -> event.unsubscribe(a));
        event.happen("1");
        assertFalse(event.hasSubscribers());
        event.happen("2");

        assertTrail("a:1");
    }

    @Test
    void whoIsUnsubscribedByAnEarlierOneIsNotCalled() {
        var a = add("a");
        var b = add("b");
        add("c");
        a.then(() -> event.unsubscribe(b));

        event.happen("1");

        assertTrail("a:1", "c:1");
    }

    @Test
    void unsubscribingAnEarlierOneChangesNothingForTheRest() {
        var a = add("a");
        var b = add("b");
        add("c");
        b.then(() -> event.unsubscribe(a));

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "b:1", "c:1", "b:2", "c:2");
    }

    @Test
    void oneCallbackMayUnsubscribeAll() {
        var a = add("a");
        var b = add("b");
        var c = add("c");
        b.then(() -> List.of(c, b, a).forEach(event::unsubscribe));

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "b:1");
    }

    @Test
    void whoComesDuringARoundWaitsForTheNext() {
        var late = new Noting<String>(trail, "late");
        var a = add("a");
        a.then(
                () -> {
                    if (!late.isSubscribed()) {
                        event.subscribe(late);
                    }
                });

        add("b");

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "b:1", "a:2", "b:2", "late:2");
    }

    @Test
    void whoLeavesAndComesBackDuringARoundWaitsForTheNext() {
        var a = add("a");
        var b = add("b");
        a.then(
                () -> {
                    event.unsubscribe(b);
                    event.subscribe(b);
                });

        event.happen("1");

        assertTrail("a:1");
        assertTrue(b.isSubscribed());
    }

    @Test
    void whoComesAfterTheEventClosedInTheSameRoundIsToldTheOutcome() {
        var late = new Noting<String>(trail, "late");
        add("a").then(() -> event.subscribe(late));
        add("b");

        event.end("1");

        assertTrail("a:1", "late:1", "b:1");
        assertFalse(late.isSubscribed());
        assertFalse(event.hasSubscribers(), "a closed event keeps nobody");
    }

    @Test
    void whatFiresInsideARoundIsToldAfterIt() {
        var a = add("a");
        a.then(
                () -> {
                    a.then(() -> {});
                    event.happen("2");
                    event.happen("3");
                });
        add("b");

        event.happen("1");

        assertTrail("a:1", "b:1", "a:2", "b:2", "a:3", "b:3");
    }

    @Test
    void whatFiresInARoundThatHasNobodyLeftReachesWhoComesBeforeItEnds() {
        var a = add("a");
        a.then(
                () -> {
                    event.unsubscribe(a);
                    event.happen("2");
                    event.subscribe(new Noting<>(trail, "late"));
                });

        event.happen("1");

        assertTrail("a:1", "late:2");
    }

    @Test
    void anEndInsideARoundIsToldAfterItToAllOfThem() {
        var a = add("a");
        a.then(
                () -> {
                    a.then(() -> {});
                    event.end("end");
                });
        add("b");

        event.happen("1");

        assertTrail("a:1", "b:1", "a:end", "b:end");
    }

    @Test
    void aCallbackThatThrowsIsReportedAndTheOthersAreCalled() {
        add("a").then(() -> throwing("broken a"));
        add("b");
        add("c").then(() -> throwing("broken c"));

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "b:1", "c:1", "a:2", "b:2", "c:2");
        assertEquals(List.of("broken a", "broken c", "broken a", "broken c"), takeErrors());
    }

    @Test
    void aReplayedCallbackThatThrowsIsReported() {
        event.end("1");
        event.subscribe(new Noting<String>(trail, "late").then(() -> throwing("broken")));

        assertTrail("late:1");
        assertEquals(List.of("broken"), takeErrors());
    }

    @Test
    void theNotifyHookChangesWhatCallbacksGet() {
        add("a");
        event.notifyHook(
                notice -> notice.failed(new IllegalStateException("was " + notice.value())));

        event.happen("1");

        assertTrail("a!was 1");
    }

    @Test
    void theNotifyHookSeesEveryRoundOnceAlsoNestedOnes() {
        var a = add("a");
        a.then(
                () -> {
                    a.then(() -> {});
                    event.happen("2");
                });
        add("b");
        event.notifyHook(
                notice -> {
                    trail.add("hook:" + notice.value());
                    return new NotifyHook.Notice<>(notice.value() + "'", null);
                });

        event.happen("1");

        assertTrail("hook:1", "a:1'", "b:1'", "hook:2", "a:2'", "b:2'");
    }

    @Test
    void aNotifyHookThatThrowsIsReportedAndChangesNothing() {
        add("a");
        event.notifyHook(_ -> throwing("broken hook"));

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "a:2");
        assertEquals(List.of("broken hook", "broken hook"), takeErrors());
    }

    @Test
    void aNotifyHookThatReturnsNothingIsReportedAndChangesNothing() {
        add("a");
        event.notifyHook(_ -> null);

        event.happen("1");
        event.happen("2");

        assertTrail("a:1", "a:2");
        assertEquals(2, takeErrors().size());
    }

    @Test
    void whatTheEventWasIsToldToTheErrorHandler() throws IOException {
        var sources = new ArrayList<String>();
        var own =
                Loop.open(
                        LoopOptions.defaults()
                                .backend(Backend.SIM)
                                .onError((_, source) -> sources.add(source.toString())));
        var probe = Probe.forgetful(own, "named");
        probe.subscribe((_, _) -> throwing("broken"));

        probe.happen("1");

        assertEquals(List.of("Probe(named)"), sources);
        own.close();
    }

    private Noting<String> add(String name) {
        var callback = new Noting<String>(trail, name);
        event.subscribe(callback);
        return callback;
    }

    private static <R> R throwing(String message) {
        throw new IllegalStateException(message);
    }
}
