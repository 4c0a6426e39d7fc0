package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class SimSourcesTest {
    @Nested
    final class Asyncs extends AsyncContract {
        Asyncs() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Posts extends PostContract {
        Posts() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Races extends RaceContract {
        Races() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Offloading extends OffloadContract {
        Offloading() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Cancelling extends CancelContract {
        Cancelling() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Watches extends WatchContract {
        Watches() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Batches extends WatchBatchContract {
        Batches() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Signalling extends SignalContract {
        Signalling() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Workers extends WorkersContract {
        Workers() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class WatchInput extends WatchInputContract {
        WatchInput() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class SignalLife extends SignalLifeContract {
        SignalLife() {
            super(Backend.SIM);
        }
    }
}
