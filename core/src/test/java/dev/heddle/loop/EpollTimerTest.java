package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class EpollTimerTest {
    @Nested
    final class Timers extends TimerContract {
        Timers() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Repeating extends TimerRepeatContract {
        Repeating() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Threads extends TimerThreadsContract {
        Threads() {
            super(Backend.EPOLL);
        }
    }
}
