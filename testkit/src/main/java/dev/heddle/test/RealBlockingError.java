package dev.heddle.test;

import java.util.List;

/// Something in virtual time waits for real time or for a real thread, which the test cannot see
/// the end of.
///
/// **Thread:** immutable.
public final class RealBlockingError extends AssertionError {
    private static final long serialVersionUID = 1;

    /// @param stack of what blocks
    RealBlockingError(String message, List<StackTraceElement> stack) {
        super(message);
        setStackTrace(stack.toArray(StackTraceElement[]::new));
    }
}
