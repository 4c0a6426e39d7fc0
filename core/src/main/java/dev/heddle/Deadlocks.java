package dev.heddle;

import java.util.List;

/// Finds coroutines that wait for each other, or for nothing.
///
/// **Thread:** loop.
final class Deadlocks {
    private final Scheduler scheduler;

    Deadlocks(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// The loop is about to wait.
    void beforeWait() {
        if (scheduler.inJdk() == 0 && !scheduler.loop.alive()) {
            scheduler.loop.stop();
        }
    }

    /// `self` is about to wait for what is gathered in its waker.
    void beforeWait(Coroutine<?> self) {}

    DeadlockError selfAwait(Coroutine<?> self) {
        return new DeadlockError(self.name() + " awaits itself", List.of(self.info()));
    }
}
