package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class EpollLoopTest {
    @Nested
    final class Running extends LoopContract {
        Running() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Turns extends LoopTurnContract {
        Turns() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Completion extends LoopCompletionContract {
        Completion() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Ending extends LoopEndContract {
        Ending() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Threads extends LoopThreadsContract {
        Threads() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Errors extends LoopErrorsContract {
        Errors() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Embedding extends LoopEmbeddingContract {
        Embedding() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Faults extends LoopFaultContract {
        Faults() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Hooks extends HookContract {
        Hooks() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Sources extends SourceContract {
        Sources() {
            super(Backend.EPOLL);
        }
    }

    @Nested
    final class Statistics extends LoopStatsContract {
        Statistics() {
            super(Backend.EPOLL);
        }
    }
}
