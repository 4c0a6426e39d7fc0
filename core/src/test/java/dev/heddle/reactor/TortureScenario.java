package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.sys.Errno;
import dev.heddle.testing.Descriptors;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// The life of a reactor in a few steps, each of which may fail once and is then tried again.
final class TortureScenario {
    private static final long FOREVER = -1;
    private static final long MOMENT_NANOS = 1_000_000;
    private static final int POLLS_MAX = 8;

    private interface Step {
        void run() throws IOException;
    }

    interface Opener {
        Reactor open() throws IOException;
    }

    private final Opener opener;
    private final Descriptors descriptors;
    private final ReadyEvents out = new ReadyEvents(16);
    private final List<String> trail = new ArrayList<>();
    private final List<IOException> failures = new ArrayList<>();
    private @Nullable Reactor made;

    TortureScenario(Opener opener, Descriptors descriptors) {
        this.opener = opener;
        this.descriptors = descriptors;
    }

    /// {@return what a user saw, without the failures}
    List<String> trail() {
        return trail;
    }

    List<IOException> failures() {
        return failures;
    }

    void run() throws IOException {
        step("open", () -> made = opener.open());
        try (var reactor = made) {
            live(reactor);
        }
    }

    private void live(Reactor reactor) throws IOException {
        var first = descriptors.wire();
        var second = descriptors.wire();
        step("register", () -> reactor.register(first.fd(), 1, Interest.READ));
        step("register", () -> reactor.register(second.fd(), 2, Interest.WRITE));
        first.send();
        expect(reactor, "1:READ", "2:WRITE");
        first.drain();
        reactor.consumed(first.fd(), Interest.READ);
        reactor.wake();
        step("woken", () -> reactor.poll(out, FOREVER));
        step("silence", () -> reactor.modify(first.fd(), 3, Interest.NONE));
        first.send();
        step("nothing", () -> reactor.poll(out, MOMENT_NANOS));
        step("modify", () -> reactor.modify(first.fd(), 4, Interest.READ | Interest.LEVEL));
        expect(reactor, "4:READ");
        step("descriptor", reactor::fd);
        reactor.wake();
        step("woken", () -> reactor.poll(out, MOMENT_NANOS));
        step("unregister", () -> reactor.unregister(first.fd()));
        step("unregister", () -> reactor.unregister(second.fd()));
        assertEquals(0, reactor.registered());
    }

    // A failure that passes leaves things as they were: the second try works.
    private void step(String name, Step step) throws IOException {
        try {
            step.run();
        } catch (IOException failure) {
            failures.add(failure);
            retry(name, step, failure);
        }
        trail.add(name);
    }

    private static void retry(String name, Step step, IOException failure) {
        try {
            step.run();
        } catch (IOException again) {
            again.addSuppressed(failure);
            throw new AssertionError(name + " fails for ever, though the fault has passed", again);
        }
    }

    // Not one less than this, however the reports are spread over polls; and not many polls.
    private void expect(Reactor reactor, String... events) throws IOException {
        var wanted = new TreeSet<>(List.of(events));
        var seen = new TreeSet<String>();
        for (int polls = 0; !seen.containsAll(wanted); polls++) {
            assertTrue(polls < POLLS_MAX, () -> wanted + " never came, only " + seen);
            step("poll", () -> reactor.poll(out, MOMENT_NANOS));
            trail.removeLast();
            for (int i = 0; i < out.count(); i++) {
                seen.add(out.token(i) + ":" + Interest.describe(out.bits(i)));
            }
        }
        trail.add(seen.toString());
    }

    /// {@return whether the failures are what `errno` should have caused}
    boolean tells(int errno) {
        return failures.size() == 1
                && (failures.getFirst() instanceof ErrnoException told
                        ? told.errno() == errno
                        : failures.getFirst().getMessage().contains(Errno.describe(errno)));
    }
}
