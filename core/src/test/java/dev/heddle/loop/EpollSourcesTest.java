package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class EpollSourcesTest {
    @Nested
    final class Asyncs extends AsyncContract {
        Asyncs() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Posts extends PostContract {
        Posts() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Races extends RaceContract {
        Races() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Offloading extends OffloadContract {
        Offloading() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Cancelling extends CancelContract {
        Cancelling() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Watches extends WatchContract {
        Watches() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Batches extends WatchBatchContract {
        Batches() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Kernel extends KernelContract {
        Kernel() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Signalling extends SignalContract {
        Signalling() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Workers extends WorkersContract {
        Workers() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class WatchInput extends WatchInputContract {
        WatchInput() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class SignalLife extends SignalLifeContract {
        SignalLife() {
            super(Backend.EPOLL);
        }
    }
}
