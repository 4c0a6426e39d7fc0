package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.sys.Errno;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// What can be registered, what is refused and how, and what is left of it afterwards.
abstract class RegistrationContract extends ReadinessContract {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, -2, Long.MIN_VALUE, Long.MAX_VALUE, 0xCAFE_BABE_8000_0001L})
    void tokensComeBackUnchanged(long token) throws IOException {
        registered(token, READ).send();

        assertEquals(List.of(token + ":READ"), next());
    }

    @Test
    void theReservedTokenIsRefused() throws IOException {
        var wire = registered(7, READ);
        int other = descriptors.wire().fd();

        assertThrows(IllegalArgumentException.class, () -> reactor.register(other, -1, READ));
        assertThrows(IllegalArgumentException.class, () -> reactor.modify(wire.fd(), -1, READ));
        wire.send();
        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void aNegativeDescriptorIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> reactor.register(-1, 7, READ));
        assertThrows(IllegalArgumentException.class, () -> reactor.modify(-2, 7, READ));
        assertThrows(IllegalArgumentException.class, () -> reactor.unregister(Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @ValueSource(ints = {Interest.HUP, 32, -1, READ | 64})
    void unknownInterestIsRefused(int interest) throws IOException {
        var wire = registered(7, READ);
        int other = descriptors.wire().fd();

        assertThrows(IllegalArgumentException.class, () -> reactor.register(other, 8, interest));
        assertThrows(IllegalArgumentException.class, () -> reactor.modify(wire.fd(), 8, interest));
        assertEquals(1, reactor.registered());
        wire.send();
        assertEquals(List.of("7:READ"), next());
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, NONE})
    void aClosedDescriptorIsRefusedAndLeavesNoTrace(int interest) throws IOException {
        assertSilent(); // so that the reactor has its kernel objects and takes no number later
        var wire = descriptors.wire();
        int number = wire.fd();
        wire.close();

        assertErrno(Errno.EBADF, () -> reactor.register(number, 7, interest));
        assertErrno(Errno.ENOENT, () -> reactor.unregister(number));
        assertEquals(0, reactor.registered());
        var successor = descriptors.wireWithNumber(number);
        reactor.register(number, 8, READ);
        successor.send();
        assertEquals(List.of("8:READ"), next());
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, NONE})
    void filesAndDirectoriesAreRefusedAndLeaveNoTrace(int interest) throws IOException {
        for (int number : new int[] {descriptors.file(), descriptors.directory()}) {
            assertErrno(Errno.EPERM, () -> reactor.register(number, 7, interest));
            assertEquals(0, reactor.registered());
            assertSilent();

            descriptors.close(number);
            var successor = descriptors.wireWithNumber(number);
            reactor.register(number, 8, READ);
            successor.send();
            assertEquals(List.of("8:READ"), next());
            reactor.unregister(number);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, NONE})
    void aSecondRegistrationIsRefusedAndTheFirstStands(int interest) throws IOException {
        var wire = registered(7, interest);

        assertErrno(Errno.EEXIST, () -> reactor.register(wire.fd(), 8, READ));
        assertErrno(Errno.EEXIST, () -> reactor.register(wire.fd(), 8, NONE));
        assertEquals(1, reactor.registered());
        wire.send();
        assertEquals(interest == READ ? List.of("7:READ") : List.of(), poll(MOMENT_NANOS));
    }

    @Test
    void whatIsNotRegisteredCannotBeModifiedOrUnregistered() throws IOException {
        var wire = descriptors.wire();

        assertErrno(Errno.ENOENT, () -> reactor.modify(wire.fd(), 7, READ));
        assertErrno(Errno.ENOENT, () -> reactor.unregister(wire.fd()));
        assertErrno(Errno.ENOENT, () -> reactor.unregister(Integer.MAX_VALUE));
        reactor.register(wire.fd(), 7, READ);
        reactor.unregister(wire.fd());
        assertErrno(Errno.ENOENT, () -> reactor.unregister(wire.fd()));
        assertErrno(Errno.ENOENT, () -> reactor.modify(wire.fd(), 7, READ));
    }

    @Test
    void theUnregisteredIsNeverReported() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        reactor.unregister(wire.fd());
        assertSilent();

        wire.hangUp();
        assertSilent();
    }

    @Test
    void aNewRegistrationReportsWhatIsPendingToItsOwnToken() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        reactor.unregister(wire.fd());
        reactor.register(wire.fd(), 8, READ);

        assertEquals(List.of("8:READ"), next());
        assertSilent();
    }

    @Test
    void aReusedNumberReportsOnlyToItsNewToken() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        reactor.unregister(wire.fd());
        wire.close();
        var successor = descriptors.wireWithNumber(wire.fd());
        reactor.register(successor.fd(), 8, READ);
        assertSilent();

        successor.send();
        assertEquals(List.of("8:READ"), next());
        assertSilent();
    }

    @Test
    void unregisteringAfterCloseIsForgiven() throws IOException {
        var wire = registered(7, READ);
        wire.close();
        reactor.unregister(wire.fd());

        assertEquals(0, reactor.registered());
        assertSilent();
    }

    @Test
    void consumingWhatIsNotRegisteredDoesNothing() throws IOException {
        var wire = descriptors.wire();
        for (int fd : new int[] {wire.fd(), -1, Integer.MAX_VALUE}) {
            reactor.consumed(fd, READ | WRITE | PRIORITY);
        }

        assertEquals(0, reactor.registered());
        assertSilent();
    }

    @Test
    void registrationsAreCounted() throws IOException {
        var wires = new ArrayList<Wire>();
        for (int i = 0; i < 64; i++) {
            wires.add(registered(i, i % 2 == 0 ? READ : NONE));
            assertEquals(i + 1, reactor.registered());
        }
        assertSilent();
        for (int i = 0; i < 64; i++) {
            reactor.unregister(wires.get(i).fd());
            assertEquals(63 - i, reactor.registered());
        }
        assertSilent();
    }

    @Test
    void theOthersWorkAfterOneOfManyIsUnregistered() throws IOException {
        var wires = new ArrayList<Wire>();
        for (int i = 0; i < 20; i++) {
            wires.add(registered(i, READ));
        }
        for (int gone : new int[] {0, 19, 7}) {
            reactor.unregister(wires.get(gone).fd());
        }
        wires.forEach(Wire::send);

        var expected = new TreeSet<Long>();
        for (long token = 1; token < 19; token++) {
            expected.add(token);
        }
        expected.remove(7L);
        assertEquals(expected, tokensOf(2, out));
    }
}
