package dev.heddle.event;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// The kinds of events on the simulated kernel.
final class SimKindsTest {
    @Nested
    final class Triggers extends TriggerContract {
        Triggers() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Timers extends TimerEventContract {
        Timers() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Polls extends PollEventContract {
        Polls() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Proxies extends PollProxyContract {
        Proxies() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Signals extends SignalEventContract {
        Signals() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Works extends WorkEventContract {
        Works() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Handles extends EventHandleContract {
        Handles() {
            super(Backend.SIM);
        }
    }
}
