package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class PollTimerTest {
    @Nested
    final class Timers extends TimerContract {
        Timers() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Repeating extends TimerRepeatContract {
        Repeating() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Threads extends TimerThreadsContract {
        Threads() {
            super(Backend.POLL);
        }
    }
}
