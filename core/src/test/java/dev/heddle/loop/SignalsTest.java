package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;

/// Which signals can be watched, and what the process does with a signal before, while and after
/// somebody watches it.
///
/// **Thread:** owner (the test runner).
final class SignalsTest {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int THREADS = 4;
    private static final int ROUNDS = 200;

    @RegisterExtension final LoopFixture fixture = new LoopFixture(Backend.POLL);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HUP", "INT", "TERM", "USR1", "WINCH", "CHLD", "CONT", "PIPE", "ALRM", "URG"
            })
    void aSignalIsKnownByNameAndByNumber(String name) {
        assertEquals(name, Signals.check(name));
        assertEquals(name, Signals.check(JvmSignal.number(name)));
    }

    @ParameterizedTest
    @CsvSource({
        "KILL, cannot be caught by any program",
        "STOP, cannot be caught by any program",
        "SEGV, is reserved: the JVM uses it itself",
        "QUIT, is reserved: the JVM uses it itself",
        "USR2, is reserved: the JVM suspends threads with it",
    })
    void aRefusalSaysWhy(String name, String reason) {
        var refused = assertThrows(IllegalArgumentException.class, () -> Signals.check(name));
        assertTrue(
                refused.getMessage().startsWith("SIG" + name + " " + reason), refused.getMessage());
    }

    @Test
    void aRefusalOfUsr2SaysWhatToDo() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Signals.check("USR2"));
        assertTrue(refused.getMessage().contains("use USR1"), refused.getMessage());
        assertTrue(refused.getMessage().contains("_JAVA_SR_SIGNUM"), refused.getMessage());
    }

    @Test
    void anUnknownNameIsNoNumber() {
        assertEquals(-1, JvmSignal.number("NONSENSE"));
    }

    @Test
    void aSignalIsCaughtFromTheFirstWatchToTheLast() throws IOException {
        assumeTrue(Files.exists(STATUS), "what a process catches can be seen on Linux only");
        var loop = fixture.open();
        assertFalse(isCaught("WINCH"));

        var first = loop.onSignal("WINCH", () -> {});
        assertTrue(isCaught("WINCH"));
        var second = loop.onSignal("WINCH", () -> {});
        first.close();
        assertTrue(isCaught("WINCH"));
        second.close();
        assertFalse(isCaught("WINCH"));

        loop.run();
    }

    @Test
    void watchesThatComeAndGoOnManyThreadsLeaveNoHandlerBehind() throws Exception {
        assumeTrue(Files.exists(STATUS), "what a process catches can be seen on Linux only");
        var start = new CyclicBarrier(THREADS);
        for (int i = 0; i < THREADS; i++) {
            fixture.outside(
                    () -> {
                        start.await();
                        for (int round = 0; round < ROUNDS; round++) {
                            comeAndGo();
                        }
                    });
        }
        fixture.awaitOutsiders();

        assertFalse(isCaught("WINCH"));
    }

    private static void comeAndGo() throws IOException {
        try (var loop = Loop.open(LoopOptions.defaults().backend(Backend.POLL))) {
            var watch = loop.onSignal("WINCH", () -> {});
            assertTrue(isCaught("WINCH"));
            watch.close();
            loop.run();
        }
    }

    // proc_pid_status(5): the mask of caught signals, the first one in the lowest bit.
    private static boolean isCaught(String name) throws IOException {
        var line =
                Files.readAllLines(STATUS).stream()
                        .filter(each -> each.startsWith("SigCgt:"))
                        .findFirst()
                        .orElseThrow();
        long mask = Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16);
        return (mask >> (JvmSignal.number(name) - 1) & 1) != 0;
    }
}
