package dev.heddle;

import org.jspecify.annotations.Nullable;

/// A wait, or the body of a call, was ended before its time: by a [Token], a timeout, a limit or a
/// shutdown. The caller itself was not cancelled and goes on.
///
/// **Thread:** immutable, as far as throwables are.
public final class OperationCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean timedOut;

    // Whether its stack is that of the loop, which found out that the wait is over.
    private transient boolean madeOnLoop;

    OperationCancelledException(String message, @Nullable Throwable cause, boolean timedOut) {
        super(message, cause);
        this.timedOut = timedOut;
    }

    /// {@return one for a wait that the loop ends}
    static OperationCancelledException onLoop(
            String message, @Nullable Throwable cause, boolean timedOut) {
        var made = new OperationCancelledException(message, cause, timedOut);
        made.madeOnLoop = true;
        return made;
    }

    /// The one who waited throws it: from now on its stack is theirs.
    void thrownHere() {
        if (madeOnLoop) {
            madeOnLoop = false;
            fillInStackTrace();
        }
    }

    /// {@return whether time ran out; otherwise something else ended it, and is the cause if it
    /// failed}
    public boolean timedOut() {
        return timedOut;
    }
}
