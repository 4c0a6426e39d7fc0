package dev.heddle;

import java.util.Optional;

/// Hooks around [Heddle#spawnWith]: for tracing, or to choose the scope.
///
/// **Thread:** loop (the spawning coroutine).
public interface SpawnStrategy {
    /// {@return the scope to spawn into; the current one if empty. Asked first}
    default Optional<Scope> scope() {
        return Optional.empty();
    }

    /// Before the coroutine is made.
    default void before(Scope scope) {}

    /// After it was queued, and before it has begun.
    default void after(Coroutine<?> coroutine, Scope scope) {}
}
