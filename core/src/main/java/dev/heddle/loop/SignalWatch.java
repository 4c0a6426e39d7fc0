package dev.heddle.loop;

import dev.heddle.sys.AtomicField;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// Calls back when the process gets a signal, once or every time.
///
/// Signals that come faster than the loop looks are reported as one.
///
/// **Thread:** loop.
public final class SignalWatch extends Source {
    /*
     *   quiet ──raise──▶ QUEUED (this thread posts it) ──run──▶ quiet, then the callback
     *
     * As in Async. But the signal may have come in an earlier life, before a stop and a new start: so
     * a raise first notes in which life it came, and a run that finds an older one calls nobody.
     */
    private static final VarHandle QUEUED =
            AtomicField.of(MethodHandles.lookup(), "queued", boolean.class);

    private final String signal;
    private final Runnable callback;
    private boolean once;
    private Runnable silence = () -> {};

    // Counted up by the loop with every start.
    private volatile int life;

    // Set by the JVM's signal threads, read by the loop.
    private final AtomicInteger raisedIn = new AtomicInteger();

    // Set by the JVM's signal threads, cleared by the loop.
    private volatile boolean queued;

    SignalWatch(Engine engine, String signal, Runnable callback) {
        super(engine);
        this.signal = signal;
        this.callback = Objects.requireNonNull(callback, "callback");
    }

    /// {@return the signal's name, without `SIG`}
    public String signal() {
        return signal;
    }

    /// Watches until stopped. Idempotent.
    public SignalWatch start() {
        return start(false);
    }

    /// Watches for one signal, then stops by itself.
    public SignalWatch startOnce() {
        return start(true);
    }

    /// @return false if it was not started
    public boolean stop() {
        engine.assertOnLoop();
        boolean was = isActive();
        halt();
        return was;
    }

    @Override
    public String toString() {
        return "SignalWatch(" + signal + (isActive() ? once ? ", once)" : ")" : ", stopped)");
    }

    /// The signal came. Called by the JVM's signal thread.
    void raise() {
        // Never back: another of these threads may have read a later life meanwhile.
        raisedIn.accumulateAndGet(life, Math::max);
        if (!queued && QUEUED.compareAndSet(this, false, true)) {
            // A loop that is closed meanwhile has no use for it.
            engine.postIfOpen(this);
        }
    }

    @Override
    protected void run() {
        QUEUED.setVolatile(this, false);
        if (isActive() && raisedIn.get() == life) {
            if (once) {
                halt();
            }
            callback.run();
        }
    }

    @Override
    void halt() {
        if (isActive()) {
            silence.run();
            engine.others.remove(this);
            setActive(false);
        }
    }

    private SignalWatch start(boolean onlyOnce) {
        engine.assertOnLoop();
        ensureOpen();
        once = onlyOnce;
        if (!isActive()) {
            int next = life + 1; // only the loop writes it
            life = next;
            silence = engine.options.signals.listen(signal, this::raise);
            engine.others.add(this);
            setActive(true);
        }
        return this;
    }
}
