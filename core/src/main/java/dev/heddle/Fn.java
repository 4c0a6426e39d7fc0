package dev.heddle;

/// A function that runs inside the call it is given to, which throws what it throws.
///
/// **Thread:** loop (a coroutine).
@FunctionalInterface
public interface Fn<A, T, X extends Exception> {
    T apply(A argument) throws X;
}
