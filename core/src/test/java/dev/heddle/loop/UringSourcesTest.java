package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class UringSourcesTest {
    @Nested
    final class Asyncs extends AsyncContract {
        Asyncs() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Posts extends PostContract {
        Posts() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Races extends RaceContract {
        Races() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Offloading extends OffloadContract {
        Offloading() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Cancelling extends CancelContract {
        Cancelling() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Watches extends WatchContract {
        Watches() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Batches extends WatchBatchContract {
        Batches() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Kernel extends KernelContract {
        Kernel() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Signalling extends SignalContract {
        Signalling() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Workers extends WorkersContract {
        Workers() {
            super(Backend.URING);
        }
    }

    @Nested
    final class WatchInput extends WatchInputContract {
        WatchInput() {
            super(Backend.URING);
        }
    }

    @Nested
    final class SignalLife extends SignalLifeContract {
        SignalLife() {
            super(Backend.URING);
        }
    }
}
