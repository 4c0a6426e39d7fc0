package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class PollSourcesTest {
    @Nested
    final class Asyncs extends AsyncContract {
        Asyncs() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Posts extends PostContract {
        Posts() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Races extends RaceContract {
        Races() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Offloading extends OffloadContract {
        Offloading() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Cancelling extends CancelContract {
        Cancelling() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Watches extends WatchContract {
        Watches() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Batches extends WatchBatchContract {
        Batches() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Kernel extends KernelContract {
        Kernel() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Signalling extends SignalContract {
        Signalling() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Workers extends WorkersContract {
        Workers() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class WatchInput extends WatchInputContract {
        WatchInput() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class SignalLife extends SignalLifeContract {
        SignalLife() {
            super(Backend.POLL);
        }
    }
}
