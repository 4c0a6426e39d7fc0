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
}
