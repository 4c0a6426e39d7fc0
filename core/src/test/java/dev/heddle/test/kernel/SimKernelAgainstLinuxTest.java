package dev.heddle.test.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.reactor.SimClock;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Platform;
import dev.heddle.sys.Sys;
import dev.heddle.test.Leaks;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/// The simulated kernel answers as the real one does: the same random calls on both, the same
/// results, byte by byte and event by event, in the same order.
@ExtendWith(Leaks.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SimKernelAgainstLinuxTest {
    private static final int STEPS = 5_000;
    private static final int EPOLLS = 2; // the first places
    private static final int[] MASKS = {
        Epoll.EPOLLIN, Epoll.EPOLLOUT, Epoll.EPOLLIN | Epoll.EPOLLOUT, Epoll.EPOLLPRI, 0
    };
    private static final int[] LENGTHS = {0, 1, 7, 100, 4095, 4096, 4097, 8192, 30_000, 70_000};

    private final List<String> trail = new ArrayList<>();
    private final Map<String, Integer> seen = new TreeMap<>();

    @BeforeEach
    void needsTheKernelWhoseRulesAreSimulated() {
        assumeTrue(Platform.isLinux(), "the real kernel is not Linux");
        String[] version = System.getProperty("os.version").split("[.-]", 3);
        int number = Integer.parseInt(version[0]) * 1000 + Integer.parseInt(version[1]);
        assumeTrue(number >= 6014, "pipes wake their writers by other rules before Linux 6.14");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theSameCallsHaveTheSameResults(long seed) {
        var random = new Random(seed);
        try (var real = new KernelSide(Sys.NATIVE);
                var simulated = new KernelSide(new SimKernel(new SimClock()))) {
            for (int step = 0; step < STEPS; step++) {
                var call = step < EPOLLS ? openEpoll(step) : call(random, real);
                String expected = call.apply(real);
                trail.add(expected);
                seen.merge(kind(expected), 1, Integer::sum);
                assertEquals(
                        expected,
                        call.apply(simulated),
                        () -> "seed " + seed + ", last calls: " + lastCalls());
            }
        }
        for (String result : List.of("read -11", "write -11", "write -32", "wait 3", "ctl -17")) {
            assertTrue(seen.containsKey(result), () -> result + " never came: " + seen);
        }
    }

    private String kind(String result) {
        return String.join(" ", List.of(result.split(" ")).subList(0, 2));
    }

    private List<String> lastCalls() {
        return trail.subList(Math.max(0, trail.size() - 40), trail.size());
    }

    private Function<KernelSide, String> openEpoll(int place) {
        return side -> side.epoll(place);
    }

    private Function<KernelSide, String> call(Random random, KernelSide side) {
        int place = random.nextInt(EPOLLS, KernelSide.PLACES);
        int epoll = random.nextInt(EPOLLS);
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        int choice = random.nextInt(100);
        trail.add("on " + place + ", " + epoll + ":");
        if (choice < 6) {
            return open(random, side, place);
        }
        if (choice < 7) {
            return side.isFree(place) ? any -> any.describe(place) : any -> any.close(place);
        }
        if (choice < 30) {
            return any -> any.write(place, length);
        }
        if (choice < 48) {
            return any -> any.read(place, length);
        }
        if (choice < 52) {
            long value = random.nextInt(5) == 0 ? -2 : random.nextInt(3);
            return any -> any.add(place, value);
        }
        if (choice < 70) {
            return control(random, epoll, random.nextInt(12) == 0 ? 1 - epoll : place);
        }
        if (choice < 92) {
            int max = random.nextInt(1, 8);
            return any -> any.await(epoll, max);
        }
        if (choice < 97) {
            int events = MASKS[random.nextInt(MASKS.length)];
            return any -> any.poll(events);
        }
        return choice < 99 ? any -> any.describe(place) : renew(epoll);
    }

    private Function<KernelSide, String> open(Random random, KernelSide side, int place) {
        int[] free = side.free();
        if (free.length >= 2 && random.nextInt(4) > 0) {
            return any -> any.pipe(free[0], free[1]);
        }
        int initial = random.nextInt(2);
        return side.isFree(place) ? any -> any.eventfd(place, initial) : any -> any.describe(place);
    }

    private Function<KernelSide, String> control(Random random, int epoll, int place) {
        int op = random.nextInt(1, 5);
        int events = MASKS[random.nextInt(MASKS.length)];
        events |= random.nextInt(3) == 0 ? 0 : Epoll.EPOLLET;
        events |= random.nextInt(5) == 0 ? EpollSet.EPOLLONESHOT : 0;
        int mask = events;
        long data = random.nextInt(1000);
        return any -> any.control(epoll, op, place, mask, data);
    }

    private Function<KernelSide, String> renew(int epoll) {
        return any -> any.close(epoll) + any.epoll(epoll);
    }
}
