package dev.heddle.test.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.SimClock;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;
import dev.heddle.test.Leaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/// The plans by which calls fail, and the table of errors.
@ExtendWith(Leaks.class)
final class FaultySysTest {
    private final SimKernel kernel = new SimKernel(new SimClock());
    private final FaultySys sys = new FaultySys(kernel);
    private CallState state;

    @BeforeEach
    void makeTheState() {
        state = new CallState();
    }

    @AfterEach
    void freeTheState() {
        state.close();
    }

    @Test
    void nothingFailsUnlessPlanned() throws IOException {
        try (var pipe = kernel.pipe(sys)) {
            assertEquals(1, pipe.write(new byte[1]));
        }
        assertEquals(0, sys.faults());
        assertEquals(List.of("pipe2", "write", "close", "close"), sys.calls());
    }

    @Test
    void theNthCallFailsAndNoOther() {
        sys.failNth(2, Errno.EMFILE);

        assertEquals(3, sys.eventfd(state, 0, 0));
        assertEquals(-Errno.EMFILE, sys.eventfd(state, 0, 0));
        assertEquals(4, sys.epollCreate1(state, 0));
        assertEquals(1, sys.faults());
        assertEquals(List.of("eventfd", "eventfd", "epoll_create1"), sys.calls());
        assertEquals(2, kernel.open().size(), "what fails has no effect");
    }

    @Test
    void theNthOfSomeCallsFailsWhateverComesBetween() {
        sys.failOnce(2, Errno.ENFILE, Set.of("eventfd"));

        assertEquals(3, sys.eventfd(state, 0, 0));
        assertEquals(4, sys.epollCreate1(state, 0));
        assertEquals(-Errno.ENFILE, sys.eventfd(state, 0, 0));
        assertEquals(5, sys.eventfd(state, 0, 0));
    }

    @Test
    void allFailUntilHealed() {
        sys.failAll(Errno.EMFILE, FaultySys.MAKERS);
        assertEquals(-Errno.EMFILE, sys.eventfd(state, 0, 0));
        assertEquals(-Errno.EMFILE, sys.epollCreate1(state, 0));
        sys.heal();

        assertEquals(3, sys.eventfd(state, 0, 0));
        assertEquals(2, sys.faults());
    }

    @Test
    void aCloseThatFailsHasClosed() {
        for (int errno : Faults.errors("close")) {
            int fd = sys.eventfd(state, 0, 0);
            sys.failNth(1, errno);
            assertEquals(-errno, sys.close(state, fd));
        }
        assertEquals(List.of(), kernel.open());
        assertEquals(List.of(), kernel.doubleCloses());
    }

    @Test
    void chanceFailsAsOftenAsAskedAndWithErrorsOfTheTable() {
        sys.failRandomly(new Random(5), 20);
        var errors = new HashSet<Integer>();
        for (int i = 0; i < 10_000; i++) {
            int fd = sys.epollCreate1(state, 0);
            if (fd >= 0) {
                kernel.close(fd);
            } else {
                errors.add(-fd);
            }
        }

        assertEquals(Set.copyOf(Faults.errors("epoll_create1")), errors);
        assertTrue(sys.faults() > 1_800 && sys.faults() < 2_200, "20 %: " + sys.faults());
    }

    @Test
    void aSeedFailsTheSameCalls() {
        assertEquals(failures(7), failures(7));
        assertFalse(failures(7).equals(failures(8)));
    }

    private List<Integer> failures(long seed) {
        var other = new FaultySys(new SimKernel(new SimClock())).failRandomly(new Random(seed), 50);
        var results = new ArrayList<Integer>();
        for (int i = 0; i < 50; i++) {
            results.add(Math.min(0, other.eventfd(state, 0, 0)));
        }
        return results;
    }

    @Test
    void wakeUpsAreSparedByChanceUnlessTheyAreNamed() throws IOException {
        try (var pipe = kernel.pipe(sys)) {
            sys.failRandomly(new Random(1), 100);
            assertEquals(1, pipe.write(new byte[1]));
            sys.failRandomly(new Random(1), 100, Set.of("write"));
            int result = pipe.write(new byte[1]);
            assertTrue(Faults.errors("write").contains(-result), "result " + result);
            sys.heal();
        }
        for (double wrong : new double[] {-1, 101, Double.NaN}) {
            assertThrows(
                    IllegalArgumentException.class, () -> sys.failRandomly(new Random(1), wrong));
        }
    }

    @Test
    void everyCallOfTheTableIsACallOfTheKernel() {
        var known = new HashSet<String>();
        Arrays.stream(Sys.class.getMethods()).forEach(method -> known.add(method.getName()));
        for (String call : Faults.calls()) {
            assertTrue(known.contains(camelCase(call)), call);
        }
        assertTrue(Faults.calls().containsAll(FaultySys.WAITS));
        assertTrue(Faults.calls().containsAll(FaultySys.MAKERS));
        assertEquals(List.of(), Faults.errors("no such call"));
    }

    @Test
    void everyErrorOfTheTableHasAName() throws IllegalAccessException {
        var known = new HashSet<Integer>();
        for (var field : Errno.class.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                known.add(field.getInt(null));
            }
        }
        for (String call : Faults.calls()) {
            var errors = Faults.errors(call);
            assertFalse(errors.isEmpty(), call);
            assertTrue(known.containsAll(errors), call + " " + errors);
            assertEquals(errors.size(), Set.copyOf(errors).size(), call + " has an error twice");
        }
    }

    private static String camelCase(String call) {
        return Pattern.compile("_(.)")
                .matcher(call)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }
}
