package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The errors that one wait for the end of a scope is told: its handler gets them, and what that
/// throws, or all of them if there is no handler, is thrown when the wait ends.
///
/// **Thread:** loop.
final class ZombieErrors {
    private final @Nullable ErrorHandler handler;
    // As many as there are zombies that fail while somebody waits for them.
    private final List<Throwable> toThrow = new ArrayList<>(0);

    ZombieErrors(@Nullable ErrorHandler handler) {
        this.handler = handler;
    }

    void add(Throwable error, ErrorSource source) {
        Throwable left = handler == null ? error : ScopeErrors.callOrThrown(handler, error, source);
        // A handler may throw the same each time.
        if (left != null && toThrow.stream().noneMatch(known -> known == left)) {
            toThrow.add(left);
        }
    }

    /// @param ended what ended the wait; null if nothing but the end of everything
    /// @param scope for the message
    void throwWith(@Nullable Throwable ended, ScopeNode scope) {
        Throwable error = CompositeException.of("zombies of " + scope.name(), toThrow);
        if (error == null) {
            error = ended;
        } else {
            Errors.suppress(error, ended);
        }
        if (error != null) {
            throw Waits.unchecked(error);
        }
    }
}
