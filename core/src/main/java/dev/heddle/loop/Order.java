package dev.heddle.loop;

import java.util.List;

/// Decides which ready task runs next. Without one it is the oldest, which is fair and cheap; a
/// test kit takes another to see what an unlucky order would do.
///
/// What an order may not change: urgent tasks come before all others, and tasks that are not
/// [independent][Task#isIndependent], such as those that were posted, keep their order among
/// themselves.
///
/// With an order a turn runs one task only, so that what it causes can be chosen next.
///
/// **Thread:** loop.
@FunctionalInterface
public interface Order {
    /// {@return the index of the task to run}
    ///
    /// @param ready at least one; a view that changes after this call, in one way only: the last
    ///   task takes the place of the one that was chosen, and new ones are added at the end
    int next(List<? extends Task> ready);
}
