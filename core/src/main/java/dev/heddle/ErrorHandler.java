package dev.heddle;

/// Told of an error that nobody else will get. What it throws itself is one more such error.
///
/// **Thread:** loop. It is a callback: it must not wait.
@FunctionalInterface
public interface ErrorHandler {
    void onError(Throwable error, ErrorSource source);
}
