package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Watch;
import dev.heddle.reactor.ErrnoException;
import dev.heddle.reactor.Interest;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Sys;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// Fires when a descriptor is ready, with the directions that are: bits of [Interest].
///
/// Edge-triggered unless [Interest#LEVEL] is asked for: read or write until `EAGAIN`, then say
/// [#consumed]. What was reported and not consumed is *latched* while the event is started: who
/// subscribes for such a direction is told at once, inside the call, because no new edge will come
/// for what is there already. It may be told again; to be told is a reason to try, no promise.
///
/// A descriptor has one of these on its loop. Who wants to wait for different directions of it
/// takes a [PollProxy] each.
///
/// **Thread:** loop.
public final class PollEvent extends Event<Integer> {
    private final Loop loop;
    private final int fd;
    private final Watch watch;
    private final PollFan fan;
    private int mask;
    private int triggered;
    private @Nullable Closeable descriptor;

    /// @param mask what it asks for itself, while it is started: bits of [Interest]. With
    ///   [Interest#NONE] it serves its proxies only
    public PollEvent(Loop loop, int fd, int mask) {
        this.loop = Objects.requireNonNull(loop, "loop");
        if (fd < 0) {
            throw new IllegalArgumentException("a descriptor is not negative, but this is " + fd);
        }
        this.fd = fd;
        this.mask = Interest.check(mask);
        watch = loop.watch(fd, (_, ready) -> onReady(ready));
        fan = new PollFan(this);
    }

    /// Makes this the descriptor's owner: it is closed, with `close(2)`, when this is disposed of.
    public PollEvent closeFd() {
        return closeFd(() -> closeInKernel(fd));
    }

    /// [#closeFd()] for a descriptor that must be closed in another way, such as that of a channel.
    public PollEvent closeFd(Closeable newDescriptor) {
        if (is(CLOSE_FD)) {
            throw new IllegalStateException("closes its descriptor already: " + info());
        }
        descriptor = Objects.requireNonNull(newDescriptor, "descriptor");
        set(CLOSE_FD);
        return this;
    }

    public int fd() {
        return fd;
    }

    public int mask() {
        return mask;
    }

    /// Changes what it asks for itself.
    ///
    /// @throws UncheckedIOException if the kernel refuses it; nothing has changed then
    public void mask(int newMask) {
        int before = mask;
        mask = Interest.check(newMask);
        try {
            adjust();
        } catch (Throwable refused) {
            mask = before;
            throw refused;
        }
    }

    /// {@return what was ready when the descriptor was reported last}
    public int triggered() {
        return triggered;
    }

    /// {@return the directions that were reported and not consumed}
    public int latched() {
        return watch.latched();
    }

    /// Says that a read or write in these directions met `EAGAIN`: the next edge is to be reported.
    public void consumed(int directions) {
        watch.consumed(directions);
    }

    @Override
    public void subscribe(Callback<? super Integer> callback) {
        super.subscribe(callback);
        int held = latchedFor(mask);
        if (held != 0) {
            tell(callback, held, null);
        }
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public String info() {
        return "Poll(fd " + fd + ", " + Interest.describe(mask | fan.mask()) + ")";
    }

    @Override
    protected void onStart() {
        if (is(HIDDEN)) {
            watch.unref();
        }
        watchFor(mask | fan.mask());
    }

    @Override
    protected void onStop() {
        if (!is(LOOP_GONE)) {
            watch.stop();
        }
    }

    @Override
    protected void onDispose() {
        fan.dispose();
        Closeable owned = descriptor;
        if (owned != null) {
            try {
                owned.close();
            } catch (Throwable failed) {
                report(failed);
            }
        }
    }

    /// A proxy starts, which asks for `bits`.
    void join(Callback<Integer> proxy, int bits) {
        if (is(CLOSED)) {
            throw new IllegalStateException("disposed of: " + info());
        }
        fan.add(bits);
        try {
            adjust();
            start();
        } catch (Throwable refused) {
            fan.remove(bits);
            throw refused;
        }
        fan.subscribe(proxy);
    }

    /// A proxy stops.
    void leave(Callback<Integer> proxy, int bits) {
        fan.unsubscribe(proxy);
        fan.remove(bits);
        stop();
        try {
            adjust();
        } catch (UncheckedIOException failed) {
            // It only means that more is reported than anybody asks for.
            report(failed);
        }
    }

    /// {@return which of these directions are latched; a hang-up concerns all}
    int latchedFor(int bits) {
        return watch.latched() & (bits | Interest.HUP);
    }

    private void onReady(int ready) {
        triggered = ready;
        int own = ready & (mask | Interest.HUP);
        if (own != 0) {
            fire(own, null);
        }
        fan.fire(ready, null);
    }

    private void adjust() {
        int union = mask | fan.mask();
        if (isStarted() && watch.interest() != union) {
            watchFor(union);
        }
    }

    private void watchFor(int union) {
        try {
            watch.start(union);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static void closeInKernel(int fd) throws ErrnoException {
        try (var state = new CallState()) {
            int result = Sys.NATIVE.close(state, fd);
            if (result < 0) {
                throw new ErrnoException("close(fd " + fd + ")", -result);
            }
        }
    }
}
