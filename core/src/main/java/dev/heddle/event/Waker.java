package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What a coroutine waits with: the events it waits for, the one that answered, and the answer.
///
/// A wait goes in three steps: [#begin]; gather the events with [#on] and its kin, which starts
/// nothing yet; [#suspend], which subscribes to all, starts all, and parks until one answers. An
/// event that has happened already answers at once, and then there is no switch: nothing can happen
/// between the look and the sleep.
///
/// Among the answers of one turn of the loop, timeouts and tokens come last, however early they
/// fired; of the others the first wins.
///
/// **Thread:** loop: the coroutine itself gathers and suspends, the loop wakes.
public abstract class Waker extends Task {
    /*
     *        begin, on…                    an event answers, or interrupt
     *  NONE ────suspend──▶ WAITING ───────────────────────────────▶ QUEUED
     *   ▲                     (parked; events are started)             │   (in the ready queue)
     *   │                                                              │ the loop gets to it
     *   └────────── the coroutine has read the answer ──── RESULT ◀────┘
     *
     *  QUEUED ──ignore──▶ IGNORED       (still queued, but only to be finalised: the body never ran)
     *
     * Everything here happens on the loop's thread, so the arrows need no atomics. An answer that finds
     * the waker QUEUED is merged: an error joins the first error as suppressed, a value is given back.
     */

    /// Where a wait is; the arrows are drawn in the source.
    public enum State {
        NONE,
        WAITING,
        QUEUED,
        RESULT,
        IGNORED
    }

    private State state = State.NONE;
    // Whether the coroutine has gone to sleep: an answer that comes before needs no queueing.
    private boolean parked;

    // Counts waits, so that a timeout that was put off to the end of the turn knows its own.
    private int waits;

    // One node is there from the start, a second is made once and kept: a wait for one or two
    // events allocates nothing. More are made as needed and forgotten.
    private final WakerNode one;
    private @Nullable WakerNode two;
    private @Nullable WakerNode firstNode;
    private @Nullable WakerNode lastNode;

    private @Nullable Object result;
    private @Nullable Throwable error;
    private @Nullable Event<?> triggered;
    private @Nullable List<Event<?>> alsoTriggered;
    private @Nullable Runnable destructor;
    private @Nullable TimerEvent timer;

    // The node only remembers whose it is.
    @SuppressWarnings("this-escape")
    protected Waker() {
        one = new WakerNode(this);
    }

    /// Puts this into the ready queue. It was not there.
    protected abstract void enqueue();

    /// Parks the calling coroutine until the state is no longer WAITING.
    protected abstract void park();

    protected abstract Loop loop();

    /// {@return what a wait throws that a timeout ended}
    protected abstract Throwable timedOut(Event<?> timeout);

    /// {@return what a wait throws that a token ended}
    ///
    /// @param reason what the token's event failed with; null if it did not
    protected abstract Throwable cancelledBy(Event<?> token, @Nullable Throwable reason);

    // ---- gathering ----

    /// Begins a wait: forgets the last one.
    public final Waker begin() {
        if (parked && (state == State.WAITING || state == State.QUEUED)) {
            throw new IllegalStateException("a wait is under way: " + awaitingInfo());
        }
        // There may be something left of a wait that ran out of stack before it parked.
        if (firstNode != null || result != null || error != null || triggered != null) {
            clear();
        }
        state = State.NONE;
        waits++;
        return this;
    }

    /// Wakes with the event's value or error.
    public final Waker on(Event<?> event) {
        add(event, WakerNode.Kind.RESOLVE);
        return this;
    }

    /// Wakes when `reaction` says so, by [#answer].
    public final <T> Waker on(Event<T> event, Reaction<? super T> reaction) {
        add(event, WakerNode.Kind.CUSTOM).reaction = Objects.requireNonNull(reaction, "reaction");
        return this;
    }

    /// Ends the wait as timed out, unless something else answers in the same turn.
    public final Waker onTimeout(Event<?> event) {
        add(event, WakerNode.Kind.TIMEOUT);
        return this;
    }

    /// Ends the wait as cancelled, unless something else answers in the same turn.
    public final Waker onToken(Event<?> event) {
        add(event, WakerNode.Kind.TOKEN);
        return this;
    }

