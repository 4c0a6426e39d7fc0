package dev.heddle.bench.loop;

/// A workload's look at what it has done: a figure of one that went wrong is worth nothing.
///
/// **Thread:** any.
final class Check {
    private Check() {}

    static void count(String what, long actual, long expected) {
        if (actual != expected) {
            throw new IllegalStateException(what + " should be " + expected + ", but is " + actual);
        }
    }
}
