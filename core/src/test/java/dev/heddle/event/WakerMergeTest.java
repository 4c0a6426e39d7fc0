package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

/// What comes after the answer and before the sleeper has seen it.
final class WakerMergeTest extends EventTestCase {
    private Sleeper sleeper;
    private Probe one;
    private Probe two;

    WakerMergeTest() {
        super(Backend.SIM);
    }

    @BeforeEach
    void make() {
        sleeper = new Sleeper(loop);
        one = Probe.remembering(loop, "one");
        two = Probe.remembering(loop, "two");
    }

    @Test
    void aSecondValueIsGivenBack() {
        sleeper.whileQueued = () -> sleeper.answer(two, "2", null);
        wake("1", null);

        assertEquals(":1", sleeper.answer());
        assertEquals(List.of("back:2"), two.done);
        assertEquals(List.of(one, two), sleeper.triggered());
    }

    @Test
    void anErrorReplacesAValueWhichIsGivenBack() {
        sleeper.whileQueued = () -> sleeper.answer(two, null, new IllegalStateException("second"));
        wake("1", null);

        assertEquals("!second", sleeper.answer());
        assertEquals(List.of("start", "stop", "back:1"), one.done);
    }

    @Test
    void aSecondErrorIsSuppressedOntoTheFirst() {
        var first = new IllegalStateException("first");
        var second = new IllegalStateException("second");
        sleeper.whileQueued =
                () -> {
                    sleeper.answer(two, null, second);
                    sleeper.answer(two, null, first);
                };
        wake(null, first);

        assertSame(first, sleeper.error());
        assertEquals(List.of(second), List.of(first.getSuppressed()), "and never onto itself");
    }

    @Test
    void aValueThatComesAfterAnErrorIsGivenBack() {
        sleeper.whileQueued = () -> sleeper.answer(two, "2", null);
        wake(null, new IllegalStateException("first"));

        assertEquals("!first", sleeper.answer());
        assertEquals(List.of("back:2"), two.done);
    }

    @Test
    void anInterruptEndsAWait() {
        loop.post(() -> assertTrue(sleeper.interrupt(new IllegalStateException("cancelled"))));

        assertTrue(sleeper.begin().on(one).suspend());

        assertEquals("!cancelled", sleeper.answer());
        assertEquals(List.of("start", "stop"), one.done);
        assertEquals(List.of(), sleeper.triggered());
    }

    @Test
    void anInterruptReplacesAValueWhichIsGivenBack() {
        sleeper.whileQueued =
                () -> assertTrue(sleeper.interrupt(new IllegalStateException("cancelled")));
        wake("1", null);

        assertEquals("!cancelled", sleeper.answer());
        assertEquals(null, sleeper.result());
        assertEquals(List.of("start", "stop", "back:1"), one.done);
    }

    @Test
    void anInterruptDoesNotReplaceAnError() {
        sleeper.whileQueued =
                () -> assertFalse(sleeper.interrupt(new IllegalStateException("cancelled")));
        wake(null, new IllegalStateException("first"));

        assertEquals("!first", sleeper.answer());
        assertEquals(0, sleeper.error().getSuppressed().length);
    }

    @Test
    void anInterruptOfNobodyWhoWaitsIsRefused() {
        assertFalse(sleeper.interrupt(new IllegalStateException("too early")));
        wake("1", null);
        assertFalse(sleeper.interrupt(new IllegalStateException("too late")));
        assertEquals(":1", sleeper.answer());
    }

    @Test
    void anAnswerToNobodyWhoWaitsIsIgnored() {
        sleeper.answer(one, "1", null);
        assertEquals(Waker.State.NONE, sleeper.state());
        wake("2", null);
        sleeper.answer(one, "3", null);
        assertEquals(":2", sleeper.answer());
    }

    private void wake(String value, Throwable error) {
        loop.post(() -> sleeper.answer(one, value, error));
        assertTrue(sleeper.begin().on(one).suspend());
    }
}
