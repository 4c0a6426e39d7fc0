package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.SimReactor;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.test.kernel.FaultySys;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A loop for a year, with a million timers, and ten thousand loops.
final class LongRunTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int TIMERS = 1_000_000;
    private static final int LOOPS = 10_000;

    // Long enough for the loop to sleep, for which some backends need more of the kernel.
    private static final Duration NAP = Duration.ofNanos(50_000);
    private static final double LATE_MILLIS_MAX = 5;
    private static final int ALLOWANCE = 20;

    @Test
    @Tag("SIM-06")
    void inAYearNoTickIsMissedEarlyOrLate() throws IOException {
        Depth.assumeDeep("a year of virtual time");
        var kernel = new SimReactor();
        long began = System.nanoTime();
        try (var loop = Loop.open(LoopOptions.defaults().reactor(kernel, kernel::nanos))) {
            var tickers =
                    List.of(
                            // For a day: a year of it would be thirty thousand million ticks.
                            new Ticker(loop, kernel, Duration.ofMillis(1), Duration.ofDays(1)),
                            new Ticker(loop, kernel, Duration.ofSeconds(1), YEAR),
                            new Ticker(loop, kernel, Duration.ofSeconds(61), YEAR),
                            new Ticker(loop, kernel, Duration.ofHours(1), YEAR),
                            new Ticker(loop, kernel, Duration.ofDays(1), YEAR));

            loop.run();

            tickers.forEach(Ticker::check);
        }
        assertEquals(YEAR.toNanos(), kernel.nanos());
        System.out.printf("SIM-06: a year in %.1f s%n", (System.nanoTime() - began) / 1e9);
    }

    /// Ticks in its rhythm until its time is over, and looks at the clock each time.
    private static final class Ticker {
        private final SimReactor kernel;
        private final Duration period;
        private final long ticksWanted;
        private final Timer timer;
        private long ticks;
        private long wrong;

        Ticker(Loop loop, SimReactor kernel, Duration period, Duration time) {
            this.kernel = kernel;
            this.period = period;
            ticksWanted = time.toNanos() / period.toNanos();
            timer = loop.timer(this::tick);
            timer.start(period, period);
        }

        private void tick() {
            ticks++;
            wrong += kernel.nanos() == ticks * period.toNanos() ? 0 : 1;
            if (ticks == ticksWanted) {
                timer.stop();
            }
        }

        void check() {
            assertEquals(ticksWanted, ticks, "every " + period);
            assertEquals(0, wrong, "ticks that were not in time, every " + period);
        }
    }

    @Test
    @Tag("LS-03")
    void ofAMillionTimersHalfAreStoppedAndTheOthersFireInTime() throws IOException {
        Depth.assumeDeep("a million timers");
        var random = new Random(1);
        var lateness = new long[TIMERS];
        var fired = new int[1];
        try (var loop = Loop.open(LoopOptions.defaults())) {
            var timers = new ArrayList<Timer>();
            loop.updateNow();
            long from = loop.now() + Duration.ofSeconds(5).toNanos();
            for (int i = 0; i < TIMERS; i++) {
                long due = from + random.nextLong(Duration.ofSeconds(20).toNanos());
                var timer = loop.timer(() -> lateness[fired[0]++] = Clock.system().nanos() - due);
                timers.add(timer.startAt(due));
            }
            for (int i = 0; i < TIMERS; i += 2) {
                assertTrue(timers.get(i).stop());
            }
            loop.runNowait();
            assertEquals(TIMERS / 2, loop.stats().timers(), "stopped ones are kept");

            loop.run();
        }
        assertEquals(TIMERS / 2, fired[0]);
        var late = Arrays.copyOf(lateness, fired[0]);
        Arrays.sort(late);
        double p99 = late[late.length * 99 / 100] / 1e6;
        System.out.printf("LS-03: %d fired, p99 %.3f ms late%n", late.length, p99);
        assertTrue(late[0] >= 0, "early by " + -late[0] + " ns");
        assertTrue(p99 <= LATE_MILLIS_MAX * ALLOWANCE, "p99 is " + p99 + " ms");
    }

    @ParameterizedTest
    @Tag("LS-10")
    @EnumSource(names = {"EPOLL", "URING", "POLL"})
    void tenThousandLoopsLeaveNothing(Backend backend) throws IOException {
        Depth.assumeDeep("10 000 loops on " + backend);
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "SKIPPED: not Linux");
        openAndClose(backend);
        int descriptors = descriptors();
        long memory = Memory.inUse();
        int threads = Thread.getAllStackTraces().size();
        int refused = 0;
        for (int i = 0; i < LOOPS; i++) {
            openAndClose(backend);
            refused += i % 4 == 0 ? openHalfAndClose(backend, 1 + i / 4 % 4) : 0;
        }
        assertTrue(refused >= LOOPS / 16, "only " + refused + " failed half way");
        assertEquals(descriptors, descriptors());
        assertEquals(memory, Memory.inUse());
        assertTrue(Thread.getAllStackTraces().size() <= threads + 2, "threads are left");
    }

    private static void openAndClose(Backend backend) throws IOException {
        try (var loop = Loop.open(LoopOptions.defaults().backend(backend))) {
            loop.after(NAP, () -> {});
            loop.run();
        }
    }

    /// @return 1 if the nth of what the loop wanted from the kernel was refused, and it failed
    private static int openHalfAndClose(Backend backend, int nth) throws IOException {
        var sys = new FaultySys().failOnce(nth, Errno.EMFILE, FaultySys.MAKERS);
        Loop loop;
        try {
            loop = Loop.open(LoopOptions.defaults().reactor(backend.reactor(sys), Clock.system()));
        } catch (IOException refused) {
            return 1;
        }
        loop.after(NAP, () -> {});
        try {
            loop.run();
            return 0;
        } catch (IOException refused) {
            return 1;
        } finally {
            loop.shutdown(Duration.ZERO);
        }
    }

    private static int descriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return (int) all.count();
        }
    }
}
