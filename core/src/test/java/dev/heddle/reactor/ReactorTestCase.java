package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.Leaks;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/// A reactor and descriptors for it before each test, and the words in which the claims are
/// written.
///
/// The limit is for a wait that never ends: the test then fails beside the thread that hangs.
@ExtendWith(Leaks.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ReactorTestCase {
    static final int READ = Interest.READ;
    static final int WRITE = Interest.WRITE;
    static final int PRIORITY = Interest.PRIORITY;
    static final int LEVEL = Interest.LEVEL;
    static final int NONE = Interest.NONE;

    static final long FOREVER = -1;
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    final ReadyEvents out = new ReadyEvents(64);
    Reactor reactor;
    Descriptors descriptors;

    // The test's thread writes, the runner's reads after a test that hangs.
    private volatile boolean polling;

    abstract Reactor open() throws IOException;

    abstract Descriptors descriptors(Reactor reactor);

    /// {@return whether the kernel tells this backend of urgent data}
    boolean seesUrgentData() {
        return true;
    }

    @BeforeEach
    void openBoth() throws IOException {
        reactor = open();
        descriptors = descriptors(reactor);
    }

    @AfterEach
    void closeBoth() {
        // Not there if the set-up was skipped. And a test that hangs leaves its reactor to a thread
        // that is inside the kernel with its memory: taking that away would end the process.
        if (descriptors != null && !polling) {
            descriptors.close();
            reactor.close();
        }
    }

    /// Goes on with this reactor, and descriptors for it, instead of those of the set-up.
    void reopen(Reactor other) {
        closeBoth();
        reactor = other;
        descriptors = descriptors(other);
    }

    Wire registered(long token, int interest) throws IOException {
        var wire = descriptors.wire();
        reactor.register(wire.fd(), token, interest);
        return wire;
    }

    /// What one poll reports, as `token:BITS`.
    List<String> poll(long timeoutNanos) throws IOException {
        polling = true;
        int count = reactor.poll(out, timeoutNanos);
        polling = false;
        assertEquals(count, out.count());
        var seen = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            seen.add(out.token(i) + ":" + Interest.describe(out.bits(i)));
        }
        return seen;
    }

    /// What is reported next. The wait is long, and over as soon as there is something.
    List<String> next() throws IOException {
        return poll(PATIENCE_NANOS);
    }

    /// The bits of the next poll's only event, which must carry this token.
    int bitsOfNext(long token) throws IOException {
        assertEquals(1, reactor.poll(out, PATIENCE_NANOS));
        assertEquals(token, out.token(0));
        return out.bits(0);
    }

    /// Nothing is reported, and nothing ends the wait before its time.
    void assertSilent() throws IOException {
        long start = descriptors.nanos();
        assertEquals(List.of(), poll(MOMENT_NANOS));
        assertTrue(descriptors.nanos() - start >= MOMENT_NANOS, "the wait ended early");
    }

    Set<Long> tokensOf(int polls, ReadyEvents buffer) throws IOException {
        var tokens = new TreeSet<Long>();
        for (int round = 0; round < polls; round++) {
            int count = reactor.poll(buffer, 0);
            assertTrue(count <= buffer.capacity());
            for (int i = 0; i < count; i++) {
                tokens.add(buffer.token(i));
            }
        }
        return tokens;
    }

    static void assertErrno(int expected, Executable call) {
        var thrown = assertThrows(ErrnoException.class, call);
        assertEquals(expected, thrown.errno(), thrown.getMessage());
    }
}
