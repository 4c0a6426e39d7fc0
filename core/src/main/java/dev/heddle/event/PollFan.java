package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.reactor.Interest;

/// The started proxies of one descriptor, told of everything that is ready, and the union of what
/// they ask for.
///
/// **Thread:** loop.
final class PollFan extends Event<Integer> {
    private final PollEvent poll;

    // How many proxies ask for the bit with this number, so that one that leaves takes only its
    // own.
    private final int[] askers =
            new int[Integer.SIZE - Integer.numberOfLeadingZeros(Interest.LEVEL)];
    private int mask;

    PollFan(PollEvent poll) {
        this.poll = poll;
    }

    /// {@return the union of what was added and not removed}
    int mask() {
        return mask;
    }

    void add(int bits) {
        count(bits, 1);
    }

    void remove(int bits) {
        count(bits, -1);
    }

    private void count(int bits, int change) {
        for (int i = 0; i < askers.length; i++) {
            int bit = 1 << i;
            if ((bits & bit) != 0) {
                askers[i] += change;
                mask = askers[i] > 0 ? mask | bit : mask & ~bit;
            }
        }
    }

    @Override
    public Loop loop() {
        return poll.loop();
    }

    @Override
    public String info() {
        return "proxies of " + poll.info();
    }
}
