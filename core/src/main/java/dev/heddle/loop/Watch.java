package dev.heddle.loop;

import dev.heddle.reactor.Interest;

import java.io.IOException;
import java.util.Objects;

/// Calls back when a descriptor is ready.
///
/// Edge-triggered unless [Interest#LEVEL] is asked for: the callback comes once per change, so read
/// or write until `EAGAIN` and then say [#consumed]. What was reported and not consumed stays
/// latched in [#latched]: whoever wants to wait for a direction that is latched need not.
///
/// The descriptor is borrowed: stop or close the watch first, then close the descriptor. If that
/// was forgotten and the number comes back for another file, a watch that starts on it stops this
/// one, on the backends that can tell; the others refuse it until this one is stopped.
///
/// **Thread:** loop.
public final class Watch extends Source {
    /// Told what is ready: bits of [Interest], `HUP` among them.
    @FunctionalInterface
    public interface Listener {
        void onReady(Watch watch, int ready);
    }

    private final int fd;
    private final Listener listener;
    private int interest;
    private int latched;

    // The place in the loop's table and what the reactor knows this watch by; -1 while stopped.
    int slot = -1;
    long token = -1;

    Watch(Engine engine, int fd, Listener listener) {
        super(engine);
        this.fd = fd;
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    public int fd() {
        return fd;
    }

    public int interest() {
        return interest;
    }

    /// Begins to watch for `interest`, or changes what is watched for. What is ready now is
    /// reported.
    ///
    /// @throws IOException if the descriptor is closed, cannot be waited for, or is watched by
    ///   another watch of this loop; nothing has changed then
    public Watch start(int newInterest) throws IOException {
        engine.assertOnLoop();
        ensureOpen();
        Interest.check(newInterest);
        if (isActive()) {
            engine.reactor.modify(fd, token, newInterest);
        } else {
            engine.addWatch(this, newInterest);
            setActive(true);
        }
        interest = newInterest;
        latched = 0;
        return this;
    }

    /// Stops watching: no callback after this, not even for events that were fetched already.
    ///
    /// @return false if it was not started
    public boolean stop() {
        engine.assertOnLoop();
        if (!isActive()) {
            return false;
        }
        halt();
        return true;
    }

    /// Says that a read or write in these directions met `EAGAIN`: the next edge is to be reported.
    public void consumed(int directions) {
        engine.assertOnLoop();
        latched &= ~directions;
        if (isActive()) {
            engine.reactor.consumed(fd, directions);
        }
    }

    /// {@return the directions that were reported and not yet consumed}
    public int latched() {
        return latched;
    }

    @Override
    public String toString() {
        String what = isActive() ? Interest.describe(interest) : "stopped";
        return "Watch(fd " + fd + ", " + what + ")";
    }

    /// The reactor reported `ready`.
    @Override
    protected void run() {
        throw new AssertionError("a watch is dispatched, not queued");
    }

    void dispatch(int ready) {
        // Not wanted any more, if an earlier callback of this batch changed the interest.
        boolean asksNothing = (interest & ~Interest.LEVEL) == Interest.NONE;
        int wanted = asksNothing ? 0 : ready & (interest | Interest.HUP);
        if (wanted != 0) {
            latched |= wanted;
            listener.onReady(this, wanted);
        }
    }

    @Override
    void halt() {
        if (isActive()) {
            engine.removeWatch(this);
            setActive(false);
            latched = 0;
        }
    }

    /// Stops without a word to the reactor, which knows another watch by this descriptor's number.
    void forsake() {
        engine.watches.remove(this);
        setActive(false);
        latched = 0;
    }
}
