package dev.heddle.loop;

/// `System.nanoTime`, moved so that it starts near 0: its own origin may lie anywhere, and
/// deadlines are compared, not subtracted.
///
/// **Thread:** immutable.
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    private final long origin = System.nanoTime();

    private SystemClock() {}

    @Override
    public long nanos() {
        return System.nanoTime() - origin;
    }
}
