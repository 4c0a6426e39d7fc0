package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// What a [Watch] promises, on every backend. What happens inside one batch of events is in
/// [WatchBatchContract], what is refused in [WatchInputContract].
///
/// **Thread:** owner (the test runner).
abstract class WatchContract extends WatchTestCase {
    WatchContract(Backend backend) {
        super(backend);
    }

    // L66
    @Test
    void withLevelUnreadDataIsReportedInEveryTurn() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), READ | LEVEL, noting("level"));
        assertEquals(List.of(), turn());

        wire.send();
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("level:READ"), turn());
        }
        wire.drain();
        assertEquals(List.of(), turn());

        end(loop, watch);
    }

    // L66
    @Test
    void withoutLevelUnreadDataIsReportedOnceAndNewDataOnceMore() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), READ, noting("edge"));
        wire.send();

        assertEquals(List.of("edge:READ"), turn());
        assertEquals(List.of(), turn());
        assertEquals(READ, watch.latched());

        wire.drain();
        watch.consumed(READ);
        assertEquals(0, watch.latched());
        assertEquals(List.of(), turn());
        wire.send();
        assertEquals(List.of("edge:READ"), turn());

        end(loop, watch);
    }

    // L67
    @Test
    void aTurnThatDoesNotWaitReportsWhatIsPending() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        var watch = loop.watch(wire.fd(), READ, noting("pending"));

        assertEquals(1, loop.runNowait());

        assertEquals(List.of("pending:READ"), trail);
        assertEquals(1, loop.stats().events());
        end(loop, watch);
    }

    @Test
    void dataThatComesLaterEndsTheWait() throws IOException {
        var wire = descriptors.wire();
        var threads = new ArrayList<Thread>();
        var watch = loop.watch(wire.fd(), READ, (_, _) -> threads.add(Thread.currentThread()));

        if (fixture.isSimulated()) {
            fixture.sim().at(1000, wire::send);
            loop.runOnce();
        } else {
            whileAsleep(wire::send, () -> loop.runOnce());
        }

        assertEquals(List.of(Thread.currentThread()), threads);
        end(loop, watch);
    }

    // L71
    @Test
    void closingManyWatchesTellsEachOfThem() throws IOException {
        var watches = new ArrayList<Watch>();
        for (int i = 0; i < 64; i++) {
            watches.add(loop.watch(descriptors.wire().fd(), READ, noting("watch " + i)));
        }
        assertEquals(64, loop.stats().watches());
        var closed = new AtomicInteger();

        watches.forEach(watch -> watch.close(closed::incrementAndGet));
        assertEquals(0, closed.get());
        assertFalse(loop.run());

        assertEquals(64, closed.get());
        assertEquals(List.of(), trail);
        assertEquals(0, loop.stats().watches());
    }

    // L74
    @Test
    void urgentDataIsPriorityAndOrdinaryDataIsRead() throws IOException {
        var wire = descriptors.urgentWire();
        var watch = loop.watch(wire.fd(), READ | PRIORITY, noting("wire"));

        wire.sendUrgent();
        assertEquals(PRIORITY, turnBits() & PRIORITY, trail.toString());
        wire.send();
        assertEquals(READ, turnBits() & READ, trail.toString());

        end(loop, watch);
    }

    @Test
    void startingAgainChangesTheInterest() throws IOException {
        var wire = descriptors.wire();
        wire.send();
        var watch = loop.watch(wire.fd(), READ, noting("wire"));
        assertEquals(List.of("wire:READ"), turn());

        watch.start(WRITE);
        assertEquals(WRITE, watch.interest());
        assertEquals(List.of("wire:WRITE"), turn());
        watch.start(READ | WRITE);
        assertEquals(List.of("wire:READ|WRITE"), turn());
        watch.start(NONE);
        assertEquals(List.of(), turn());
        assertTrue(watch.isActive());
        watch.start(READ);
        assertEquals(List.of("wire:READ"), turn());

        end(loop, watch);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, WRITE, PRIORITY})
    void aHangUpIsReportedWhateverIsAskedFor(int interest) throws IOException {
        var wire = descriptors.wire();
        wire.fill();
        var watch = loop.watch(wire.fd(), interest, noting("wire"));
        assertEquals(List.of(), turn());

        wire.hangUp();

        assertEquals(HUP, turnBits() & HUP, trail.toString());
        end(loop, watch);
    }

    @Test
    void aHangUpThatNobodyAsksForIsNotReportedAndDoesNotSpin() throws IOException {
        var wire = descriptors.wire();
        var watch = loop.watch(wire.fd(), NONE, noting("wire"));
        wire.hangUp();

        for (int i = 0; i < 3; i++) {
            assertEquals(0, loop.runNowait());
        }

        assertEquals(List.of(), trail);
        end(loop, watch);
    }

    @Test
    void aStartedWatchKeepsTheLoopAliveUntilItIsStoppedOrUnreferenced() throws IOException {
        var watch = loop.watch(descriptors.wire().fd(), noting("wire"));
        assertFalse(loop.alive());
        watch.start(READ);
        assertTrue(loop.alive());

        watch.unref();
        assertFalse(loop.run());
        watch.ref();
        assertTrue(loop.alive());
        watch.stop();
        assertFalse(loop.run());
    }

    @Test
    void itSaysWhatItWatches() throws IOException {
        int fd = descriptors.wire().fd();
        var watch = loop.watch(fd, READ | LEVEL, noting("wire"));
        assertEquals("Watch(fd " + fd + ", READ|LEVEL)", watch.toString());
        assertEquals(fd, watch.fd());
        watch.stop();
        assertEquals("Watch(fd " + fd + ", stopped)", watch.toString());
    }

    // Of one event, which the trail shows as name:BITS.
    private int turnBits() throws IOException {
        var seen = turn();
        assertEquals(1, seen.size(), seen.toString());
        int bits = 0;
        for (var name : seen.getFirst().substring(seen.getFirst().indexOf(':') + 1).split("\\|")) {
            for (int bit : new int[] {READ, WRITE, PRIORITY, HUP}) {
                bits |= Interest.describe(bit).equals(name) ? bit : 0;
            }
        }
        return bits;
    }
}
