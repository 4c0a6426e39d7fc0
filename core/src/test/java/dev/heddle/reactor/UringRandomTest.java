package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.sys.Sys;
import dev.heddle.testing.Wire;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Random registrations, changes, ends and data, against a model: nothing that is ready goes
/// unreported, and no event carries the token of a registration that has ended.
final class UringRandomTest extends UringTestCase {
    private static final int WIRES = 24;
    private static final int STEPS = 1500;
    private static final int POLLS_MAX = 200;

    // By token, which is new for every registration and modification.
    private final Map<Long, Watch> watches = new HashMap<>();
    private final List<Watch> all = new ArrayList<>();
    private long tokens;

    /// One descriptor, and what the reactor ought to know of it.
    private static final class Watch {
        private Wire wire;
        private boolean registered;
        private long token;
        private int interest;
        private boolean unread;
        private boolean reported;

        private boolean isDue() {
            return registered && unread && (interest & READ) != 0 && !reported;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "4, true", "5, true", "6, true"})
    void nothingIsLostAndNothingIsStale(long seed, boolean smallRings) throws IOException {
        reopen(smallRings ? new SmallRings() : Sys.NATIVE);
        var random = new Random(seed);
        for (int i = 0; i < WIRES; i++) {
            var watch = new Watch();
            watch.wire = descriptors.wire();
            all.add(watch);
        }
        for (int step = 0; step < STEPS; step++) {
            var watch = all.get(random.nextInt(WIRES));
            act(watch, random.nextInt(12), random);
            if (random.nextInt(8) == 0) {
                pollUntilNothingIsDue("seed " + seed + ", step " + step);
            }
        }
        assertEquals(all.stream().filter(w -> w.registered).count(), reactor.registered());
    }

    private void act(Watch watch, int action, Random random) throws IOException {
        switch (action) {
            case 0, 1, 2 -> {
                watch.wire.send();
                watch.unread = true;
                // New data is a new edge, or still the same level.
                watch.reported = false;
            }
            case 3, 4 -> {
                watch.wire.drain();
                watch.unread = false;
            }
            case 5, 6 -> set(watch, random);
            case 7, 8 -> end(watch);
            case 9 -> {
                end(watch);
                int number = watch.wire.fd();
                watch.wire.close();
                watch.wire = descriptors.wireWithNumber(number);
                watch.unread = false;
                set(watch, random);
            }
            case 10 -> look(new ReadyEvents(1 + random.nextInt(4)), 0);
            default -> {
                reactor.wake();
                look(out, PATIENCE_NANOS);
            }
        }
    }

    private void set(Watch watch, Random random) throws IOException {
        int interest = random.nextInt(4) | (random.nextInt(3) == 0 ? LEVEL : 0);
        long token = ++tokens;
        if (watch.registered) {
            reactor.modify(watch.wire.fd(), token, interest);
            watches.remove(watch.token);
        } else {
            reactor.register(watch.wire.fd(), token, interest);
        }
        watch.registered = true;
        watch.token = token;
        watch.interest = interest;
        watch.reported = false;
        watches.put(token, watch);
    }

    private void end(Watch watch) throws IOException {
        if (watch.registered) {
            reactor.unregister(watch.wire.fd());
            watches.remove(watch.token);
            watch.registered = false;
        }
    }

    private void pollUntilNothingIsDue(String where) throws IOException {
        for (int polls = 0; all.stream().anyMatch(Watch::isDue); polls++) {
            assertTrue(polls < POLLS_MAX, () -> where + ": something ready is not reported");
            look(out, 0);
        }
    }

    private void look(ReadyEvents buffer, long timeoutNanos) throws IOException {
        reactor.poll(buffer, timeoutNanos);
        for (int i = 0; i < buffer.count(); i++) {
            var watch = watches.get(buffer.token(i));
            assertTrue(watch != null, "an event for a registration that has ended");
            int unasked = buffer.bits(i) & ~watch.interest;
            assertEquals(0, unasked, () -> "nobody asked for " + Interest.describe(unasked));
            watch.reported |= buffer.readable(i);
        }
    }
}
