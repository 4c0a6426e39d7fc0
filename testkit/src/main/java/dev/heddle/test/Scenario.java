package dev.heddle.test;

/// A program to be run in a [TestWorld], as its main coroutine.
///
/// **Thread:** loop (a coroutine).
@FunctionalInterface
public interface Scenario {
    void run(TestWorld world) throws Throwable;
}
