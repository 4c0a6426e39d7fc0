package dev.heddle;

/// Notices a coroutine that keeps its loop from running.
///
/// **Thread:** its own.
final class Watchdog implements AutoCloseable {
    private Watchdog() {}

    static Watchdog watch(Scheduler scheduler) {
        return new Watchdog();
    }

    @Override
    public void close() {}
}
