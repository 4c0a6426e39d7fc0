package dev.heddle.loop;

/// What a layer above the loop (coroutines, a test kit) may hook in. What it wants run it queues as
/// [Task]s, which also are told when they will never run.
///
/// **Thread:** loop, except [#carries] and [#submitted].
public interface Embedder {
    /// Right before the loop asks the reactor, with the longest wait; negative is for ever. It
    /// becomes shorter if a task is queued or a timer armed here.
    default void beforePoll(long timeoutNanos) {}

    /// Right after, before anything is dispatched.
    default void afterPoll() {}

    /// Work was handed to a worker. By whoever did.
    default void submitted(Work<?> work) {}

    /// {@return whether `current`, which is not the loop's own thread, runs on top of it, as a
    /// virtual thread does on its carrier}
    default boolean carries(Thread current) {
        return false;
    }
}
