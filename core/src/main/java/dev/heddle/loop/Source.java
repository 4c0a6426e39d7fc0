package dev.heddle.loop;

import java.util.Objects;

/// Something that makes the loop call back: a timer, a watched descriptor, an async, a hook, a
/// signal.
///
/// Life: made inactive → started ⇄ stopped → closed for good. A started source keeps [Loop#run]
/// going, unless it is unreferenced. Closing stops it at once; the `onClosed` callback comes later,
/// from the loop, never from inside the call.
///
/// It is its own task: when its moment has come it is queued itself, and nothing is allocated.
///
/// **Thread:** loop, unless a method says otherwise.
public abstract sealed class Source extends Task permits Timer, Watch, Async, Hook, SignalWatch {
    final Engine engine;

    // Written by the loop, read by any thread.
    private volatile boolean closing;
    private volatile boolean closed;

    // Loop thread only.
    private boolean referenced = true;
    private boolean active;

    Source(Engine engine) {
        this.engine = engine;
    }

    /// Lets this source keep the loop running, as it does from the start. Idempotent.
    public final void ref() {
        engine.assertOnLoop();
        if (!referenced) {
            referenced = true;
            engine.countActive(active ? 1 : 0);
        }
    }

    /// Lets the loop end although this source is started. Idempotent.
    public final void unref() {
        engine.assertOnLoop();
        if (referenced) {
            referenced = false;
            engine.countActive(active ? -1 : 0);
        }
    }

    public final boolean hasRef() {
        return referenced;
    }

    /// {@return whether it is started, so that its callback may still come}
    public boolean isActive() {
        return active;
    }

    /// {@return whether [#close] was called; any thread may ask}
    public final boolean isClosing() {
        return closing;
    }

    /// {@return whether the loop has completed the close; any thread may ask}
    public final boolean isClosed() {
        return closed;
    }

    /// Stops for good. Idempotent. A closed loop has stopped its sources already.
    public final void close() {
        if (!engine.closed) {
            close(() -> {});
        }
    }

    /// Stops for good; the loop calls `onClosed` in a later step. Closing twice calls only the
    /// first.
    ///
    /// @throws IllegalStateException if the loop is closed and could not call
    public final void close(Runnable onClosed) {
        Objects.requireNonNull(onClosed, "onClosed");
        engine.assertOnLoop();
        if (closing) {
            return;
        }
        engine.ensureOpen();
        closing = true;
        halt();
        engine.enqueue(
                new Task() {
                    @Override
                    protected void run() {
                        closed = true;
                        onClosed.run();
                    }

                    @Override
                    protected void drop() {
                        // Cleaning up is not optional: a loop that ends still tells.
                        run();
                    }

                    @Override
                    public String toString() {
                        return "closing of " + Source.this;
                    }
                });
    }

    /// Makes it inactive now, whatever its state; used by close and by the loop's own end.
    abstract void halt();

    final void ensureOpen() {
        engine.ensureOpen();
        if (closing) {
            throw new IllegalStateException("closed: " + this);
        }
    }

    final void setActive(boolean value) {
        if (active != value) {
            // In this order: a stack that runs out at the call leaves both as they were.
            engine.countActive(referenced ? (value ? 1 : -1) : 0);
            active = value;
        }
    }
}
