package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Set;

/// A cancellation that finds its coroutine in a call of the JDK: an interrupt, and what became of
/// it.
///
/// If the interrupt ends the call, that is the delivery, whatever the library around the call makes
/// of it: the coroutine cleans up. If the call goes on, nothing was delivered.
///
/// **Thread:** loop.
final class Hint {
    /*
     *   PUT OFF ──it sleeps in a call that an interrupt can end──▶ SENT
     *   SENT ──it has run, and sleeps in the very same place──▶ SWALLOWED: the call goes on
     *   PUT OFF, SWALLOWED ──a suspension point──▶ thrown there
     *   SENT ──a suspension point, or an exception leaves the body──▶ delivered
     *
     * It is put off while what was waited for has come and the coroutine only waits for its turn, while
     * it waits for a monitor, and while it is in a call that takes no notice. An interrupt would do
     * nothing then but leave the flag up, and end another call. The flag does not tell whether it was
     * this one: a socket that was closed leaves it up, and so do many libraries that wrap what they
     * caught.
     */
    private static final Set<String> UNINTERRUPTIBLE =
            Set.of(
                    "lock",
                    "readLock",
                    "writeLock",
                    "acquireUninterruptibly",
                    "awaitUninterruptibly",
                    "join");

    private enum State {
        PUT_OFF,
        SENT,
        SWALLOWED
    }

    final CancelRequest request;
    private State state = State.PUT_OFF;
    private StackTraceElement @Nullable [] place;

    /// @param thread is in a call of the JDK
    Hint(CancelRequest request, Thread thread) {
        this.request = request;
        sendIfItSleeps(thread);
    }

    private void sendIfItSleeps(Thread thread) {
        boolean sleeps =
                switch (thread.getState()) {
                    case WAITING, TIMED_WAITING -> true;
                    case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
                };
        if (!sleeps) {
            return;
        }
        StackTraceElement[] stack = thread.getStackTrace();
        if (!takesNoNotice(stack)) {
            place = stack;
            state = State.SENT;
            thread.interrupt();
        }
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

    /// The coroutine has run since, and is in a call of the JDK.
    void isInCallAgain(Thread thread) {
        switch (state) {
            case PUT_OFF -> sendIfItSleeps(thread);
            case SENT -> {
                if (Arrays.equals(place, thread.getStackTrace())) {
                    state = State.SWALLOWED;
                }
            }
            case SWALLOWED -> {}
        }
    }

    /// {@return whether its interrupt has ended the call that it was sent into}
    boolean endedTheCall() {
        return state == State.SENT;
    }

    /// {@return whether there was an interrupt}
    boolean wasSent() {
        return state != State.PUT_OFF;
    }
}
