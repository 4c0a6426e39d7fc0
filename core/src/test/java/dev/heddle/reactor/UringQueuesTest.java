package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.kernel.CountingSys;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/// Queues that are too small lose nothing.
final class UringQueuesTest extends UringTestCase {
    private final List<Wire> wires = new ArrayList<>();

    @Test
    void moreRegistrationsThanSubmissionEntriesAreAllArmed() throws IOException {
        registerMany(1000);
        poll(0);
        wires.forEach(Wire::send);

        assertEquals(tokens(1000), tokensUntilSilent());
        assertSilent();
    }

    @Test
    void moreOperationsThanSubmissionEntriesAllComplete() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        var seen = new TreeSet<Long>();
        for (long tag = 0; tag < 1000; tag++) {
            nop(tag);
        }
        assertEquals(1000, ring().inFlight());
        while (ring().inFlight() > 0) {
            reactor.poll(out, FOREVER);
            completed().forEach(entry -> seen.add(Long.valueOf(entry.replace(":0", ""))));
        }

        assertEquals(tokens(1000), seen);
        assertTrue(sys.count("io_uring_enter") < 40, "a system call for every few operations");
    }

    @Test
    void aCompletionQueueThatOverflowsLosesNoEvent() throws IOException {
        reopen(new SmallRings());
        registerMany(200);
        poll(0);
        for (int round = 0; round < 3; round++) {
            wires.forEach(Wire::send);
            assertEquals(tokens(200), tokensUntilSilent());
        }
    }

    @Test
    void aCompletionQueueThatOverflowsLosesNoOperation() throws IOException {
        reopen(new SmallRings());
        var seen = new TreeSet<Long>();
        for (long tag = 0; tag < 500; tag++) {
            nop(tag);
        }
        while (ring().inFlight() > 0) {
            reactor.poll(out, FOREVER);
            completed().forEach(entry -> seen.add(Long.valueOf(entry.replace(":0", ""))));
        }

        assertEquals(tokens(500), seen);
    }

    @Test
    void unregisteringManyWithoutAPollBetweenLeavesNothingBehind() throws IOException {
        reopen(new SmallRings());
        registerMany(100);
        poll(0);
        wires.forEach(Wire::send);
        for (var wire : wires) {
            reactor.unregister(wire.fd());
        }

        assertSilent();
        assertEquals(0, reactor.registered());
    }

    @Test
    void aPollIsOneSystemCall() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        registerMany(3);
        poll(MOMENT_NANOS);
        sys.forget();
        wires.forEach(Wire::send);
        poll(0);
        poll(0);
        poll(MOMENT_NANOS);

        assertEquals(List.of("io_uring_enter", "io_uring_enter", "io_uring_enter"), sys.calls());
    }

    private void registerMany(int count) throws IOException {
        for (long token = 0; token < count; token++) {
            wires.add(registered(token, READ));
        }
    }

    /// The tokens of all that is reported until a poll has nothing to report. Each is read at once:
    /// the kernel ends a poll that does not fit into its queue, and the next one reports what is
    /// there.
    private Set<Long> tokensUntilSilent() throws IOException {
        var seen = new TreeSet<Long>();
        while (reactor.poll(out, MOMENT_NANOS) > 0) {
            for (int i = 0; i < out.count(); i++) {
                seen.add(out.token(i));
                wires.get((int) out.token(i)).drain();
            }
        }
        return seen;
    }

    private static Set<Long> tokens(int count) {
        return new TreeSet<>(LongStream.range(0, count).boxed().toList());
    }
}
