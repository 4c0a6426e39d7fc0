package dev.heddle;

import java.util.concurrent.Callable;

/// A body that runs inside the call it is given to, which throws what the body throws.
///
/// **Thread:** loop (the calling coroutine), unless the method that takes it says otherwise.
@FunctionalInterface
public interface Op<T, X extends Exception> extends Callable<T> {
    @Override
    T call() throws X;
}
