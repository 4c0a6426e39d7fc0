package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// What is reported, how often, and with which bits.
///
/// Where a claim is "reported once", the descriptor has one interest only: with two, kernels may
/// repeat the one when the other changes, and the contract allows it.
abstract class ReadinessContract extends ReactorTestCase {
    @Test
    void nothingRegisteredReportsNothing() throws IOException {
        assertEquals(List.of(), poll(0));
        assertSilent();
    }

    @Test
    void nothingReadyReportsNothing() throws IOException {
        reactor.register(descriptors.wire().fd(), 7, READ);

        assertEquals(List.of(), poll(0));
        assertSilent();
    }

    @Test
    void dataIsReportedWithTheToken() throws IOException {
        var wire = registered(7, READ);
        wire.send();

        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void whatIsReadyAtRegistrationIsReported() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        reactor.register(wire.fd(), 7, READ);

        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void anEdgeIsReportedOnce() throws IOException {
        var wire = registered(7, READ);
        wire.send();

        assertEquals(List.of("7:READ"), next());
        assertSilent();
    }

    @Test
    void afterConsumedNewDataIsReportedAgain() throws IOException {
        var wire = registered(7, READ);
        for (int round = 0; round < 3; round++) {
            wire.send();
            assertEquals(List.of("7:READ"), next());
            wire.drain();
            reactor.consumed(wire.fd(), READ);
            assertSilent();
        }
    }

    @Test
    void dataThatComesBetweenTheLastReadAndConsumedIsReported() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        assertEquals(List.of("7:READ"), next());
        wire.drain();
        wire.send();
        reactor.consumed(wire.fd(), READ);

        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void roomToWriteIsReportedAgainAfterConsumed() throws IOException {
        var wire = registered(7, WRITE);
        assertEquals(List.of("7:WRITE"), next());
        wire.fill();
        reactor.consumed(wire.fd(), WRITE);
        assertSilent();
        wire.makeRoom();

        assertEquals(List.of("7:WRITE"), next());
    }

    @Test
    void consumingOneDirectionLeavesTheOther() throws IOException {
        var wire = registered(7, READ | WRITE);
        assertEquals(List.of("7:WRITE"), next());
        wire.fill();
        reactor.consumed(wire.fd(), WRITE);
        wire.send();
        assertTrue(next().contains("7:READ"));

        wire.makeRoom();
        assertTrue((bitsOfNext(7) & WRITE) != 0);
    }

    @Test
    void levelReportsOnEveryPollUntilDrained() throws IOException {
        var wire = registered(7, READ | LEVEL);
        wire.send();
        for (int round = 0; round < 3; round++) {
            assertEquals(List.of("7:READ"), next());
        }
        wire.drain();

        assertSilent();
        wire.send();
        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void levelAndEdgesCanBeExchanged() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        assertEquals(List.of("7:READ"), next());

        reactor.modify(wire.fd(), 7, READ | LEVEL);
        assertEquals(List.of("7:READ"), next());
        assertEquals(List.of("7:READ"), next());

        reactor.modify(wire.fd(), 7, READ);
        assertEquals(List.of("7:READ"), next());
        assertSilent();
    }

    @Test
    void modifyReportsAnewWhatIsReady() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        assertEquals(List.of("7:READ"), next());
        reactor.modify(wire.fd(), 7, READ);

        assertEquals(List.of("7:READ"), next());
    }

    @Test
    void modifyReplacesTokenAndInterest() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        reactor.modify(wire.fd(), 8, WRITE);
        assertEquals(List.of("8:WRITE"), next());
        assertSilent();

