package dev.heddle.event;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// The kinds of events on the kernel, through poll(2).
final class PollKindsTest {
    @Nested
    final class Triggers extends TriggerContract {
        Triggers() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Timers extends TimerEventContract {
        Timers() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Polls extends PollEventContract {
        Polls() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Proxies extends PollProxyContract {
        Proxies() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Signals extends SignalEventContract {
        Signals() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Works extends WorkEventContract {
        Works() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Handles extends EventHandleContract {
        Handles() {
            super(Backend.POLL);
        }
    }
}
