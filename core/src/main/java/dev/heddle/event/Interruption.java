package dev.heddle.event;

import java.util.concurrent.atomic.AtomicReference;

/// Interrupts the thread that runs one piece of work, and never the next piece on the same thread.
///
/// **Thread:** [#begin] and [#end] belong to the thread that does the work, [#send] to any.
final class Interruption {
    /*
     *   READY ──begin──▶ RUNNING ──end──▶ ENDED
     *     └─send─▶ EARLY ──begin──▶ SENT ──end──▶ ENDED          (begin interrupts its own thread)
     *   RUNNING, SENT ──send──▶ SENDING ──▶ SENT                 (the sender interrupts in between)
     *
     * Each arrow is one compare-and-set, but for those out of SENDING and out of EARLY, which one
     * thread alone can take. While it is SENDING the end waits, for the time of one call: so the
     * interrupt has come when the flag is cleared, and nothing comes after.
     */
    private enum State {
        READY,
        EARLY,
        RUNNING,
        SENDING,
        SENT,
        ENDED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.READY);

    // Written by the worker before RUNNING, or before SENT; read by who finds it in one of the two.
    private Thread worker = Thread.currentThread();

    void begin() {
        worker = Thread.currentThread();
        if (!state.compareAndSet(State.READY, State.RUNNING)) {
            worker.interrupt();
            state.set(State.SENT);
        }
    }

    /// The work is over. If it was interrupted, the thread's flag is down again.
    void end() {
        if (state.compareAndSet(State.RUNNING, State.ENDED)) {
            return;
        }
        while (!state.compareAndSet(State.SENT, State.ENDED)) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
    }

    /// Interrupts the work, or, if it has not begun, as soon as it does.
    ///
    /// @return false if it has ended
    boolean send() {
        while (true) {
            State seen = state.get();
            switch (seen) {
                case READY -> {
                    if (state.compareAndSet(seen, State.EARLY)) {
                        return true;
                    }
                }
                case RUNNING, SENT -> {
                    if (state.compareAndSet(seen, State.SENDING)) {
                        worker.interrupt();
                        state.set(State.SENT);
                        return true;
                    }
                }
                case EARLY, SENDING -> {
                    return true;
                }
                case ENDED -> {
                    return false;
                }
            }
        }
    }
}
