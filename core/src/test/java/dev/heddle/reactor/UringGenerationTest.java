package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;

/// An event that was on its way when its registration ended reaches nobody.
final class UringGenerationTest extends UringTestCase {
    @ParameterizedTest
    @ValueSource(ints = {READ, READ | LEVEL})
    void anUncollectedEventDoesNotReachANewOwnerOfTheNumber(int interest) throws IOException {
        var old = withUncollectedEvent(7, interest);
        int number = old.fd();
        reactor.unregister(number);
        old.close();
        var fresh = descriptors.wireWithNumber(number);
        reactor.register(number, 8, interest);
        assertEquals(List.of("1:READ"), next());
        assertSilent();

        fresh.send();
        assertEquals(List.of("8:READ"), next());
    }

    @Test
    void anUncollectedEventDoesNotReachTheSameFileRegisteredAgain() throws IOException {
        var wire = withUncollectedEvent(7, READ);
        reactor.unregister(wire.fd());
        wire.drain();
        reactor.register(wire.fd(), 8, READ);
        assertEquals(List.of("1:READ"), next());

        assertSilent();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, READ | LEVEL})
    void anUncollectedEventDoesNotOutliveAModification(int interest) throws IOException {
        var wire = withUncollectedEvent(7, interest);
        wire.drain();
        reactor.modify(wire.fd(), 8, interest);
        assertEquals(List.of("1:READ"), next());
        assertSilent();

        wire.send();
        assertEquals(List.of("8:READ"), next());
    }

    @Test
    void anEventThatTheKernelHasPutOffDoesNotSurviveUnregister() throws IOException {
        var wire = registered(7, READ);
        poll(0);
        wire.send();
        reactor.unregister(wire.fd());

        assertSilent();
    }

    @Test
    void manyChangesBeforeAPollCountAsTheLast() throws IOException {
        var wire = descriptors.wire();
        for (int round = 0; round < 50; round++) {
            reactor.register(wire.fd(), round, READ | WRITE);
            reactor.modify(wire.fd(), 100 + round, NONE);
            reactor.unregister(wire.fd());
        }
        reactor.register(wire.fd(), 7, WRITE);

        assertEquals(List.of("7:WRITE"), next());
        assertSilent();
    }

    @Test
    void userDataKeepsEveryBit() {
        for (int fd : new int[] {0, 1, 1 << 24, Integer.MAX_VALUE}) {
            for (int generation : new int[] {0, 1, 1 << 24, Integer.MAX_VALUE}) {
                long data = UserData.ofPoll(fd, generation);

                assertEquals(UserData.POLL, UserData.kind(data));
                assertEquals(fd, UserData.fd(data));
                assertEquals(generation, UserData.generation(data));
            }
        }
        for (long tag : new long[] {0, 1, 1L << 31, Ring.TAG_MAX}) {
            assertEquals(UserData.OPERATION, UserData.kind(UserData.ofOperation(tag)));
            assertEquals(tag, UserData.tag(UserData.ofOperation(tag)));
        }
        assertEquals(UserData.WAKE, UserData.kind(UserData.OF_WAKE));
        assertEquals(UserData.REMOVAL, UserData.kind(UserData.OF_REMOVAL));
    }

    @Test
    void aGenerationIsNeverNegativeAndNeverTheSame() {
        assertEquals(0, UserData.next(Integer.MAX_VALUE));
        assertNotEquals(UserData.next(5), UserData.next(6));
    }

    /// A wire whose event lies in the completion queue, behind one with token 1 that keeps it
    /// there: another's removal has entered the kernel, but nobody has polled.
    private Wire withUncollectedEvent(long token, int interest) throws IOException {
        var first = registered(1, READ);
        var wire = registered(token, interest);
        var other = registered(99, READ);
        assertSilent();
        first.send();
        wire.send();
        reactor.unregister(other.fd());
        return wire;
    }
}