        reactor.modify(wire.fd(), 9, READ);
        assertEquals(List.of("9:READ"), next());
        assertSilent();
    }

    @Test
    void bothDirectionsComeInOneEvent() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        reactor.register(wire.fd(), 7, READ | WRITE);

        assertEquals(List.of("7:READ|WRITE"), next());
    }

    @Test
    void urgentDataIsPriorityAndOrdinaryDataStillRead() throws IOException {
        assumeTrue(seesUrgentData(), "this kernel's calls do not tell of urgent data");
        var wire = descriptors.urgentWire();
        reactor.register(wire.fd(), 7, READ | PRIORITY);
        wire.sendUrgent();
        assertTrue((bitsOfNext(7) & PRIORITY) != 0);

        wire.send();
        assertTrue((bitsOfNext(7) & READ) != 0);
    }

    @Test
    void ordinaryDataIsNotPriority() throws IOException {
        assumeTrue(seesUrgentData(), "this kernel's calls do not tell of urgent data");
        var wire = descriptors.urgentWire();
        reactor.register(wire.fd(), 7, PRIORITY);
        wire.send();
        assertSilent();

        wire.sendUrgent();
        assertEquals(List.of("7:PRIORITY"), next());
    }

    @Test
    void theEndOfThePeersStreamIsSomethingToRead() throws IOException {
        var wire = registered(7, READ);
        wire.finish();

        assertTrue((bitsOfNext(7) & READ) != 0);
    }

    @Test
    void smallBuffersLoseNothing() throws IOException {
        var expected = new TreeSet<Long>();
        var wires = new ArrayList<Wire>();
        for (long token = 0; token < 50; token++) {
            wires.add(registered(token, READ));
            expected.add(token);
        }
        wires.forEach(Wire::send);

        assertEquals(expected, tokensOf(10, new ReadyEvents(7)));
        assertSilent();
    }

    @Test
    void noDescriptorStarvesInASmallBuffer() throws IOException {
        var expected = new TreeSet<Long>();
        for (long token = 0; token < 30; token++) {
            registered(token, READ | LEVEL).send();
            expected.add(token);
        }

        assertEquals(expected, tokensOf(12, new ReadyEvents(4)));
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, WRITE, PRIORITY, READ | WRITE, READ | LEVEL})
    void hangUpIsReportedWhateverWasAsked(int interest) throws IOException {
        assumeTrue(
                seesUrgentData() || interest != PRIORITY,
                "this kernel's calls do not tell of urgent data");
        var wire = registered(7, interest);
        poll(0);
        wire.hangUp();

        assertEquals(List.of("7:READ|WRITE|HUP"), next());
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, WRITE, PRIORITY, READ | WRITE, READ | LEVEL})
    void hangUpBeforeRegistrationIsReported(int interest) throws IOException {
        assumeTrue(
                seesUrgentData() || interest != PRIORITY,
                "this kernel's calls do not tell of urgent data");
        var wire = descriptors.wire();
        wire.hangUp();
        reactor.register(wire.fd(), 7, interest);

        assertEquals(List.of("7:READ|WRITE|HUP"), next());
    }

    @Test
    void hangUpIsNewsAlsoWhileEarlierDataIsUnread() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        assertEquals(List.of("7:READ"), next());
        wire.hangUp();

        assertEquals(List.of("7:READ|WRITE|HUP"), next());
    }

    @Test
    void hangUpIsReportedOnce() throws IOException {
        var wire = registered(7, READ);
        wire.hangUp();

        assertEquals(List.of("7:READ|WRITE|HUP"), next());
        assertSilent();
    }

    @Test
    void hangUpByLevelIsReportedUntilNobodyIsInterested() throws IOException {
        var wire = registered(7, READ | LEVEL);
        wire.hangUp();
        assertEquals(List.of("7:READ|WRITE|HUP"), next());
        assertEquals(List.of("7:READ|WRITE|HUP"), next());
        reactor.modify(wire.fd(), 7, NONE);

        assertSilent();
    }

    @ParameterizedTest
    @ValueSource(ints = {NONE, LEVEL})
    void noInterestIsNeverReportedAndNeverEndsAWait(int interest) throws IOException {
        var early = descriptors.wire();
        early.send();
        early.hangUp();
        reactor.register(early.fd(), 7, interest);
        var late = registered(8, interest);
        late.send();
        late.hangUp();

        assertSilent();
        reactor.modify(late.fd(), 9, READ);
        assertEquals(List.of("9:READ|WRITE|HUP"), next());
    }

    @Test
    void noInterestAfterSomeSilencesWhatIsPending() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        reactor.modify(wire.fd(), 7, NONE);
        wire.hangUp();

        assertSilent();
        assertEquals(1, reactor.registered());
    }
}
