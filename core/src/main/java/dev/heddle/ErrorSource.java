package dev.heddle;

/// Where an error came from.
///
/// **Thread:** loop.
public sealed interface ErrorSource permits Coroutine, Scope {
    /// {@return the name it was given, or one that says what it is}
    String name();

    /// {@return the scope it belongs to, or is}
    Scope scope();

    /// {@return one line that a person can use}
    String info();
}
