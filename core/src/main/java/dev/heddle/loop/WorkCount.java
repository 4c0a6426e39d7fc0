package dev.heddle.loop;

import java.util.concurrent.atomic.AtomicInteger;

/// How many pieces of work a loop has given to workers and not heard of again; and whether it takes
/// more.
///
/// **Thread:** any.
final class WorkCount {
    /*
     *   n ──begin──▶ n + 1 ──end──▶ n
     *   0 ──refuse──▶ REFUSED ──accept──▶ 0
     *
     * Each arrow is one atomic step, so of a submit and a close that meet one wins: the work is
     * refused, or the loop is alive.
     */
    private static final int REFUSED = Integer.MIN_VALUE;

    private final AtomicInteger count = new AtomicInteger();

    int pending() {
        return Math.max(0, count.get());
    }

    /// @return false if no work is taken any more
    boolean begin() {
        int seen = count.get();
        while (seen >= 0) {
            if (count.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = count.get();
        }
        return false;
    }

    void end() {
        count.decrementAndGet();
    }

    /// @return false, and nothing changed, if work is under way
    boolean refuse() {
        return count.compareAndSet(0, REFUSED) || count.get() == REFUSED;
    }

    /// Takes back [#refuse].
    void accept() {
        count.compareAndSet(REFUSED, 0);
    }
}
