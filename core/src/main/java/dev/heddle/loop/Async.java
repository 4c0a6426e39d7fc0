package dev.heddle.loop;

import dev.heddle.sys.AtomicField;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A bell that any thread may ring: the loop calls back once for however many rings came before it
/// looked. Started from the beginning, until it is closed.
///
/// **Thread:** any for [#send]; loop for the rest.
public final class Async extends Source {
    /*
     *   quiet ──send──▶ PENDING (this sender queues it) ──run──▶ quiet, then the callback
     *
     * Quiet again before the callback: what a sender did before a send that found PENDING is seen
     * by that callback, and a later send queues it anew.
     */
    private static final VarHandle PENDING =
            AtomicField.of(MethodHandles.lookup(), "pending", boolean.class);

    private final @Nullable Runnable callback;
    private volatile boolean pending;

    Async(Engine engine, @Nullable Runnable callback) {
        super(engine);
        this.callback = callback;
        setActive(true);
    }

    /// Makes the loop call back soon.
    ///
    /// @throws IllegalStateException if it or the loop is closed
    public void send() {
        ensureOpen();
        // Read first: under a flood almost every send finds it pending, and a failed
        // compare-and-set would still take the cache line from the loop. But a read does not keep
        // the caller's earlier stores from coming later than the loop's look: so one that finds
        // it pending fences and reads again. The loop's side has its fence in the volatile store.
        // A compare-and-set that fails is a read like any other.
        do {
            if (pending) {
                VarHandle.fullFence();
                if (pending) {
                    return;
                }
            }
        } while (!PENDING.compareAndSet(this, false, true));
        if (!engine.postIfOpen(this)) {
            pending = false;
            throw new IllegalStateException("closed: " + engine);
        }
    }

    @Override
    protected void run() {
        PENDING.setVolatile(this, false);
        if (callback != null && !isClosing()) {
            callback.run();
        }
    }

    @Override
    void halt() {
        engine.others.remove(this);
        setActive(false);
    }

    @Override
    public String toString() {
        return pending ? "Async(pending)" : "Async(quiet)";
    }
}
