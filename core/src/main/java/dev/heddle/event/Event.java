package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.BiConsumer;

/// Something that happens, once or again and again, and that can be waited for: the base of timers,
/// descriptors, signals, coroutines, promises and scopes.
///
/// Subscribers are called in the order they came. A callback may subscribe and unsubscribe
/// anything: who comes during a round waits for the next one, or is told the outcome if the event
/// has closed; who leaves is not called. What fires while a round is under way is told in a round
/// of its own, after it.
///
/// [#start] and [#stop] are counted: the first start and the last stop touch the loop.
///
/// A library may add kinds of its own: say what [#onStart] and [#onStop] do, call [#fire] or
/// [#finish] on the loop, and give a line in [#info].
///
/// **Thread:** loop.
public abstract class Event<T> {
    /// It has happened for good: neither starts nor stops, and subscribing means [#replay].
    public static final int CLOSED = 1;

    /// Somebody awaits the result, or did: no warning that it is unused.
    public static final int RESULT_USED = 1 << 1;

    /// Somebody will get the error: it is not reported as unhandled.
    public static final int EXCEPTION_CAUGHT = 1 << 2;

    /// The error was dealt with: it is not thrown again.
    public static final int EXCEPTION_HANDLED = 1 << 3;

    /// Fires as usual, but neither keeps the loop alive nor counts as something that could still
    /// wake a coroutine.
    public static final int HIDDEN = 1 << 4;

    /// Owns its descriptor, and closes it when it is disposed of.
    public static final int CLOSE_FD = 1 << 5;

    /// Is held by a handle, an `EventHandle`, whose loss disposes of it.
    public static final int REFERENCE = 1 << 6;

    // What subclasses keep in the same word: one bit each, from here on.
    protected static final int FREE_BITS = 1 << 16;

    /// Its loop has closed and has stopped what it had: only what the loop knows nothing of, such
    /// as a descriptor, is left to give back. Set by a handle that was lost.
    static final int LOOP_GONE = 1 << 7;

    private static final int EVER_STARTED = 1 << 8;
    private static final int IN_ROUND = 1 << 9;

    private int flags;
    private int starts;
    private int owners = 1;

    // The subscribers, oldest first.
    private @Nullable Callback<?> first;
    private @Nullable Callback<?> last;

    // Of the round under way: who is next, and who was the last when it began.
    private @Nullable Callback<?> roundNext;
    private @Nullable Callback<?> roundLast;

    // What few events need.
    private @Nullable Extras<T> extras;

    protected Event() {}

    /// {@return the loop it fires on}
    public abstract Loop loop();

    /// {@return one line that a person can use: what it is, and its state}
    public abstract String info();

    // ---- subscribers ----

    /// Adds a subscriber. If the event has closed, it is told the outcome at once, inside this
    /// call.
    ///
    /// @throws IllegalStateException if the callback is subscribed already, or the event has closed
    ///   and has no outcome to tell
    public void subscribe(Callback<? super T> callback) {
        Objects.requireNonNull(callback, "callback");
        if (callback.event != null) {
            throw new IllegalStateException("subscribed already, to " + callback.event.info());
        }
        if (is(CLOSED)) {
            if (!replay(callback)) {
                throw new IllegalStateException("closed, with nothing to tell: " + info());
            }
            return;
        }
        callback.event = this;
        callback.previous = last;
        if (last == null) {
            first = callback;
        } else {
            last.next = callback;
        }
        last = callback;
    }

    /// [#subscribe(Callback)] for a lambda, which gets value and error.
    ///
    /// @return what to unsubscribe
    public final Callback<T> subscribe(
            BiConsumer<? super @Nullable T, ? super @Nullable Throwable> body) {
        Objects.requireNonNull(body, "body");
        Callback<T> callback =
                new Callback<>() {
                    @Override
                    protected void onEvent(
                            Event<? extends T> source,
                            @Nullable T value,
                            @Nullable Throwable error) {
                        body.accept(value, error);
                    }
                };
        subscribe(callback);
        return callback;
    }

