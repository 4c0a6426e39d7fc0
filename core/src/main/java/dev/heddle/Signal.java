package dev.heddle;

/// A signal of the operating system that a program may watch. Those that the JVM needs for itself
/// are not among them.
///
/// **Thread:** immutable.
public enum Signal {
    HUP,
    INT,
    TERM,
    USR1,
    WINCH,
    CONT,
    CHLD,
    ALRM,
    URG
}
