package dev.heddle;

/// A [Fn] without a result.
///
/// **Thread:** loop (a coroutine).
@FunctionalInterface
public interface VoidFn<A, X extends Exception> {
    void accept(A argument) throws X;
}
