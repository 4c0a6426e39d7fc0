package dev.heddle.event;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// The kinds of events on the kernel, through io_uring.
final class UringKindsTest {
    @Nested
    final class Triggers extends TriggerContract {
        Triggers() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Timers extends TimerEventContract {
        Timers() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Polls extends PollEventContract {
        Polls() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Proxies extends PollProxyContract {
        Proxies() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Signals extends SignalEventContract {
        Signals() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Works extends WorkEventContract {
        Works() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Handles extends EventHandleContract {
        Handles() {
            super(Backend.URING);
        }
    }
}
