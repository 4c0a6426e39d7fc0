package dev.heddle.event;

import org.jspecify.annotations.Nullable;

/// A subscriber of one event, and its place in that event's list.
///
/// The links are part of it, so that subscribing allocates nothing and leaving takes one step,
/// wherever it stands. The price: one callback subscribes to one event at a time.
///
/// **Thread:** loop.
public abstract class Callback<T> {
    // Written by the event. Null, all three, while it is not subscribed.
    @Nullable Event<?> event;
    @Nullable Callback<?> previous;
    @Nullable Callback<?> next;

    protected Callback() {}

    /// The event fired: with a value, or with an error; both are null if there is nothing to say.
    /// What it throws goes to the loop's error handler, and the other callbacks are still called.
    protected abstract void onEvent(
            Event<? extends T> source, @Nullable T value, @Nullable Throwable error);

    /// The event was disposed of while this was subscribed: it will not be called any more.
    protected void onDispose(Event<?> source) {}

    public final boolean isSubscribed() {
        return event != null;
    }
}
