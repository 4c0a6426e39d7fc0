package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class UringTimerTest {
    @Nested
    final class Timers extends TimerContract {
        Timers() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Repeating extends TimerRepeatContract {
        Repeating() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Threads extends TimerThreadsContract {
        Threads() {
            super(Backend.URING);
        }
    }
}
