package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// What a loop promises about signals, on every backend, with real signals of the kernel.
///
/// The JVM hands a signal on some time after it was sent, so every claim that nobody is called is
/// made beside a watch that is. USR1 and WINCH: USR2 is the JVM's.
///
/// **Thread:** owner (the test runner).
abstract class SignalContract extends LoopTestCase {
    private static final int TIMES = 10;
    private static final int LOOPS = 24;
    private static final int CHURNERS = 10;

    private final List<String> trail = new ArrayList<>();
    private Loop loop;

    SignalContract(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void openLoop() throws IOException {
        loop = fixture.open();
        expectOthers();
    }

    // L77
    @Test
    void everySignalThatIsAwaitedIsOneCallbackOnTheLoop() throws IOException {
        var watch = loop.onSignal("USR1", () -> noteAndStop("called on " + here()));
        for (int i = 0; i < TIMES; i++) {
            raise("USR1");
            loop.run();
        }

        assertEquals(TIMES, trail.size());
        assertEquals(List.of("called on this thread"), trail.stream().distinct().toList());
        end(loop, watch);
    }

    // L77
    @Test
    void aStoppedWatchHearsNothingAndARestartedOneHearsAgain() throws IOException {
        var stopped = loop.onSignal("USR1", () -> trail.add("stopped"));
        var other = loop.onSignal("USR1", () -> noteAndStop("other"));
        assertTrue(stopped.stop());
        assertFalse(stopped.stop());
        raise("USR1");
        loop.run();
        assertEquals(List.of("other"), trail);

        stopped.start();
        raise("USR1");
        runUntil(3);

        trail.sort(null);
        assertEquals(List.of("other", "other", "stopped"), trail);
        end(loop, stopped, other);
    }

    // L78
    @Test
    void everyWatchOfASignalHearsEveryOne() throws IOException {
        var watches = new ArrayList<SignalWatch>();
        for (var signal : List.of("USR1", "WINCH")) {
            for (int i = 0; i < 2; i++) {
                String name = signal + " " + i;
                watches.add(loop.onSignal(signal, () -> trail.add(name)));
            }
        }
        for (int i = 0; i < TIMES; i++) {
            raise("USR1");
            raise("WINCH");
            runUntil(4 * (i + 1));
        }

        for (var name : List.of("USR1 0", "USR1 1", "WINCH 0", "WINCH 1")) {
            assertEquals(TIMES, trail.stream().filter(name::equals).count(), name);
        }
        end(loop, watches.toArray(Source[]::new));
    }

    // L80
    @Test
    void oneSignalReachesEveryLoopOnceWhileOthersComeAndGo() throws Exception {
        fixture.limit(Duration.ofSeconds(30));
        var heard = new Semaphore(0);
        var total = new AtomicInteger();
        for (int i = 0; i < LOOPS; i++) {
            var waiting = fixture.open();
            expectOthers();
            hearBoth(waiting, heard, total);
            fixture.outside(waiting::run);
        }
        var over = new AtomicBoolean();
        for (int i = 0; i < CHURNERS; i++) {
            fixture.outside(
                    () -> {
                        while (!over.get()) {
                            comeAndGo();
                        }
                    });
        }
        try {
            for (var signal : List.of("USR1", "WINCH")) {
                raise(signal);
                heard.acquire(LOOPS);
            }
        } finally {
            over.set(true);
        }
        fixture.awaitOutsiders();

        assertEquals(2 * LOOPS, total.get());
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
    void signalsThatComeFasterThanTheLoopLooksAreOneCallback() throws IOException {
        var watch = loop.onSignal("USR1", () -> trail.add("called"));
        // As the JVM's signal threads do it; the kernel itself would merge some of them.
        for (int i = 0; i < 5; i++) {
            fixture.outside(watch::raise);
        }
        fixture.awaitOutsiders();
        loop.runNowait();
        loop.runNowait();

        assertEquals(List.of("called"), trail);
        end(loop, watch);
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
    void aWatchMayBeClosedAndStartedInItsCallback() throws IOException {
        var watch = new SignalWatch[1];
        watch[0] =
                loop.onSignal(
                        "USR1",
                        () -> {
                            trail.add("called");
                            watch[0].close();
                            watch[0] = loop.onceSignal("WINCH", () -> trail.add("next"));
                        });
        raise("USR1");
        runUntil(1);
        raise("WINCH");
        assertFalse(loop.run());

        assertEquals(List.of("called", "next"), trail);
    }

    @Test
    void aCallbackThatThrowsIsReportedAndHearsTheNextSignal() throws IOException {
        var own =
                fixture.open(
                        options -> options.onError((error, _) -> trail.add(error.getMessage())));
        expectOthers();
        var watch =
                own.onSignal(
                        "USR1",
                        () -> {
                            own.stop();
                            throw new IllegalStateException("broken");
                        });
        for (int i = 0; i < 2; i++) {
            raise("USR1");
            own.run();
        }

        assertEquals(List.of("broken", "broken"), trail);
        end(own, watch);
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

    private static void hearBoth(Loop own, Semaphore heard, AtomicInteger total) {
        for (var signal : List.of("USR1", "WINCH")) {
            own.onSignal(
                    signal,
                    () -> {
                        total.incrementAndGet();
                        heard.release();
                        if (signal.equals("WINCH")) {
                            own.walk(Source::close);
                        }
                    });
        }
    }

    // Not from the fixture, which keeps its loops until the end of the test.
    private void comeAndGo() throws IOException {
        try (var passing = Loop.open(fixture.options())) {
            passing.onSignal("TERM", () -> {}).close();
            passing.run();
        }
    }

    private void runUntil(int notes) throws IOException {
        while (trail.size() < notes) {
            loop.runOnce();
            assertFalse(Thread.currentThread().isInterrupted(), "the watchdog came");
        }
        assertEquals(notes, trail.size());
    }

    private void noteAndStop(String note) {
        trail.add(note);
        loop.stop();
    }

    private String here() {
        return loop.isOnLoop() ? "this thread" : Thread.currentThread().getName();
    }

    private static void raise(String name) {
        Libc.signal(JvmSignal.number(name));
    }
}
