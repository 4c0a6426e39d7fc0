package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;

/// A reference to an event, for users: closing it releases the event. If it is lost without having
/// been closed, the garbage collector notices some time later, the event is released on its loop,
/// and a warning says where the handle was opened.
///
/// It takes over one ownership of the event, the first one usually. Keep the handle for as long as
/// the event is used: the event does not know who uses it.
///
/// **Thread:** any for [#close] and [#isClosed]; loop for the rest.
public final class EventHandle<E extends Event<?>> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.heddle.event");

    private final E event;
    private final Ownership ownership;
    private final Loss loss;

    /// Records where it is called, for the warning.
    public EventHandle(E event) {
        if (event.isDisposed()) {
            throw new IllegalStateException("disposed of already: " + event.info());
        }
        event.set(Event.REFERENCE);
        this.event = event;
        ownership = new Ownership(event);
        loss = Loss.watch(this, ownership);
    }

    /// @throws IllegalStateException if this is closed
    public E event() {
        if (ownership.closed) {
            throw new IllegalStateException("closed: " + this);
        }
        return event;
    }

    public boolean isClosed() {
        return ownership.closed;
    }

    /// Releases the event: at once on its loop, else when the loop gets to it. Idempotent.
    @Override
    public void close() {
        ownership.closed = true;
        if (loss.forget()) {
            ownership.run();
        }
    }

    @Override
    public String toString() {
        return "handle of " + ownership.what + (ownership.closed ? ", closed" : "");
    }

    /// What is left of a handle that is lost. Must not know the handle.
    private static final class Ownership implements Runnable {
        private final Event<?> event;
        // As it was in the beginning: the state is the loop's, and this may run on another thread.
        private final String what;
        private final Throwable opened = new Throwable("opened here");

        // Written by who closes, before it runs this.
        private volatile boolean closed;

        Ownership(Event<?> event) {
            this.event = event;
            what = event.info();
        }

        /// Called once, by who closes the handle or by the cleaner.
        @Override
        public void run() {
            boolean lost = !closed;
            Loop loop = event.loop();
            if (!lost && loop.isOnLoop()) {
                event.release();
            } else if (!loop.postIfOpen(new Release(event, what))) {
                event.set(Event.LOOP_GONE);
                event.release();
            }
            if (lost) {
                LOG.log(System.Logger.Level.WARNING, what + " was dropped without close()", opened);
            }
        }
    }

    /// The release, on the loop.
    private static final class Release extends Task {
        private final Event<?> event;
        private final String what;

        Release(Event<?> event, String what) {
            this.event = event;
            this.what = what;
        }

        @Override
        protected void run() {
            event.release();
        }

        @Override
        protected void drop() {
            // A loop that ends still cleans up.
            run();
        }

        @Override
        public String toString() {
            return "release of " + what;
        }
    }
}
