package dev.heddle;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Work;

/// Is told what the coroutines of a program do, at the moments at which something may come between:
/// for test kits and tracers.
///
/// Called while the loop stands still, so what it does happens exactly there: it may cancel, spawn
/// and complete promises, but not wait. What it throws ends the program. Without one, a program
/// pays a comparison for each of these moments.
///
/// **Thread:** loop, except [#submitted].
public interface Probe {
    /// {@return whether virtual threads that coroutines start run on the loop, one at a time among
    /// the coroutines, and not beside it: then a run can be repeated. Asked once}
    default boolean carriesStrangers() {
        return false;
    }

    /// The program begins, before its first coroutine is spawned.
    default void begins(Loop loop) {}

    /// It runs, and is about to suspend or to let others run. It may have nothing to wait for: this
    /// is every point at which a cancellation would be thrown.
    default void suspends(Coroutine<?> coroutine) {}

    /// As [#suspends], right after it, if a cancellation was thrown to it before and it is still
    /// there: it cleans up, or has swallowed it.
    default void lingers(Coroutine<?> coroutine) {}

    /// It waits for an event.
    default void parked(Coroutine<?> coroutine) {}

    /// Its turn has come: what woke it has happened, and it has not seen it.
    default void runs(Coroutine<?> coroutine) {}

    /// It has ended, and those who await it will be told.
    ///
    /// @param left how many coroutines have not ended, zombies included
    default void ended(Coroutine<?> coroutine, int left) {}

    /// The program has ended, with its zombies: the loop is about to be closed.
    default void ends(Loop loop) {}

    /// Work was handed to a worker. By whoever did, on any thread.
    default void submitted(Work<?> work) {}

    /// The loop has nothing to run and is about to wait.
    ///
    /// @param timeoutNanos how long at most; negative is for ever
    /// @param inJdkCalls how many coroutines are parked in calls of the JDK, which the loop cannot
    ///   see the end of
    default void idles(long timeoutNanos, int inJdkCalls) {}
}
