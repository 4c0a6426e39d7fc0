package dev.heddle;

import java.util.List;

/// Coroutines wait for each other, or for something that nothing can bring about.
///
/// **Thread:** immutable, as far as throwables are.
public final class DeadlockError extends Error {
    private static final long serialVersionUID = 1L;

    private final transient List<String> members;

    DeadlockError(String message, List<String> members) {
        super(message);
        this.members = List.copyOf(members);
    }

    /// {@return who waits: a line for each coroutine, with what it waits for}
    public List<String> members() {
        return members;
    }
}
