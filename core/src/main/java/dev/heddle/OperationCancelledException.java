package dev.heddle;

import org.jspecify.annotations.Nullable;

/// A wait, or the body of a call, was ended before its time: by a [Token], a timeout, a limit or a
/// shutdown. The caller itself was not cancelled and goes on.
///
/// **Thread:** immutable, as far as throwables are.
public final class OperationCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean timedOut;

    OperationCancelledException(String message, @Nullable Throwable cause, boolean timedOut) {
        super(message, cause);
        this.timedOut = timedOut;
    }

    /// {@return whether time ran out; otherwise something else ended it, and is the cause if it
    /// failed}
    public boolean timedOut() {
        return timedOut;
    }
}
