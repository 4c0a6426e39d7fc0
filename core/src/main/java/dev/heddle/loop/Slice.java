package dev.heddle.loop;

/// Tells when tasks that are run one after another have had their time.
///
/// Reading the clock costs a tenth of a switch between coroutines, so it is not read after each
/// task: while tasks are quick it is read every few of them, and after each one as soon as one was
/// not. So a slow one is noticed at most a few tasks late, once.
///
/// **Thread:** loop.
final class Slice {
    private static final int STEP_MAX = 8;
    // What this many quick tasks take, and far more.
    private static final long QUICK_NANOS = 10_000;
    // In a long line even the first tasks may be slow ones: it pays to find out.
    private static final int LONG = 64;

    private final Clock clock;
    private final long limitNanos;
    private long began;
    private long looked;
    private int step = 1;
    private int untilLook = 1;
    private boolean over;
    private boolean bounded = true;

    /// @param limitNanos zero for no limit
    Slice(Clock clock, long limitNanos) {
        this.clock = clock;
        this.limitNanos = limitNanos;
    }

    /// @param count how many tasks there are to run
    void begin(long now, int count) {
        began = now;
        over = false;
        if (count > LONG) {
            step = 1;
            untilLook = 1;
        }
    }

    void bound(boolean newBounded) {
        bounded = newBounded;
    }

    boolean isBounded() {
        return bounded;
    }

    /// To be asked between two tasks.
    ///
    /// @return whether the time is over; if it is, that is so until the next begins
    boolean isOver() {
        return over || (--untilLook <= 0 && look());
    }

    /// {@return when it was last found to be over}
    long looked() {
        return looked;
    }

    private boolean look() {
        long before = looked;
        looked = clock.nanos();
        step = looked - before < QUICK_NANOS ? Math.min(2 * step, STEP_MAX) : 1;
        untilLook = step;
        over = bounded && limitNanos > 0 && looked - began >= limitNanos;
        return over;
    }
}
