package dev.heddle.test;

/// One thing to do to a model and to what it is the model of; see [Commands].
///
/// Best a record: its text is what the report of a failure shows.
///
/// **Thread:** owner (the body of the property).
///
/// @param <M> the model: the plainest thing that behaves the same
/// @param <R> the real thing
@FunctionalInterface
public interface Command<M, R> {
    /// {@return whether it makes sense now; if not, it is left out}
    default boolean isPossible(M model) {
        return true;
    }

    /// Does it to both, and compares what they answer.
    ///
    /// @throws Exception when they differ, or either fails
    void run(M model, R real) throws Exception;
}
