package dev.heddle.loop;

/// Tells when tasks that are run one after another have had their time.
///
/// Reading the clock costs a fifth of a switch between coroutines, so it is not read after each
/// task: while tasks are quick it is read every few of them, and after each one as soon as one was
/// not. So a slow one is noticed at most a few tasks late, once. What the loop itself reads counts.
///
/// **Thread:** loop.
final class Slice {
    private static final int STEP_MAX = 16;
    // What this many quick tasks take, and far more.
    private static final long QUICK_NANOS = 10_000;
    // In a long line even the first tasks may be slow ones: it pays to find out.
    private static final int LONG = 64;
    private static final int LONG_STEP = 1;

    private final Clock clock;
    private final long limitNanos;
    private long began;
    private long looked;
    private int step;
    // How many tasks may pass before the next look.
    private int unseen;
    private boolean bounded = true;

    /// @param limitNanos zero for no limit
    Slice(Clock clock, long limitNanos) {
        this.clock = clock;
        this.limitNanos = limitNanos;
    }

    /// @param now when the clock was last read for this
    /// @param count how many tasks there are to run
    void begin(long now, int count) {
        began = now;
        if (count > LONG) {
            step = Math.min(step, LONG_STEP);
            unseen = step;
        } else if (now > looked) {
            // As good as a look. But no reason to look less often: there may have been no tasks.
            step = now - looked < QUICK_NANOS ? step : 0;
            unseen = step;
            looked = now;
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
        return --unseen < 0 && look();
    }

    long began() {
        return began;
    }

    /// {@return when it was last found to be over}
    long looked() {
        return looked;
    }

    private boolean look() {
        long before = looked;
        looked = clock.nanos();
        boolean over = bounded && limitNanos > 0 && looked - began >= limitNanos;
        boolean quick = !over && looked - before < QUICK_NANOS;
        step = quick ? Math.min(2 * step + 1, STEP_MAX) : 0;
        unseen = step;
        return over;
    }
}
