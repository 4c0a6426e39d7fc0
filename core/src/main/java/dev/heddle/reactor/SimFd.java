package dev.heddle.reactor;

/// One open descriptor of a [SimReactor]: what holds at it, and what of that is still to be told.
///
/// **Thread:** owner (the reactor's).
final class SimFd {
    final int number;
    final boolean pollable;

    /// Registered with the reactor since it was opened.
    boolean watched;

    /// In the reactor's queue.
    boolean queued;

    // What holds now; which of it is new; what was reported and not yet consumed.
    private int level;
    private int edges;
    private int latch;

    SimFd(int number, boolean pollable) {
        this.number = number;
        this.pollable = pollable;
    }

    void raise(int bits) {
        level |= bits;
        edges |= bits;
    }

    void drop(int bits) {
        level &= ~bits;
        edges &= ~bits;
    }

    /// All that holds counts as new and as not yet reported.
    void renew() {
        edges = level;
        latch = 0;
    }

    void consume(int directions) {
        latch &= ~(directions | Interest.HUP);
    }

    /// {@return the bits to report to someone with this interest, 0 for none}
    int due(int interest) {
        int wanted = interest & Interest.DIRECTIONS;
        if (wanted == 0) {
            return 0;
        }
        int found = isLevel(interest) ? level : edges & ~latch;
        int bits = found & (wanted | Interest.HUP);
        boolean hungUp = (level & Interest.HUP) != 0;
        return bits != 0 && hungUp ? bits | Interest.HUNG_UP : bits;
    }

    void reported(int bits) {
        edges &= ~bits;
        latch |= bits;
    }

    static boolean isLevel(int interest) {
        return (interest & Interest.LEVEL) != 0;
    }
}
