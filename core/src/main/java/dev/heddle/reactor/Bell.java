package dev.heddle.reactor;

import dev.heddle.sys.AtomicField;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The flag before a wake-up's system call: coalesces rings, and keeps a late one from touching a
/// descriptor that was closed and belongs to somebody else by now.
///
/// **Thread:** any rings; the loop answers and closes.
final class Bell {
    /*
     * One word: CLOSED | number of threads inside the system call | PENDING.
     *
     *   quiet ──ring──▶ PENDING, one more inside ──(system call)──▶ PENDING, one less inside
     *   PENDING ──answer──▶ quiet
     *   any ──close──▶ CLOSED, then waits until nobody is inside
     *
     * A ring that finds PENDING does nothing: the poll that will see the pending one has not begun to
     * look yet, because it answers first and looks afterwards.
     */
    private static final int PENDING = 1;
    private static final int INSIDE = 2;
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final VarHandle STATE =
            AtomicField.of(MethodHandles.lookup(), "state", int.class);

    private final Runnable clapper;
    private volatile int state;

    /// @param clapper the system call; does nothing while there is no kernel object to call it on
    Bell(Runnable clapper) {
        this.clapper = clapper;
    }

    void ring() {
        while (true) {
            int seen = state;
            if (isIdle(seen)) {
                if (STATE.compareAndSet(this, seen, (seen | PENDING) + INSIDE)) {
                    break;
                }
            } else {
                // A mere read does not keep the caller's earlier stores from coming later than the
                // loop's answer and look: so it counts only after a fence.
                VarHandle.fullFence();
                if (!isIdle(state)) {
                    return;
                }
            }
        }
        try {
            clapper.run();
        } finally {
            STATE.getAndAdd(this, -INSIDE);
        }
    }

    private static boolean isIdle(int state) {
        return (state & (PENDING | CLOSED)) == 0;
    }

    /// {@return whether a ring waits for its answer}
    boolean isPending() {
        return (state & PENDING) != 0;
    }

    /// Takes note of a ring. The loop calls this *before* it looks at what the ring was about.
    void answer() {
        STATE.getAndBitwiseAnd(this, ~PENDING);
    }

    /// After this no thread is or will be inside the system call. The wait is bounded by that call,
    /// which never blocks.
    void close() {
        int seen = (int) STATE.getAndBitwiseOr(this, CLOSED) | CLOSED;
        while ((seen & ~(CLOSED | PENDING)) != 0) {
            Thread.onSpinWait();
            seen = state;
        }
    }
}
