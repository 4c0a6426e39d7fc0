package dev.heddle.event;

import org.jspecify.annotations.Nullable;

/// Stands between an event that fires and its callbacks, and may change what they get: so does a
/// timeout, which turns the tick of a timer into an exception.
///
/// **Thread:** loop.
@FunctionalInterface
public interface NotifyHook<T> {
    Notice<T> apply(Notice<T> fired);

    /// What a round of callbacks is told.
    ///
    /// **Thread:** immutable.
    record Notice<T>(@Nullable T value, @Nullable Throwable error) {
        /// {@return the same, but an error}
        public Notice<T> failed(Throwable instead) {
            return new Notice<>(null, instead);
        }
    }
}
