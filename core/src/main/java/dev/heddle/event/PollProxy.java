package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;
import dev.heddle.reactor.Interest;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Waits for some directions of a descriptor that others wait for too: one coroutine reads from a
/// socket while another writes to it.
///
/// The reactor is asked for the union of what the started proxies want, and told of it only when it
/// changes. A proxy fires for its own directions, and for a hang-up or error, which concerns all.
/// It is one of the owners of the [PollEvent]; when that is disposed of, so are the proxies that
/// are started.
///
/// To take it out of what keeps the loop alive, hide the poll.
///
/// **Thread:** loop.
public final class PollProxy extends Event<Integer> {
    private final PollEvent poll;
    private final int mask;
    private final Link link = new Link();
    private int triggered;
    private @Nullable CatchUp catchUp;

    /// @param mask bits of [Interest]
    public PollProxy(PollEvent poll, int mask) {
        this.mask = Interest.check(mask);
        this.poll = Objects.requireNonNull(poll, "poll");
        poll.retain();
        if (poll.is(HIDDEN)) {
            set(HIDDEN);
        }
    }

    public PollEvent poll() {
        return poll;
    }

    public int mask() {
        return mask;
    }

    /// {@return what was ready when this fired last}
    public int triggered() {
        return triggered;
    }

    /// [PollEvent#consumed].
    public void consumed(int directions) {
        poll.consumed(directions);
    }

    @Override
    public void subscribe(Callback<? super Integer> callback) {
        super.subscribe(callback);
        int held = poll.latchedFor(mask);
        if (held != 0) {
            triggered = held;
            tell(callback, held, null);
        }
    }

    @Override
    public Loop loop() {
        return poll.loop();
    }

    @Override
    public String info() {
        return "PollProxy(fd " + poll.fd() + ", " + Interest.describe(mask) + ")";
    }

    @Override
    protected void onStart() {
        poll.join(link, mask);
        if (hasSubscribers() && poll.latchedFor(mask) != 0) {
            // Another proxy was told of it while this one was stopped, and no new edge will come.
            // Not from inside the start, which a callback might want to take back.
            catchUp().queue();
        }
    }

    @Override
    protected void onStop() {
        if (is(LOOP_GONE)) {
            poll.set(LOOP_GONE);
        }
        poll.leave(link, mask);
    }

    @Override
    protected void onDispose() {
        poll.release();
    }

    private void ready(int bits) {
        int own = bits & (mask | Interest.HUP);
        if (own != 0) {
            triggered = own;
            fire(own, null);
        }
    }

    private CatchUp catchUp() {
        if (catchUp == null) {
            catchUp = new CatchUp();
        }
        return catchUp;
    }

    /// Its place among the started proxies.
    private final class Link extends Callback<Integer> {
        @Override
        protected void onEvent(
                Event<? extends Integer> source,
                @Nullable Integer bits,
                @Nullable Throwable error) {
            if (bits != null) {
                ready(bits);
            }
        }

        @Override
        protected void onDispose(Event<?> source) {
            dispose();
        }
    }

    /// Fires for what is latched, in a step of its own.
    private final class CatchUp extends Task {
        private boolean queued;

        void queue() {
            if (!queued) {
                queued = true;
                loop().enqueue(this);
            }
        }

        @Override
        protected void run() {
            queued = false;
            if (isStarted()) {
                ready(poll.latchedFor(mask));
            }
        }

        @Override
        public String toString() {
            return "catching up of " + info();
        }
    }
}
