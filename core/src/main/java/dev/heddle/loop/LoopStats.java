package dev.heddle.loop;

import java.time.Duration;

/// What a loop has done so far, a snapshot. The numbers are each correct, but not all of one
/// moment.
///
/// **Thread:** immutable.
///
/// @param turns how often the loop went round
/// @param polls how many of the turns asked the kernel
/// @param events descriptor events, all told
/// @param eventsWaiting those that were there already when the loop looked, without waiting
/// @param tasks tasks and timers that were run
/// @param errors callbacks that threw
/// @param idle how long the loop waited for something to do
/// @param lag how long the last turn kept the loop from looking again
/// @param lagMax the longest such time
/// @param backlog how long tasks that are ready have waited for their turn so far, since those
///   before them take longer than [LoopOptions#turnLimit]; zero while the loop keeps up
/// @param backlogMax the longest such time
/// @param ready tasks in the ready queue
/// @param timers timers that are started
/// @param watches descriptors that are watched
/// @param work pieces of offloaded work under way
public record LoopStats(
        long turns,
        long polls,
        long events,
        long eventsWaiting,
        long tasks,
        long errors,
        Duration idle,
        Duration lag,
        Duration lagMax,
        Duration backlog,
        Duration backlogMax,
        int ready,
        int timers,
        int watches,
        int work) {}
