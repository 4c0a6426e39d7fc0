package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class PollLoopTest {
    @Nested
    final class Running extends LoopContract {
        Running() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Turns extends LoopTurnContract {
        Turns() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Completion extends LoopCompletionContract {
        Completion() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Ending extends LoopEndContract {
        Ending() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Threads extends LoopThreadsContract {
        Threads() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Errors extends LoopErrorsContract {
        Errors() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Embedding extends LoopEmbeddingContract {
        Embedding() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Faults extends LoopFaultContract {
        Faults() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Hooks extends HookContract {
        Hooks() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Sources extends SourceContract {
        Sources() {
            super(Backend.POLL);
        }
    }

    @Nested
    final class Statistics extends LoopStatsContract {
        Statistics() {
            super(Backend.POLL);
        }
    }
}
