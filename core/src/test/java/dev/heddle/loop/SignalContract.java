package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// That every watch hears every signal, on every backend, with real signals of the kernel. USR1 and
/// WINCH: USR2 is the JVM's.
///
/// **Thread:** owner (the test runner).
abstract class SignalContract extends SignalTestCase {
    private static final int TIMES = 10;
    private static final int LOOPS = 24;
    private static final int CHURNERS = 10;

    SignalContract(Backend backend) {
        super(backend);
    }

    // L77
    @Test
    void everySignalThatIsAwaitedIsOneCallbackOnTheLoop() throws IOException {
        var watch = loop.onSignal("USR1", () -> noteAndStop("called on " + here()));
        for (int i = 0; i < TIMES; i++) {
            raise("USR1");
            runOneOfMany(loop);
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
            runOneOfMany(own);
        }

        assertEquals(List.of("broken", "broken"), trail);
        end(own, watch);
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

    private String here() {
        return loop.isOnLoop() ? "this thread" : Thread.currentThread().getName();
    }
}
