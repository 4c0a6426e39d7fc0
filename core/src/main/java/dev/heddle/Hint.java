package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// An interrupt that carried a cancellation into a call of the JDK, until it is known what became
/// of it.
///
/// If it ended the call, that was the delivery, whatever the library around the call has made of
/// it: the coroutine cleans up. If the call goes on, nothing was delivered.
///
/// **Thread:** loop.
final class Hint {
    /*
     *   SENT ──the coroutine ran, and sleeps in the same call again──▶ IGNORED: still due
     *   SENT ──it gets to a suspension point, or an exception leaves the body──▶ delivered
     *
     * The interrupt flag does not tell one from the other: a socket that was closed leaves it up, and so
     * do libraries that catch an InterruptedException and wrap it; a lock that was waited for to the end
     * puts it up again. So the stack is asked for calls of the JDK that take no notice; and whoever else
     * waits on, in a loop, sleeps again at once for the same thing.
     */
    private static final Set<String> UNINTERRUPTIBLE =
            Set.of(
                    "lock",
                    "readLock",
                    "writeLock",
                    "acquireUninterruptibly",
                    "awaitUninterruptibly",
                    "join");

    final CancelRequest request;
    private final @Nullable Object blocker;
    private boolean ignored;

    /// @param thread sleeps in a call of the JDK, and was not interrupted yet
    Hint(CancelRequest request, Thread thread) {
        this.request = request;
        blocker = LockSupport.getBlocker(thread);
        // Nothing ends the wait for a monitor but the monitor.
        ignored =
                thread.getState() == Thread.State.BLOCKED
                        || (blocker != null && takesNoNotice(thread.getStackTrace()));
    }

    private static boolean takesNoNotice(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (!frame.getClassName().startsWith("java.")) {
                return false;
            }
            if (frame.getClassName().startsWith("java.util.concurrent.")
                    && UNINTERRUPTIBLE.contains(frame.getMethodName())) {
                return true;
            }
        }
        return false;
    }

    /// The coroutine has run since, and sleeps in a call of the JDK.
    void sleepsAgain(Thread thread) {
        if (blocker != null && LockSupport.getBlocker(thread) == blocker) {
            ignored = true;
        }
    }

    boolean isIgnored() {
        return ignored;
    }
}
