package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.BeforeEach;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A loop before each test, a trail of what its signal watches were told, and real signals.
///
/// The JVM hands a signal on some time after it was sent, so every claim that nobody is called is
/// made beside a watch that is.
///
/// **Thread:** owner (the test runner).
abstract class SignalTestCase extends LoopTestCase {
    final List<String> trail = new ArrayList<>();
    Loop loop;

    SignalTestCase(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void openLoop() throws IOException {
        loop = fixture.open();
        expectOthers();
    }

    void runUntil(int notes) throws IOException {
        while (trail.size() < notes) {
            loop.runOnce();
            assertFalse(Thread.currentThread().isInterrupted(), "the watchdog came");
        }
        assertEquals(notes, trail.size());
    }

    void noteAndStop(String note) {
        trail.add(note);
        loop.stop();
    }

    static void raise(String name) {
        Libc.signal(JvmSignal.number(name));
    }
}
