package dev.heddle.event;

import dev.heddle.loop.Async;
import dev.heddle.loop.Loop;

import java.util.Objects;

/// Fires when somebody says so, from any thread.
///
/// Nothing is remembered: who is not subscribed when the loop gets to it misses it. So change what
/// the waiter looks at first, then [#fire()]; the waiter looks first, then waits.
///
/// **Thread:** any for [#fire()]; loop for the rest.
public final class Trigger extends Event<Void> {
    private final Loop loop;
    private final String name;
    private final Async async;

    /// @param name says in messages what it is for
    public Trigger(Loop loop, String name) {
        this.loop = Objects.requireNonNull(loop, "loop");
        this.name = Objects.requireNonNull(name, "name");
        async = loop.async(this::rung);
        async.unref(); // until it is started
    }

    /// Makes it fire soon, on its loop, if it is started then. Fires that come before the loop
    /// looks are one. Allocates nothing.
    ///
    /// @throws IllegalStateException if it was disposed of, or the loop is closed
    public void fire() {
        if (async.isClosing()) {
            throw new IllegalStateException("disposed of: " + info());
        }
        async.send();
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    protected void onStart() {
        if (!is(HIDDEN)) {
            async.ref();
        }
    }

    @Override
    protected void onStop() {
        if (!is(LOOP_GONE)) {
            async.unref();
        }
    }

    @Override
    protected void onDispose() {
        if (!is(LOOP_GONE)) {
            async.close();
        }
    }

    @Override
    public String info() {
        return "Trigger(\"" + name + "\")";
    }

    private void rung() {
        if (isStarted()) {
            fire(null, null);
        }
    }
}