    /// Hands the ownership of `event`, gathered before, to this wait: it is released when the wait
    /// ends.
    public final Waker owning(Event<?> event) {
        for (WakerNode node = firstNode; node != null; node = node.sibling) {
            if (node.target == event) {
                node.owned = true;
                return this;
            }
        }
        throw new IllegalArgumentException("not gathered: " + event.info());
    }

    /// Runs once when the wait is over, whatever ended it.
    public final Waker onEnd(Runnable newDestructor) {
        destructor = Objects.requireNonNull(newDestructor, "destructor");
        return this;
    }

    /// {@return a timer to wait for, set to `nanos` from now; one for each waker, used again and
    /// again}
    public final TimerEvent timer(long nanos) {
        if (timer == null) {
            timer = new TimerEvent(loop());
        }
        return timer.set(nanos);
    }

    private WakerNode add(Event<?> event, WakerNode.Kind kind) {
        Objects.requireNonNull(event, "event");
        WakerNode node = freeNode();
        node.target = event;
        node.kind = kind;
        if (lastNode == null) {
            firstNode = node;
        } else {
            lastNode.sibling = node;
        }
        lastNode = node;
        return node;
    }

    private WakerNode freeNode() {
        if (firstNode == null) {
            return one;
        }
        if (firstNode.sibling == null) {
            if (two == null) {
                two = new WakerNode(this);
            }
            return two;
        }
        return new WakerNode(this);
    }

    // ---- waiting ----

    /// Starts what was gathered and parks until there is an answer.
    ///
    /// @return whether it parked; false if the answer was there already
    public final boolean suspend() {
        state = State.WAITING;
        boolean switched = false;
        try {
            startAll();
            if (state == State.WAITING) {
                switched = true;
                parked = true;
                park();
            }
        } catch (Throwable thrown) {
            // Starting an event failed, or the stack ran out: the wait did not happen.
            parked = false;
            clear();
            state = State.NONE;
            throw thrown;
        }
        parked = false;
        state = State.RESULT;
        endWait();
        return switched;
    }

    /// Says that the coroutine has been put back into the queue by itself, with nothing to wait
    /// for.
    protected final void queueWithoutWait() {
        if (firstNode != null || result != null || error != null || triggered != null) {
            clear();
        }
        waits++;
        state = State.QUEUED;
    }

    /// The coroutine goes on: the answer can be read until the next wait begins.
    protected final void resumed() {
        state = State.RESULT;
    }

    /// There will be no further wait: keeps nothing of the last one.
    protected final void forget() {
        clear();
        TimerEvent left = timer;
        if (left != null) {
            left.disarm();
            timer = null;
        }
    }

    // What was awaited first: at this moment, a thing that has happened beats a token that has
    // fired.
    private void startAll() {
        for (WakerNode node = firstNode; node != null; node = node.sibling) {
            if (!node.kind.isLate()) {
                start(node);
            }
        }
        for (WakerNode node = firstNode; node != null; node = node.sibling) {
            if (node.kind.isLate()) {
                start(node);
            }
        }
    }

    // What comes after the answer had somebody who waited for it, like all the others.
    private void start(WakerNode node) {
        if (state == State.WAITING) {
            node.begin();
        } else {
            Objects.requireNonNull(node.target).markUsed();
        }
    }

    // ---- waking ----

    /// Answers the wait: stores, stops all events once, and queues the coroutine. The first answer
    /// wins; a later one is merged.
    public final void answer(
            @Nullable Event<?> source, @Nullable Object value, @Nullable Throwable failure) {
        if (state == State.WAITING) {
            result = value;
            error = failure;
            triggered = source;
            state = State.QUEUED;
            stopAll();
            if (parked) {
                enqueue();
            }
        } else if (state == State.QUEUED) {
            merge(source, value, failure);
        }
    }

    /// Ends the wait with `cause`, whatever it waits for. If an answer has come that the coroutine
    /// has not seen yet, a value is given back and `cause` replaces it; an error stays.
    ///
    /// @return whether the coroutine will see `cause`
    public final boolean interrupt(Throwable cause) {
        if (state == State.WAITING) {
            answer(null, null, cause);
            return true;
        }
        if (state != State.QUEUED || error != null) {
            return false;
        }
        giveBack(triggered, result);
        result = null;
        triggered = null;
        error = cause;
        return true;
    }

    /// Says that a queued coroutine will not run: the loop only finalises it.
    protected final void ignore() {
        state = State.IGNORED;
    }