    /// Removes a subscriber, in one step: it is not called any more, not even by a round under way.
    ///
    /// @return false if it was not subscribed here
    public final boolean unsubscribe(Callback<?> callback) {
        if (callback.event != this) {
            return false;
        }
        unlink(callback);
        return true;
    }

    public final boolean hasSubscribers() {
        return first != null;
    }

    @Nullable Callback<?> firstSubscriber() {
        return first;
    }

    /// Tells the stored outcome to a late subscriber.
    ///
    /// @return false if there is none, which is the answer of every kind that stores nothing
    protected boolean replay(Callback<? super T> callback) {
        return false;
    }

    /// Tells one callback, for [#replay].
    protected final void tell(
            Callback<? super T> callback, @Nullable T value, @Nullable Throwable error) {
        try {
            callback.onEvent(this, value, error);
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    /// Sets what stands between this event and its callbacks.
    public final void notifyHook(NotifyHook<T> hook) {
        extras().hook = Objects.requireNonNull(hook, "hook");
    }

    // ---- starting and stopping ----

    /// Makes it able to fire. Counted; a closed event stays closed.
    public final void start() {
        if (is(CLOSED)) {
            return;
        }
        if (starts == 0) {
            onStart();
            set(EVER_STARTED);
        }
        starts++;
    }

    /// Takes back one [#start].
    ///
    /// @throws IllegalStateException if there was none
    public final void stop() {
        if (is(CLOSED)) {
            return;
        }
        if (starts == 0) {
            throw new IllegalStateException("stop without start: " + info());
        }
        if (--starts == 0) {
            onStop();
        }
    }

    public final boolean isStarted() {
        return starts > 0;
    }

    /// The first start: begin to watch. May throw, and then has changed nothing.
    protected void onStart() {}

    /// The last stop, or the end: watch no more.
    protected void onStop() {}

    public final Life life() {
        if (is(CLOSED)) {
            return Life.CLOSED;
        }
        if (is(IN_ROUND)) {
            return Life.FIRED;
        }
        if (starts > 0) {
            return Life.ACTIVE;
        }
        return is(EVER_STARTED) ? Life.STOPPED : Life.CREATED;
    }

    // ---- firing ----

    /// Happens once more: tells all who are subscribed now.
    protected final void fire(@Nullable T value, @Nullable Throwable error) {
        // In a round also with nobody there: who comes before the round ends gets the next one.
        if (first != null || extras != null || is(IN_ROUND)) {
            notifyAllNow(value, error);
        }
    }

    /// Happens for the last time: closes, stops, and tells all.
    ///
    /// @throws IllegalStateException if it has closed already
    protected final void finish(@Nullable T value, @Nullable Throwable error) {
        if (is(CLOSED)) {
            throw new IllegalStateException("closed already: " + info());
        }
        close();
        fire(value, error);
    }

    private void close() {
        set(CLOSED);
        if (starts > 0) {
            starts = 0;
            onStop();
        }
    }

    private void notifyAllNow(@Nullable T value, @Nullable Throwable error) {
        Extras<T> extra = extras;
        if (is(IN_ROUND)) {
            extras().waiting.add(new NotifyHook.Notice<>(value, error));
            return;
        }
        set(IN_ROUND);
        if (extra == null) {
            round(value, error);
        } else {
            hookedRound(extra, new NotifyHook.Notice<>(value, error));
        }
        // Read again: the round may have made it.
        for (extra = extras; extra != null && !extra.waiting.isEmpty(); ) {
            hookedRound(extra, extra.waiting.remove());
        }
        clear(IN_ROUND);
    }

    private void hookedRound(Extras<T> extra, NotifyHook.Notice<T> fired) {
        NotifyHook.Notice<T> told = fired;
        NotifyHook<T> hook = extra.hook;
        if (hook != null) {
            try {
                told = Objects.requireNonNull(hook.apply(fired), "what the notify hook returned");
            } catch (Throwable thrown) {
                report(thrown);
            }
        }
        round(told.value(), told.error());
    }

    private void round(@Nullable T value, @Nullable Throwable error) {
        roundNext = first;
        roundLast = last;
        // Nothing comes after this round; who wants to wait again finds the outcome. Asked once: if
        // a callback closes the event, its outcome is told in the round after this one.
        boolean isLast = is(CLOSED) && (extras == null || extras.waiting.isEmpty());
        while (roundNext != null) {
            Callback<?> callback = roundNext;
            if (isLast) {
                unlink(callback);
            } else {
                roundNext = callback == roundLast ? null : callback.next;
            }
            tell(typed(callback), value, error);
        }
        roundLast = null;
    }

    // Only subscribe adds callbacks, and it takes those that accept a T.
    @SuppressWarnings("unchecked")
    private Callback<? super T> typed(Callback<?> callback) {
        return (Callback<? super T>) callback;
    }

    private void unlink(Callback<?> callback) {
        Callback<?> before = callback.previous;
        Callback<?> after = callback.next;
        if (callback == roundNext) {
            roundNext = callback == roundLast ? null : after;
        }
        if (callback == roundLast) {
            roundLast = before;
        }
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        callback.event = null;
        callback.previous = null;
        callback.next = null;
    }

    /// Hands what a callback threw to the loop's error handler.
    protected final void report(Throwable thrown) {
        loop().report(thrown, new Source(this));
    }

    // ---- lifetime ----

    /// Adds an owner: as many [#release]s are needed as there are owners, the first included.
    public final void retain() {
        if (owners == 0) {
            throw new IllegalStateException("disposed of already: " + info());
        }
        owners++;
    }

    /// Takes an owner away; the last one disposes of the event.
    public final void release() {
        if (owners > 0 && --owners == 0) {
            onLastRelease();
        }
    }

    /// Ends it whoever else owns it: it stops, its subscribers are told that they will not be
    /// called, its resources are given back. Idempotent.
    public final void dispose() {
        if (owners > 0) {
            owners = 0;
            onLastRelease();
        }
    }

    public final boolean isDisposed() {
        return owners == 0;
    }

    /// Nobody owns it any more: it ends. For kinds that only end by themselves to overrule.
    protected void onLastRelease() {
        if (!is(CLOSED)) {
            close();
        }
        if (extras != null) {
            extras.waiting.clear();
        }
        for (Callback<?> callback = first; callback != null; callback = first) {
            unlink(callback);
            try {
                callback.onDispose(this);
            } catch (Throwable thrown) {
                report(thrown);
            }
        }
        onDispose();
    }

    /// Gives back what it owns. Called once.
    protected void onDispose() {}

    // ---- flags ----

    public final boolean is(int flag) {
        return (flags & flag) != 0;
    }

    protected final void set(int flag) {
        flags |= flag;
    }

    protected final void clear(int flag) {
        flags &= ~flag;
    }

    /// Takes it out of what keeps the loop alive. Before it is started.
    public final void hide() {
        if (starts > 0) {
            throw new IllegalStateException("started already: " + info());
        }
        set(HIDDEN);
    }

    /// Says that the result will be used and an error caught, as awaiting does.
    public void markUsed() {
        set(RESULT_USED | EXCEPTION_CAUGHT);
    }

    /// A waiter that was woken by this event with `value` goes away without having used it: an
    /// event that gave the value to this waiter alone, as a channel does, takes it back or hands it
    /// on.
    protected void giveBack(@Nullable T value) {}

    @Override
    public String toString() {
        return info();
    }

    private Extras<T> extras() {
        if (extras == null) {
            extras = new Extras<>();
        }
        return extras;
    }

    private static final class Extras<T> {
        private @Nullable NotifyHook<T> hook;
        // Bounded by how often callbacks of one round fire their own event.
        private final ArrayDeque<NotifyHook.Notice<T>> waiting = new ArrayDeque<>();
    }

    /// What the loop's error handler is told the error came from.
    private static final class Source extends Task {
        private final Event<?> event;

        Source(Event<?> event) {
            this.event = event;
        }

        @Override
        protected void run() {
            throw new AssertionError("is never queued");
        }

        @Override
        public String toString() {
            return event.info();
        }
    }
}
