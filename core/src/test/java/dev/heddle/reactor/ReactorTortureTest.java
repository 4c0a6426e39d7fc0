package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sys;
import dev.heddle.test.Leaks;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.test.kernel.Faults;
import dev.heddle.test.kernel.FaultySys;
import dev.heddle.test.kernel.SimKernel;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.KernelWires;
import dev.heddle.testing.Ledger;
import dev.heddle.testing.Pipes;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Each system call of a reactor's life fails once with each error it can have: the caller is told
/// by exactly one method, or not at all where that is promised; nothing is lost, nothing is left,
/// nothing spins.
///
/// Every fourth call in an ordinary run, all of them in a deep one.
@Tag("FI-01")
@ExtendWith(Leaks.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReactorTortureTest {
    private static final boolean DEEP = System.getProperty("heddle.depth", "quick").equals("deep");
    private static final int STRIDE = DEEP ? 1 : 4;
    private static final long SEED = 20_261_116;

    /// What an eventfd or a pipe that only the reactor knows can answer. `EAGAIN` is none of these:
    /// it means that a wake-up is in there already.
    private static final Set<Integer> OF_WAKE_UPS = Set.of(Errno.EINTR);

    enum Place {
        EPOLL_SIMULATED(Backend.EPOLL, true),
        POLL_SIMULATED(Backend.POLL, true),
        EPOLL_REAL(Backend.EPOLL, false),
        POLL_REAL(Backend.POLL, false),
        URING_REAL(Backend.URING, false);

        final Backend backend;
        final boolean simulated;

        Place(Backend backend, boolean simulated) {
            this.backend = backend;
            this.simulated = simulated;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyFaultIsToldOnceOrAbsorbedAndLeavesNothing(Place place) throws IOException {
        assumeTrue(
                place.simulated || place.backend.attempt(Sys.NATIVE).available(),
                () -> place + " is refused by this kernel");
        var healthy = new Case(place, "none", 1, 0);
        healthy.run();
        var calls = healthy.counter.calls();
        assertTrue(calls.size() > 10, calls::toString);
        int start = DEEP ? 0 : new Random(SEED + place.ordinal()).nextInt(STRIDE);
        int cases = 0;
        int hits = 0;
        for (int i = start; i < calls.size(); i += STRIDE) {
            String call = calls.get(i);
            int nth = Collections.frequency(calls.subList(0, i + 1), call);
            for (int errno : errors(call)) {
                var broken = new Case(place, call, nth, errno);
                broken.run();
                broken.check(healthy);
                cases++;
                hits += broken.sys.faults();
            }
        }
        // The real kernel is free to need a call less the next time.
        assertTrue(place.simulated ? hits == cases : hits > cases / 2, hits + " of " + cases);
    }

    private static List<Integer> errors(String call) {
        var all = Faults.errors(call);
        boolean wakeUp = call.equals("write") || call.equals("read");
        return wakeUp ? all.stream().filter(OF_WAKE_UPS::contains).toList() : all;
    }

    private static boolean isAbsorbed(String call, int errno) {
        return switch (call) {
            // Nobody is told: there is nothing that the caller could do.
            case "close", "read", "write" -> true;
            // A wait that ends early; a call that this kernel lacks, and another takes its place.
            case "epoll_wait" -> errno == Errno.EINTR;
            case "epoll_pwait2", "ppoll" -> errno != Errno.ENOMEM;
            case "poll" -> errno == Errno.EINTR;
            // Taken up again with the next poll.
            case "io_uring_enter" -> true;
            default -> false;
        };
    }

    /// Two meanings: an `ENOENT` from the removal of a descriptor is no news, and an answer that
    /// there are no descriptors left is no reason to refuse a backend.
    private static boolean mayBeAbsorbed(String call, int errno) {
        return switch (call) {
            case "epoll_ctl" -> errno == Errno.ENOENT;
            case "epoll_create1", "io_uring_setup" ->
                    errno == Errno.EMFILE || errno == Errno.ENFILE;
            default -> false;
        };
    }

    private static final class Case {
        final FaultySys sys;
        final CountingSys counter;
        private final String name;
        private final String call;
        private final int errno;
        private final Ledger ledger;
        private final Descriptors descriptors;
        private final TortureScenario scenario;

        /// The `nth` of these calls fails.
        Case(Place place, String call, int nth, int errno) {
            this.call = call;
            this.errno = errno;
            name = place + ", " + call + " " + nth + ", " + Errno.describe(errno);
            var kernel = new SimKernel(new SimClock());
            ledger = new Ledger(place.simulated ? kernel : Sys.NATIVE);
            sys = new FaultySys(ledger).failOnce(nth, errno, Set.of(call));
            counter = new CountingSys(sys);
            descriptors = place.simulated ? new KernelWires(kernel) : new Pipes();
            scenario = new TortureScenario(() -> place.backend.reactor(counter), descriptors);
        }

        void run() throws IOException {
            long before = Memory.inUse();
            try (descriptors) {
                scenario.run();
            } catch (RuntimeException | Error cause) {
                throw new AssertionError(name, cause);
            }
            assertEquals(List.of(), ledger.leftovers(), name);
            assertEquals(before, Memory.inUse(), () -> name + ": native memory");
        }

        void check(Case healthy) {
            assertEquals(healthy.scenario.trail(), scenario.trail(), name);
            int most = healthy.counter.calls().size() * 2 + 10;
            assertTrue(counter.calls().size() <= most, () -> name + " spins: " + counter.calls());
            boolean silent = scenario.failures().isEmpty();
            if (sys.faults() > 0 && !(silent && mayBeAbsorbed(call, errno))) {
                assertEquals(isAbsorbed(call, errno), silent, name + ": " + scenario.failures());
            }
            assertTrue(silent || scenario.tells(errno), name + ": " + scenario.failures());
        }
    }
}
