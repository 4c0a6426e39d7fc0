package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class SimTimerTest {
    @Nested
    final class Timers extends TimerContract {
        Timers() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Repeating extends TimerRepeatContract {
        Repeating() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Threads extends TimerThreadsContract {
        Threads() {
            super(Backend.SIM);
        }
    }
}
