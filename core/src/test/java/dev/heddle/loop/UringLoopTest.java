package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class UringLoopTest {
    @Nested
    final class Running extends LoopContract {
        Running() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Turns extends LoopTurnContract {
        Turns() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Completion extends LoopCompletionContract {
        Completion() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Ending extends LoopEndContract {
        Ending() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Threads extends LoopThreadsContract {
        Threads() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Errors extends LoopErrorsContract {
        Errors() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Embedding extends LoopEmbeddingContract {
        Embedding() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Faults extends LoopFaultContract {
        Faults() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Hooks extends HookContract {
        Hooks() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Sources extends SourceContract {
        Sources() {
            super(Backend.URING);
        }
    }

    @Nested
    final class Statistics extends LoopStatsContract {
        Statistics() {
            super(Backend.URING);
        }
    }
}