    /// Says that it stands in the ready queue for the first time.
    protected final void queueFirst() {
        state = State.QUEUED;
    }

    private void merge(
            @Nullable Event<?> source, @Nullable Object value, @Nullable Throwable failure) {
        if (source != null) {
            if (alsoTriggered == null) {
                alsoTriggered = new ArrayList<>(2);
            }
            alsoTriggered.add(source);
        }
        if (failure == null) {
            giveBack(source, value);
        } else if (error == null) {
            giveBack(triggered, result);
            result = null;
            error = failure;
        } else if (error != failure) {
            error.addSuppressed(failure);
        }
    }

    // Only the event that gave the value gets it back.
    @SuppressWarnings("unchecked")
    private static void giveBack(@Nullable Event<?> source, @Nullable Object value) {
        if (source != null && value != null) {
            ((Event<Object>) source).giveBack(value);
        }
    }

    private void stopAll() {
        for (WakerNode node = firstNode; node != null; node = node.sibling) {
            node.end();
        }
    }

    private void endWait() {
        for (WakerNode node = firstNode; node != null; ) {
            WakerNode after = node.sibling;
            node.end();
            node.forget();
            node = after;
        }
        firstNode = null;
        lastNode = null;
        Runnable ended = destructor;
        if (ended != null) {
            destructor = null;
            ended.run();
        }
    }

    private void clear() {
        endWait();
        result = null;
        error = null;
        triggered = null;
        alsoTriggered = null;
    }

    // ---- asking ----

    /// {@return which wait this is, to be compared with later}
    final int waitNumber() {
        return waits;
    }

    public final State state() {
        return state;
    }

    /// {@return the value that ended the last wait}
    public final @Nullable Object result() {
        return result;
    }

    /// {@return the error that ended the last wait; null if it was answered}
    public final @Nullable Throwable error() {
        return error;
    }

    /// {@return whether it was `event` that ended the last wait, by its value or by its error}
    public final boolean isAnsweredBy(Event<?> event) {
        return triggered == event;
    }

    /// {@return the events that fired, the one that answered first}
    public final List<Event<?>> triggered() {
        var all = new ArrayList<Event<?>>();
        if (triggered != null) {
            all.add(triggered);
        }
        if (alsoTriggered != null) {
            all.addAll(alsoTriggered);
        }
        return all;
    }

    /// {@return whether nothing but the awaited events themselves can end the wait: it has neither
    /// timeout nor token}
    public final boolean isPatient() {
        for (WakerNode node = firstNode; node != null; node = node.sibling) {
            if (node.kind.isLate()) {
                return false;
            }
        }
        return true;
    }

    /// Shows every event that is waited for, timeouts and tokens included, in the order gathered.
    public final void awaited(Consumer<? super Event<?>> visitor) {
        for (WakerNode node = firstNode; node != null; node = node.sibling) {
            if (node.target != null) {
                visitor.accept(node.target);
            }
        }
    }

    /// Shows every waker that waits for `event`, the first to come first, until `visitor` says
    /// false.
    public static void everyWaiter(Event<?> event, Predicate<? super Waker> visitor) {
        for (Callback<?> each = event.firstSubscriber(); each != null; each = each.next) {
            if (each instanceof WakerNode node && !visitor.test(node.waker)) {
                return;
            }
        }
    }

    /// {@return whether `callback` is a waker's place in the list of an event: being told it wakes
    /// somebody, who has not seen it yet}
    public static boolean isWait(Callback<?> callback) {
        return callback instanceof WakerNode;
    }

    /// {@return the event gathered first; null if there is none}
    protected final @Nullable Event<?> firstAwaited() {
        return firstNode == null ? null : firstNode.target;
    }

    /// {@return what is waited for, in words}
    public final String awaitingInfo() {
        if (firstNode == null) {
            return state == State.QUEUED ? "its turn" : "nothing";
        }
        var text = new StringBuilder();
        awaited(event -> text.append(text.isEmpty() ? "" : ", ").append(event.info()));
        return text.toString();
    }

    /// How an event ends a wait in a manner of its own: it may call [Waker#answer], or not yet.
    ///
    /// **Thread:** loop.
    @FunctionalInterface
    public interface Reaction<T> {
        void onEvent(
                Waker waker,
                Event<? extends T> source,
                @Nullable T value,
                @Nullable Throwable error);
    }
}
