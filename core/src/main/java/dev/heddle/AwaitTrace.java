package dev.heddle;

import java.util.Arrays;

/// The lines that awaited a failure, at the end of its stack trace: the trace of what failed says
/// how it came about, but not who was waiting.
///
/// A line looks like `at awaited by//shop.Order.pay(Order.java:20)`. The exception stays the same
/// object. A line is never there twice, and there are at most eight: an exception may be awaited
/// again and again.
///
/// **Thread:** loop (a coroutine).
final class AwaitTrace {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String MARK = "awaited by";
    private static final int MARKS_MAX = 8;

    private AwaitTrace() {}

    /// {@return `outcome`, whose failure, if it is thrown as it is, names the caller}
    static <T> Outcome<T> marked(Outcome<T> outcome) {
        if (outcome instanceof Outcome.Failure<T>(var error) && isWorthIt(error)) {
            mark(error);
        }
        return outcome;
    }

    // A checked one is wrapped when it is thrown, and the wrapper has the stack of the wait. That
    // of one that has run out of stack is long, and costs more than it tells.
    private static boolean isWorthIt(Throwable error) {
        return error instanceof RuntimeException
                || (error instanceof Error
                        && !(error instanceof Cancellation)
                        && !(error instanceof VirtualMachineError));
    }

    private static void mark(Throwable error) {
        try {
            StackTraceElement[] trace = error.getStackTrace();
            // Empty if it has none, and then it takes none.
            if (trace.length == 0) {
                return;
            }
            StackTraceElement line = caller();
            int marks = 0;
            for (int i = trace.length - 1; i >= 0 && isMark(trace[i]); i--) {
                if (++marks == MARKS_MAX || trace[i].equals(line)) {
                    return;
                }
            }
            var longer = Arrays.copyOf(trace, trace.length + 1);
            longer[trace.length] = line;
            error.setStackTrace(longer);
        } catch (Throwable hostile) {
            // An exception may override both. Its trace is no reason to fail the wait.
            return;
        }
    }

    private static boolean isMark(StackTraceElement element) {
        return MARK.equals(element.getClassLoaderName());
    }

    private static StackTraceElement caller() {
        return WALKER.walk(
                frames ->
                        frames.filter(frame -> Place.isUsers(frame.getClassName()))
                                .findFirst()
                                .map(AwaitTrace::line)
                                .orElseThrow());
    }

    private static StackTraceElement line(StackWalker.StackFrame frame) {
        return new StackTraceElement(
                MARK,
                null,
                null,
                frame.getClassName(),
                frame.getMethodName(),
                frame.getFileName(),
                frame.getLineNumber());
    }
}
