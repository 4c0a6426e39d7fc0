package dev.heddle.reactor;

/// One descriptor as a [SimReactor] sees it: what of its news is still to be told.
///
/// **Thread:** owner (the reactor's), except [#edges] and [#closed], which only pass on.
final class SimFd implements SimDescriptors.Watcher {
    final int number;
    private final SimReactor reactor;

    /// Registered with the reactor, and not closed since.
    volatile boolean watched = true;

    /// In the reactor's queue.
    boolean queued;

    // What is new; what was reported and not yet consumed.
    private int edges;
    private int latch;

    SimFd(SimReactor reactor, int number) {
        this.reactor = reactor;
        this.number = number;
    }

    @Override
    public void edges(int bits) {
        reactor.tell(this, bits);
    }

    @Override
    public void closed() {
        watched = false;
    }

    void raise(int bits) {
        edges |= bits;
    }

    /// All that holds counts as new and as not yet reported.
    void renew() {
        edges = -1;
        latch = 0;
    }

    void consume(int directions) {
        latch &= ~(directions | Interest.HUP);
    }

    /// {@return the bits to report to someone with this interest, 0 for none}
    ///
    /// @param level what holds now
    int due(int level, int interest) {
        int wanted = interest & Interest.DIRECTIONS;
        if (wanted == 0) {
            return 0;
        }
        int found = isLevel(interest) ? level : level & edges & ~latch;
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
