package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/// From when to when a signal is watched, what is there before and after, and which signals cannot
/// be: on every backend.
///
/// **Thread:** owner (the test runner).
abstract class SignalLifeContract extends SignalTestCase {
    SignalLifeContract(Backend backend) {
        super(backend);
    }

    @Test
    void aOneShotWatchHearsOneSignalAndStopsByItself() throws IOException {
        var once = loop.onceSignal("USR1", () -> trail.add("once " + loop.alive()));
        assertTrue(loop.alive());
        raise("USR1");
        assertFalse(loop.run(), "nothing keeps the loop alive any more");
        assertEquals(List.of("once false"), trail);
        assertFalse(once.isActive());

        var lasting = loop.onSignal("USR1", () -> noteAndStop("lasting"));
        raise("USR1");
        loop.run();
        assertEquals(List.of("once false", "lasting"), trail);

        once.startOnce();
        raise("USR1");
        runUntil(4);
        assertEquals(2, trail.stream().filter("lasting"::equals).count());
        assertEquals(2, trail.stream().filter(name -> name.startsWith("once")).count());
        end(loop, once, lasting);
    }

    @Test
    void aSignalFromBeforeAStopIsNotHeardAfterTheNextStart() throws IOException {
        var watch = loop.onSignal("USR1", () -> trail.add("called"));
        fixture.outside(watch::raise).awaitEnd();
        watch.stop();
        watch.startOnce();
        loop.runNowait();
        assertEquals(List.of(), trail);
        assertTrue(watch.isActive());

        fixture.outside(watch::raise).awaitEnd();
        loop.runNowait();
        assertEquals(List.of("called"), trail);
        assertFalse(watch.isActive());
    }

    @Test
    void aSignalFromBeforeAStopDoesNotHideOneFromAfterTheNextStart() throws IOException {
        var watch = loop.onSignal("USR1", () -> trail.add("called"));
        fixture.outside(watch::raise).awaitEnd();
        watch.stop();
        watch.start();
        fixture.outside(watch::raise).awaitEnd();
        loop.runNowait();
        loop.runNowait();

        assertEquals(List.of("called"), trail);
        end(loop, watch);
    }

    @Test
    void theHandlerFromBeforeIsBackWhenTheLastWatchHasGone() throws Exception {
        var classic = new Semaphore(0);
        var restore = JvmSignal.handle("USR1", classic::release);
        try {
            raise("USR1");
            classic.acquire();

            var first = loop.onSignal("USR1", () -> trail.add("first"));
            var second = loop.onSignal("USR1", () -> noteAndStop("second"));
            first.close();
            raise("USR1");
            loop.run();
            assertEquals(List.of("second"), trail);
            assertEquals(0, classic.availablePermits(), "the last watch has not gone yet");

            end(loop, second);
            raise("USR1");
            classic.acquire();
            assertEquals(List.of("second"), trail);
        } finally {
            restore.run();
        }
    }

    @Test
    void aLoopThatEndsTakesItsSignalWatchesWithIt() throws Exception {
        var classic = new Semaphore(0);
        var restore = JvmSignal.handle("USR1", classic::release);
        try {
            loop.onSignal("USR1", () -> trail.add("closed")).unref();
            loop.close();
            var second = fixture.open();
            second.onSignal("USR1", () -> trail.add("shut down"));
            second.shutdown(Duration.ZERO);

            raise("USR1");
            classic.acquire();
            assertEquals(List.of(), trail);
        } finally {
            restore.run();
        }
    }

    @Test
    void anUnreferencedWatchLetsTheLoopEnd() throws IOException {
        var watch = loop.onSignal("USR1", () -> trail.add("called"));
        assertTrue(loop.alive());
        watch.unref();

        assertFalse(loop.run());
        assertTrue(watch.isActive());
        end(loop, watch);
    }

    // L81
    @ParameterizedTest
    @ValueSource(
            strings = {
                "KILL",
                "STOP",
                "SEGV",
                "BUS",
                "FPE",
                "ILL",
                "TRAP",
                "QUIT",
                "PROF",
                "USR2",
                "",
                "SIGINT",
                "usr1",
                "NONSENSE"
            })
    void aSignalThatCannotBeWatchedIsRefusedByNameAndTheLoopGoesOn(String name) throws IOException {
        for (var refused :
                List.of(
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> loop.onSignal(name, () -> {})),
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> loop.onceSignal(name, () -> {})))) {
            assertTrue(refused.getMessage().contains(name), refused.getMessage());
        }

        assertGoesOn();
    }

    // L81
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65, Integer.MAX_VALUE, 9, 11})
    void aSignalThatCannotBeWatchedIsRefusedByNumberAndTheLoopGoesOn(int number)
            throws IOException {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> loop.onSignal(number, () -> {}));
        String named = number == 9 ? "SIGKILL" : number == 11 ? "SIGSEGV" : "signal " + number;
        assertTrue(refused.getMessage().contains(named), refused.getMessage());

        assertGoesOn();
    }

    @Test
    void aSignalCanBeNamedByNumber() throws IOException {
        var watch = loop.onSignal(JvmSignal.number("USR1"), () -> noteAndStop("called"));
        assertEquals("USR1", watch.signal());
        assertEquals("SignalWatch(USR1)", watch.toString());
        raise("USR1");
        loop.run();

        assertEquals(List.of("called"), trail);
        end(loop, watch);
        assertEquals("SignalWatch(USR1, stopped)", watch.toString());
    }

    @Test
    void noCallbackAndTheWrongThreadAreRefused() throws IOException {
        assertThrows(NullPointerException.class, () -> loop.onSignal("USR1", null));
        assertThrows(NullPointerException.class, () -> loop.onSignal((String) null, () -> {}));
        assertThrows(NullPointerException.class, () -> loop.onceSignal("USR1", null));
        fixture.outside(
                        () -> {
                            var wrong =
                                    assertThrows(
                                            WrongThreadException.class,
                                            () -> loop.onSignal("USR1", () -> {}));
                            assertTrue(wrong.getMessage().contains("loop.post"));
                        })
                .awaitEnd();

        assertGoesOn();
    }

    @Test
    void aClosedLoopWatchesNoSignals() {
        loop.close();

        assertThrows(IllegalStateException.class, () -> loop.onSignal("USR1", () -> {}));
    }

    private void assertGoesOn() throws IOException {
        assertFalse(loop.alive());
        var watch = loop.onSignal("USR1", () -> noteAndStop("called"));
        raise("USR1");
        loop.run();
        assertEquals(List.of("called"), trail);
        end(loop, watch);
    }
}
