package dev.heddle.bench.race;

/// A workload's look at what it has done: a figure of one that went wrong is worth nothing.
///
/// **Thread:** any.
public final class Check {
    private Check() {}

    public static void count(String what, long actual, long expected) {
        if (actual != expected) {
            throw new IllegalStateException(what + " should be " + expected + ", but is " + actual);
        }
    }
}
