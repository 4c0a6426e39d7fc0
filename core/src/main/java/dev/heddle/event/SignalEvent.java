package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.SignalWatch;
import dev.heddle.loop.Task;

import java.util.Objects;

/// Fires whenever the process gets a signal, with its name; signals that come faster than the loop
/// looks are one. While it is not started, the signal has its old effect.
///
/// **Thread:** loop.
public final class SignalEvent extends Event<String> {
    private final Loop loop;
    private final SignalWatch watch;
    private final Settling settling = new Settling();
    private boolean wanted;

    /// @param name such as `INT`, `TERM`, `USR1`, without `SIG`
    /// @throws IllegalArgumentException if there is no such signal, or it cannot be watched
    public SignalEvent(Loop loop, String name) {
        this.loop = Objects.requireNonNull(loop, "loop");
        watch = loop.signal(name, this::raised);
    }

    /// {@return the signal's name, without `SIG`}
    public String signal() {
        return watch.signal();
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    protected void onStart() {
        if (is(HIDDEN)) {
            watch.unref();
        }
        wanted = true;
        try {
            settle();
        } catch (Throwable refused) {
            wanted = false;
            throw refused;
        }
    }

    @Override
    protected void onStop() {
        wanted = false;
        if (!is(LOOP_GONE)) {
            settle();
        }
    }

    @Override
    public String info() {
        return "Signal(" + watch.signal() + ")";
    }

    private void raised() {
        if (isStarted()) {
            fire(watch.signal(), null);
        }
    }

    // The table of signals has a lock, for which the loop's own thread may wait, and a coroutine of
    // that loop may not: it could be the one that is handed the lock, and the loop would wait for
    // it.
    // So a coroutine leaves the rest to the loop's thread.
    private void settle() {
        if (Thread.currentThread().isVirtual()) {
            settling.queue();
        } else {
            settleNow();
        }
    }

    private void settleNow() {
        if (wanted && !watch.isActive()) {
            watch.start();
        } else if (!wanted) {
            watch.stop();
        }
    }

    /// Brings the watch into line, in a step of its own.
    private final class Settling extends Task {
        private boolean queued;

        void queue() {
            if (!queued) {
                queued = true;
                loop.enqueue(this);
            }
        }

        @Override
        protected void run() {
            queued = false;
            try {
                settleNow();
            } catch (RuntimeException refused) {
                fire(null, refused);
            }
        }

        @Override
        public String toString() {
            return "starting or stopping of " + info();
        }
    }
}
