package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.reactor.Backend.Attempt;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Platform;
import dev.heddle.sys.Sys;
import dev.heddle.test.Leaks;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.test.kernel.FaultySys;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

@ExtendWith(Leaks.class)
final class BackendTest {
    private static final List<Backend> PREFERRED =
            List.of(Backend.EPOLL, Backend.URING, Backend.KQUEUE, Backend.POLL);

    private String propertyBefore;

    @BeforeEach
    void nothingIsForced() {
        propertyBefore = System.clearProperty(Backend.PROPERTY);
    }

    @AfterEach
    void restoreProperty() {
        System.clearProperty(Backend.PROPERTY);
        if (propertyBefore != null) {
            System.setProperty(Backend.PROPERTY, propertyBefore);
        }
    }

    @Test
    void epollIsTakenWhereItWorks() throws IOException {
        assumeTrue(Platform.isLinux(), "epoll(7) is Linux's");
        var choice = Backend.open();
        try (var reactor = choice.reactor()) {
            assertEquals(Backend.EPOLL, reactor.backend());
            assertEquals(1, choice.attempts().size());
            assertEquals("epoll (edges kept by the kernel)", choice.why());
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalFallsToTheNextAndIsExplained(int errno) throws IOException {
        var sys = new FaultySys().failAll(errno, "epoll_create1", "io_uring_setup", "kqueue");
        var choice = Backend.open(sys);
        try (var reactor = choice.reactor()) {
            assertEquals(Backend.POLL, reactor.backend());
            assertEquals(PREFERRED, choice.attempts().stream().map(Attempt::backend).toList());
            assertEquals(
                    List.of(false, false, false, true),
                    choice.attempts().stream().map(Attempt::available).toList());
            var why = choice.why();
            assertTrue(why.startsWith("poll (everywhere, slow with many descriptors); "), why);
            assertTrue(why.contains("epoll refused: epoll_create1: " + Errno.describe(errno)), why);
        }
    }

    static IntStream refusals() {
        return IntStream.of(Errno.ENOSYS, Errno.EPERM, Errno.ENOMEM);
    }

    @Test
    void theReactorUsesTheKernelThatWasAsked() throws IOException {
        var sys = new CountingSys();
        try (var reactor = Backend.open(sys).reactor()) {
            sys.forget();
            reactor.poll(new ReadyEvents(1), 0);

            assertFalse(sys.calls().isEmpty());
        }
    }

    @Test
    void ifAllAreRefusedEveryReasonIsGiven() {
        var sys =
                new FaultySys()
                        .failAll(Errno.EPERM, "epoll_create1", "io_uring_setup", "kqueue", "poll");
        var thrown = assertThrows(IOException.class, () -> Backend.open(sys));

        assertTrue(thrown.getMessage().startsWith("no backend works here: "));
        for (var backend : PREFERRED) {
            assertTrue(
                    thrown.getMessage().contains(backend.label() + " refused: "),
                    thrown.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"epoll, EPOLL", "poll, POLL", "POLL, POLL", "sim, SIM"})
    void thePropertyForcesABackend(String label, Backend expected) throws IOException {
        assumeTrue(expected.attempt(Sys.NATIVE).available(), label + " is refused here");
        System.setProperty(Backend.PROPERTY, label);
        var choice = Backend.open();
        try (var reactor = choice.reactor()) {
            assertEquals(expected, reactor.backend());
            assertEquals(expected.label() + " (forced by heddle.backend)", choice.why());
        }
    }

    @Test
    void aForcedBackendThatIsRefusedIsAnErrorWithTheReason() {
        System.setProperty(Backend.PROPERTY, "epoll");
        var sys = new FaultySys().failAll(Errno.EPERM, "epoll_create1");
        var thrown = assertThrows(IOException.class, () -> Backend.open(sys));

        assertEquals(
                "epoll refused: epoll_create1: EPERM (operation not permitted)",
                thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "select", "epoll ", "e_poll"})
    void anUnknownNameIsRefusedWithTheKnownOnes(String name) {
        System.setProperty(Backend.PROPERTY, name);
        var thrown = assertThrows(IllegalArgumentException.class, Backend::open);

        assertEquals(
                "no backend is called \""
                        + name
                        + "\": choose one of epoll, io_uring, kqueue, poll, sim",
                thrown.getMessage());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyLabelIsUnderstoodInAnyCase(Backend backend) {
        assertEquals(backend, Backend.parse(backend.label()));
        assertEquals(backend, Backend.parse(backend.name()));
        assertEquals(backend, Backend.parse(backend.name().toLowerCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aConstantOpensItselfOrSaysWhyNot(Backend backend) {
        var attempt = backend.attempt(Sys.NATIVE);
        try (var reactor = backend.reactor(Sys.NATIVE)) {
            assertTrue(attempt.available());
            assertEquals(backend, reactor.backend());
        } catch (IOException refused) {
            assertFalse(attempt.available());
            assertEquals(backend.label() + " refused: " + attempt.reason(), refused.getMessage());
        }
    }

    @Test
    void theDoctorIsToldOfEveryBackendAnew() {
        var sys = new FaultySys().failAll(Errno.ENOMEM, "epoll_create1");
        var attempts = Backend.probe(sys);
        assertEquals(PREFERRED, attempts.stream().map(Attempt::backend).toList());
        var epoll = attempts.getFirst();
        assertFalse(epoll.available());
        assertEquals("epoll_create1: ENOMEM (out of memory)", epoll.reason());
        assertTrue(attempts.getLast().available());
        sys.heal();

        assertEquals(Platform.isLinux(), Backend.probe(sys).getFirst().available());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatTheRealKernelSaidIsRemembered(Backend backend) {
        assertSame(backend.attempt(Sys.NATIVE), backend.attempt(Sys.NATIVE));
    }

    @Test
    void anotherKernelIsAskedEveryTime() throws IOException {
        var sys = new CountingSys();
        for (int i = 0; i < 3; i++) {
            Backend.open(sys).reactor().close();
        }

        assertEquals(3, sys.count("epoll_create1"));
    }
}
