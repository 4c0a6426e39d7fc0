package dev.heddle;

import java.util.List;

/// What was seen of a coroutine's life, from outside.
///
/// @param outcome how it ended
/// @param awaiter what its awaiter got; empty if there was none
/// @param handler what its completion handler was told, each time
/// @param errorWentTo who got its failure, besides the awaiter: nobody, or one
/// @param zombie whether it was one
/// @param cancelled whether it says that it was cancelled
/// @param requested whether it says that somebody asked for that
/// @param reports the kinds of reports
/// @param below what became of its child or its resource; empty if it has none
///
///   **Thread:** immutable.
record LifeStory(
        String outcome,
        String awaiter,
        List<String> handler,
        List<String> errorWentTo,
        boolean zombie,
        boolean cancelled,
        boolean requested,
        List<Report.Kind> reports,
        String below) {}
