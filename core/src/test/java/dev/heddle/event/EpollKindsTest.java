package dev.heddle.event;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// The kinds of events on the kernel, through epoll.
final class EpollKindsTest {
    @Nested
    final class Triggers extends TriggerContract {
        Triggers() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Timers extends TimerEventContract {
        Timers() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Polls extends PollEventContract {
        Polls() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Proxies extends PollProxyContract {
        Proxies() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Signals extends SignalEventContract {
        Signals() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Works extends WorkEventContract {
        Works() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Handles extends EventHandleContract {
        Handles() {
            super(Backend.EPOLL);
        }
    }
}
