package dev.heddle.loop;

import java.util.Objects;

/// Calls back at a fixed place of every turn: before the wait (idle, prepare) or after it (check).
///
/// A started idle hook also keeps the loop from waiting: every turn only looks.
///
/// **Thread:** loop.
public final class Hook extends Source {
    /// Where in a turn.
    public enum Place {
        /// Before the wait, and the loop does not wait.
        IDLE,
        /// Right before the wait.
        PREPARE,
        /// Right after the descriptors' callbacks.
        CHECK
    }

    private final Place place;
    private final Runnable callback;

    Hook(Engine engine, Place place, Runnable callback) {
        super(engine);
        this.place = place;
        this.callback = Objects.requireNonNull(callback, "callback");
    }

    public Place place() {
        return place;
    }

    /// Begins with the next turn's place that is not past yet. Idempotent.
    public Hook start() {
        engine.assertOnLoop();
        ensureOpen();
        if (!isActive()) {
            engine.hooks(place).add(this);
            setActive(true);
        }
        return this;
    }

    /// @return false if it was not started
    public boolean stop() {
        engine.assertOnLoop();
        boolean was = isActive();
        halt();
        return was;
    }

    @Override
    protected void run() {
        callback.run();
    }

    @Override
    void halt() {
        if (isActive()) {
            engine.hooks(place).remove(this);
            setActive(false);
        }
    }

    @Override
    public String toString() {
        return "Hook(" + place + (isActive() ? ")" : ", stopped)");
    }
}
