package dev.heddle;

/// An [Op] without a result.
///
/// **Thread:** loop (the calling coroutine), unless the method that takes it says otherwise.
@FunctionalInterface
public interface VoidOp<X extends Exception> extends Action {
    @Override
    void run() throws X;
}
