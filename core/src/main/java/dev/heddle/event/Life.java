package dev.heddle.event;

/// Where an event is in its life.
///
/// ```
/// CREATED ──start──▶ ACTIVE ──fires──▶ FIRED ──▶ ACTIVE    (a timer that repeats, a poll)
///                      ▲ │               └─────▶ CLOSED    (everything that happens once)
///                 start│ │stop
///                      │ ▼
///                    STOPPED ──dispose──▶ CLOSED
/// ```
///
/// **Thread:** immutable.
public enum Life {
    CREATED,
    ACTIVE,
    /// Its callbacks are being called.
    FIRED,
    STOPPED,
    CLOSED
}
