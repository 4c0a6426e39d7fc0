package dev.heddle.loop;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Nested;

/// **Thread:** owner (the test runner).
final class SimLoopTest {
    @Nested
    final class Running extends LoopContract {
        Running() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Turns extends LoopTurnContract {
        Turns() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Completion extends LoopCompletionContract {
        Completion() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Ending extends LoopEndContract {
        Ending() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Threads extends LoopThreadsContract {
        Threads() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Errors extends LoopErrorsContract {
        Errors() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Embedding extends LoopEmbeddingContract {
        Embedding() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Hooks extends HookContract {
        Hooks() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Sources extends SourceContract {
        Sources() {
            super(Backend.SIM);
        }
    }

    @Nested
    final class Statistics extends LoopStatsContract {
        Statistics() {
            super(Backend.SIM);
        }
    }
}
