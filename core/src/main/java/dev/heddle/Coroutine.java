package dev.heddle;

import dev.heddle.event.Waker;
import dev.heddle.loop.Loop;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A task of its own, written as plain blocking code: a virtual thread that its loop schedules.
///
/// Spawned by [Heddle#spawn] or [Scope#spawn]; it begins to run when its spawner suspends. Between
/// two suspension points it runs alone on its loop.
///
/// **Thread:** loop; [#cancel] any.
public final class Coroutine<T> extends OutcomeEvent<T> implements Awaitable<T>, ErrorSource {
    // Over 500 lines because it is all that users see of a coroutine, and its way from body to
    // outcome.

    private static final int ZOMBIE = FREE_BITS;
    private static final int HIGH_PRIORITY = FREE_BITS << 1;
    private static final int FAILURE_READ = FREE_BITS << 3;
    private static final int CLOSING = FREE_BITS << 4;

    private static final String INTERRUPTED = "interrupted";

    private final long id;
    private final Fiber fiber;
    private final ScopeNode home;
    private @Nullable Callable<? extends T> body;
    private @Nullable String name;
    private @Nullable Object madeBy;
    private @Nullable Outcome<T> outcome;

    // The home scope's list, and the place in the registry.
    @Nullable Coroutine<?> previousInScope;
    @Nullable Coroutine<?> nextInScope;
    int place;

    // The scheduler's list of those whose spawn ran out of stack.
    @Nullable Coroutine<?> nextHalfSpawned;

    // Where `spawn` puts its children; differs from home inside Scope.run.
    ScopeNode scopeNow;
    private @Nullable Frame frame;
    private @Nullable CancelRequest request;
    private @Nullable Completions<T> completions;
    private @Nullable Context context;
    private @Nullable Neglect neglect;

    // Of a cancellation that was sent into a call of the JDK: then its thread's interrupt flag, if
    // it
    // is up, is ours.
    private @Nullable Hint hint;

    Coroutine(
            Scheduler scheduler,
            ScopeNode home,
            @Nullable String name,
            Callable<? extends T> body) {
        this.home = home;
        this.name = name;
        this.body = Objects.requireNonNull(body, "body");
        scopeNow = home;
        id = scheduler.nextId();
        madeBy = scheduler.options.debug ? Place.ofCaller() : ActionBody.classOf(body);
        fiber = new Fiber(this, scheduler, name);
    }

    // ---- the handle ----

    /// Asks it to end: a [Cancellation] is thrown at its suspension point, where it is or where it
    /// gets to next. A coroutine that has not begun never runs. The first reason wins; cancelling
    /// one that has ended does nothing. Any thread.
    public void cancel() {
        cancel("cancelled");
    }

    /// [#cancel()] with a reason, which is the message of the [Cancellation].
    public void cancel(String reason) {
        Objects.requireNonNull(reason, "reason");
        scheduler().onLoop(() -> requestCancel(reason));
    }

    /// Cancels it and waits until it has ended.
    public Outcome<T> cancelAndAwait(String reason) {
        cancel(reason);
        return awaitOutcome();
    }

    /// Gives it a name, for messages and thread dumps.
    public Coroutine<T> named(String newName) {
        Objects.requireNonNull(newName, "name");
        scheduler().ensureHere("named");
        name = newName;
        Thread thread = fiber.thread();
        if (thread != null && outcome == null) {
            thread.setName(newName);
        }
        return this;
    }

    /// Lets it go before all others whenever it is ready.
    public Coroutine<T> asHighPriority() {
        scheduler().ensureHere("asHighPriority");
        if (!is(HIGH_PRIORITY)) {
            set(HIGH_PRIORITY);
            fiber.promote();
        }
        return this;
    }

    /// Says that its failure will be looked at later: it stays on this handle, and is only logged
    /// if nobody ever does.
    public Coroutine<T> observed() {
        scheduler().ensureHere("observed");
        markUsed();
        return this;
    }

    /// Calls `handler` when it has ended, after those that await it, in the order of registration;
    /// at the next turn if it has ended already. A handler is a callback and must not wait; what
    /// handlers throw goes where an unobserved failure goes.
    public Coroutine<T> onCompletion(Consumer<? super Outcome<T>> handler) {
        Objects.requireNonNull(handler, "handler");
        scheduler().ensureHere("onCompletion");
        if (completions == null) {
            completions = new Completions<>(this);
        }
        completions.add(handler);
        if (outcome != null) {
            completions.post();
        }
        return this;
    }

    @Override
    public Optional<Outcome<T>> outcome() {
        return Optional.ofNullable(readOutcome());
    }

    public long id() {
        return id;
    }

    /// {@return its name; if it was given none, the class that its body comes from}
    @Override
    public String name() {
        return name == null ? "coroutine " + id + " of " + Place.describe(madeBy) : name;
    }

    @Nullable String givenName() {
        return name;
    }

    /// {@return the scope it was spawned in}
    @Override
    public Scope scope() {
        return home.handle();
    }

    public CoroutineState state() {
        if (outcome != null) {
            return CoroutineState.FINISHED;
        }
        if (!fiber.isStarted()) {
            return CoroutineState.QUEUED;
        }
        if (scheduler().current == this) {
            return CoroutineState.RUNNING;
        }
        return switch (fiber.state()) {
            case WAITING -> CoroutineState.WAITING;
            case QUEUED -> CoroutineState.READY;
            case NONE, RESULT, IGNORED -> CoroutineState.IN_JDK_CALL;
        };
    }

    public boolean hasStarted() {
        return fiber.isStarted();
    }

    /// {@return whether it waits for its turn: spawned and not yet begun, or woken, or suspended by
    /// [Heddle#suspend]}
    public boolean isQueued() {
        return outcome == null && fiber.state() == Waker.State.QUEUED;
    }

    public boolean isRunning() {
        return state() == CoroutineState.RUNNING;
    }

    /// {@return whether it has begun, has not ended, and is not the one that runs}
    public boolean isSuspended() {
        return hasStarted() && outcome == null && !isRunning();
    }

    public boolean isFinished() {
        return outcome != null;
    }

    /// {@return whether it ended by its own cancellation}
    public boolean isCancelled() {
        return outcome instanceof Outcome.Cancelled;
    }

    public boolean isCancellationRequested() {
        return request != null;
    }

    /// {@return whether nobody waits for it any more, nor for the coroutine in whose block it is}
    public boolean isZombie() {
        return is(ZOMBIE) || home.isOfZombie();
    }

    /// {@return what it waits for, in words}
    public String awaitingInfo() {
        return switch (state()) {
            case WAITING -> fiber.awaitingInfo();
            case IN_JDK_CALL -> "a call of the JDK";
            case QUEUED, READY -> "its turn";
            case RUNNING, FINISHED -> "nothing";
        };
    }

    /// {@return its stack while it is suspended; empty before it began and after it ended}
    public List<StackTraceElement> stack() {
        return List.of(stackNow());
    }

    private StackTraceElement[] stackNow() {
        Thread thread = fiber.thread();
        return thread != null && hasStarted() && outcome == null
                ? thread.getStackTrace()
                : new StackTraceElement[0];
    }

    /// {@return where it was spawned, in debug mode; else the class of its body}
    public String spawnedAt() {
        return Place.describe(madeBy);
    }

    /// {@return the line of the program at which it is suspended; empty if it is not}
    public String suspendedAt() {
        return isSuspended() ? Place.firstOutside(stackNow()) : "";
    }

    @Override
    public String info() {
        var text = new StringBuilder("Coroutine #").append(id);
        if (name != null) {
            text.append(" \"").append(name).append('"');
        }
        text.append(" spawned at ").append(spawnedAt());
        if (isZombie()) {
            text.append(", zombie");
        }
        return switch (state()) {
            case WAITING, READY, IN_JDK_CALL ->
                    text.append(", suspended at ").append(suspendedAt()).toString();
            case QUEUED -> text.append(", not begun").toString();
            case RUNNING -> text.append(", running").toString();
            case FINISHED -> text.append(", ").append(ending()).toString();
        };
    }

    private String ending() {
        return switch (Objects.requireNonNull(outcome)) {
            case Outcome.Success<T> _ -> "finished";
            case Outcome.Failure<T>(var error) -> "failed: " + Report.inWords(error);
            case Outcome.Cancelled<T>(var why) -> "cancelled: " + why.getMessage();
        };
    }

    // ---- as an event ----

    /// Cancels it: a coroutine is ended by its own body, not by who has its handle.
    @Override
    protected void onLastRelease() {
        cancel("disposed of");
    }

    @Override
    public Loop loop() {
        return scheduler().loop;
    }

    @Override
    @Nullable Outcome<T> peek() {
        return outcome;
    }

    @Override
    @Nullable Outcome<T> readOutcome() {
        if (outcome instanceof Outcome.Failure) {
            failureRead();
        }
        return outcome;
    }

    // ---- from body to outcome ----

    /// Runs the body. On its own virtual thread.
    void live() {
        Callable<? extends T> todo = Objects.requireNonNull(body);
        body = null;
        Outcome<T> end;
        try {
            // In two steps: `new` comes before its arguments, and every coroutine that is suspended
            // in its body would keep one.
            T value = todo.call();
            end = new Outcome.Success<>(value);
        } catch (Throwable thrown) {
            end = endingOrFailure(thrown);
        }
        returnedWith(end);
    }

    // It looks at what was thrown, and an exception of the user's may throw when it is asked.
    private Outcome<T> endingOrFailure(Throwable thrown) {
        try {
            return ending(thrown);
        } catch (Throwable hostile) {
            return new Outcome.Failure<>(thrown);
        }
    }

    private Outcome<T> ending(Throwable thrown) {
        if (thrown instanceof InterruptedException && request == null) {
            // A stranger interrupted it, in a call of the JDK, which told nobody else.
            request = new CancelRequest(this, INTERRUPTED);
        }
        CancelRequest asked = request;
        if (asked == null) {
            return new Outcome.Failure<>(thrown);
        }
        if (thrown instanceof Cancellation cancellation) {
            // One that it got from somebody else counts too, but it has its own reason.
            boolean own = cancellation.isOf(asked);
            scheduler().reportHidden(this, cancellation);
            return new Outcome.Cancelled<>(own ? cancellation : asked.cancellation());
        }
        if (isInterruptedBy(asked)) {
            return new Outcome.Cancelled<>(cancellationFor(asked, thrown));
        }
        if (asked.isBehind(thrown)) {
            return new Outcome.Cancelled<>(asked.insteadOf(thrown));
        }
        if (JdkInterrupts.isOne(thrown)) {
            return new Outcome.Cancelled<>(asked.cancellation());
        }
        if (asked.wasDelivered()) {
            Errors.suppress(thrown, asked.last());
        }
        return new Outcome.Failure<>(thrown);
    }

    @SuppressWarnings("unchecked") // A failure has no value, so its type does not matter.
    void returnedWith(Outcome<?> end) {
        outcome = (Outcome<T>) end;
    }

    /// Before its body begins: one that was cancelled already has none.
    void throwIfCancelled() {
        if (request != null) {
            throwIfDue();
        }
    }

    /// {@return what has left the body; if it comes of its own cancellation, that}
    Throwable asItCounts(Throwable thrown) {
        return ending(thrown) instanceof Outcome.Cancelled<T>(var cancellation)
                ? cancellation
                : thrown;
    }

    /// The body has ended, and what it owned is being closed. From now on a cancellation counts as
    /// delivered when it is asked for: its window opens, and it is thrown only when that has ended.
    /// So it ends a close that hangs, and no other.
    void beginClosing() {
        // Not for one that goes on after its loop has ended.
        if (scheduler().isHere()) {
            set(CLOSING);
            if (hint != null || Thread.interrupted()) {
                interrupted();
            }
            if (request != null && !request.wasDelivered()) {
                request.deliverInClose();
            }
        }
    }

    /// {@return what it owns and has not begun to use; null if it owns nothing}
    @Nullable Owned<?, ?> unbegun() {
        return body instanceof Owned<?, ?> owned ? owned : null;
    }

    /// No thread could be made for it.
    void endUnbegun(Throwable why) {
        Owned<?, ?> owned = unbegun();
        if (owned != null) {
            try {
                owned.close();
            } catch (Throwable thrown) {
                why.addSuppressed(thrown);
            }
        }
        returnedWith(new Outcome.Failure<>(why));
        end();
    }

    /// Cancelled before it began.
    void endUnstarted() {
        returnedWith(new Outcome.Cancelled<>(Objects.requireNonNull(request).cancellation()));
        end();
    }

    /// The body has returned: tells everybody.
    void end() {
        body = null;
        Outcome<T> end = Objects.requireNonNull(outcome);
        if (request != null) {
            scheduler().windows.close(request);
        }
        boolean wasAwaited = is(EXCEPTION_CAUGHT);
        scheduler().remove(this);
        finishWith(end);
        if (completions != null) {
            completions.post();
        }
        home.ended(this, end, wasAwaited);
    }

    boolean isFailureRead() {
        return is(FAILURE_READ);
    }

    @Override
    void failureRead() {
        set(FAILURE_READ);
        if (neglect != null) {
            neglect.unwatch();
            neglect = null;
        }
    }

    /// Its failure is reported if this handle is lost before anybody has looked.
    void watchFailure(Throwable error) {
        boolean debug = scheduler().options.debug;
        String place = debug ? " spawned at " + spawnedAt() : "";
        neglect = new Neglect(scheduler(), name(), place);
        neglect.watch(this, error);
    }

    // ---- cancelling ----

    /// On the loop.
    void requestCancel(String reason) {
        if (request != null || outcome != null) {
            return;
        }
        request = new CancelRequest(this, reason);
        if (!(body instanceof Owned)) {
            // One that owns something begins, to close it.
            fiber.ignoreIfUnstarted();
        }
        deliverOrHint(request);
    }

    @Nullable CancelRequest request() {
        return request;
    }

    /// Wakes the coroutine with the request, if it is suspended and nothing shields it.
    void deliverOrHint(CancelRequest which) {
        if (which == request && is(CLOSING) && !which.wasDelivered()) {
            which.deliverInClose();
            return;
        }
        if (!fiber.isStarted() || Frame.due(this) != which) {
            // Inside a shield there is not even a hint: a call of the JDK may be the very thing to
            // protect. The end of the shield throws it.
            return;
        }
        if (fiber.isInJdk()) {
            // Only a hint: whether the JDK's call ends is up to it. The window opens now, or one
            // that ignores the hint would be waited for for ever.
            hint = new Hint(which, Objects.requireNonNull(fiber.thread()));
            which.openWindow();
        } else {
            fiber.interrupt(which.cancellation());
        }
    }

    /// Wakes it with `error`, even inside `protect`.
    void force(Throwable error) {
        fiber.interrupt(error);
    }

    /// The clean-up window of `which` has ended, and it is still here.
    void windowEnded(CancelRequest which) {
        if (Frame.isShielded(this, which)) {
            // Not opened again: its timer could wake nobody, and would hide a standstill.
            which.waitForShield();
            return;
        }
        which.renew();
        scheduler().unanswered(this, which);
        if (which == request && which.isHopeless()) {
            which.giveUp();
            home.makeZombie(this, "ignores its cancellation");
        }
        which.openWindow();
        deliverOrHint(which);
    }

    /// Called by every suspension point, before it suspends.
    void beforeSuspension() {
        Probe probe = scheduler().probe;
        if (probe != null) {
            probe.suspends(this);
            if (Frame.lingers(this)) {
                probe.lingers(this);
            }
        }
        if (hint != null || Thread.interrupted()) {
            interrupted();
        }
        if (request != null || frame != null) {
            Frame.passLimits(this);
            throwIfDue();
        }
    }

    private void throwIfDue() {
        CancelRequest which = Frame.due(this);
        if (which == null) {
            return;
        }
        if (which.isForEver()) {
            // It swallows every cancellation: let the others run, or it would keep the loop for
            // itself.
            fiber.yieldNow();
        }
        Cancellation thrown = which.fresh();
        which.deliver(thrown);
        throw thrown;
    }

    /// Lets all others that are ready run first.
    void letOthersRun() {
        beforeSuspension();
        fiber.yieldNow();
        throwIfInterrupted();
    }

    /// Waits for what was gathered in the waker.
    void suspend() {
        beforeSuspension();
        if (!fiber.suspend()) {
            // Letting others run is a wait of its own, in which the waker forgets this one's end.
            Throwable ended = fiber.error();
            scheduler().spend(this);
            if (ended != null) {
                throw Waits.unchecked(ended);
            }
        }
    }

    /// Throws what ended a wait that is answered by no value and no failure of what was awaited.
    void throwIfInterrupted() {
        Throwable error = fiber.error();
        if (error != null) {
            if (error instanceof Cancellation cancellation) {
                Frame.delivered(this, cancellation);
            }
            throw Waits.unchecked(error);
        }
    }

    /// Its thread was interrupted: by a stranger, which means cancel, or by our own hint, which
    /// then has ended the call that it was sent into, or was ignored there.
    void interrupted() {
        Hint sent = hint;
        if (sent == null) {
            requestCancel(INTERRUPTED);
            return;
        }
        hint = null;
        boolean isUp = Thread.interrupted();
        if (sent.endedTheCall()) {
            sent.request.arriveByInterrupt();
        } else if (isUp && !sent.wasSent()) {
            requestCancel(INTERRUPTED);
        }
    }

    /// It has run since it was sent a hint.
    void ranOn() {
        Hint sent = hint;
        Thread thread = fiber.thread();
        if (sent != null && thread != null && fiber.isInJdk()) {
            sent.isInCallAgain(thread);
        }
    }

    boolean hasHint() {
        return hint != null;
    }

    /// {@return whether `which` has ended a call of the JDK, and no suspension point was passed
    /// since: what is thrown now comes from that}
    boolean isInterruptedBy(CancelRequest which) {
        Hint sent = hint;
        return sent != null && sent.request == which && sent.endedTheCall();
    }

    /// {@return `thrown`; or, if a cancellation has ended a call of the JDK and a library has made
    /// that exception of it, the cancellation}
    Throwable asCancellation(Throwable thrown) {
        Hint sent = hint;
        if (thrown instanceof Cancellation || (sent != null && !sent.endedTheCall())) {
            return thrown;
        }
        if (sent != null) {
            return cancellationFor(sent.request, thrown);
        }
        CancelRequest behind = Frame.behind(this, thrown);
        return behind == null ? thrown : behind.insteadOf(thrown);
    }

    private Cancellation cancellationFor(CancelRequest which, Throwable thrown) {
        Cancellation cancellation = which.cancellation();
        interrupted();
        Errors.suppress(cancellation, thrown);
        String who = name();
        Log.debug(() -> who + " was cancelled in a call that threw " + Report.inWords(thrown));
        return cancellation;
    }

    /// It left a frame that was cancelled by a hint: one that came too late for the call it was
    /// meant for must not reach the next one.
    void forgetHint(CancelRequest which) {
        if (hint != null && hint.request == which) {
            boolean wasSent = hint.wasSent();
            hint = null;
            if (wasSent) {
                Thread.interrupted();
            }
        }
    }

    /// The watchdog found it waiting while it holds its carrier. Any thread.
    void pinned() {
        scheduler().pinned = this;
        LockSupport.unpark(fiber.thread());
    }

    void throwIfPinned() {
        if (scheduler().pinned == this) {
            scheduler().pinned = null;
            throw new IllegalStateException(
                    "cannot wait here: a class initialiser or a native frame on the stack pins "
                            + name()
                            + " to its loop, which would wait for ever; wait outside of it");
        }
    }

    // ---- for the engine ----

    Scheduler scheduler() {
        return fiber.scheduler;
    }

    Fiber fiber() {
        return fiber;
    }

    ScopeNode home() {
        return home;
    }

    @Nullable Frame frame() {
        return frame;
    }

    void enter(Frame inner) {
        frame = inner;
    }

    void leave(Frame inner) {
        assert frame == inner : "frames are left in reverse order";
        frame = inner.outer;
    }

    boolean isHighPriority() {
        return is(HIGH_PRIORITY);
    }

    void becomeZombie() {
        set(ZOMBIE);
    }

    /// {@return whether it is a zombie by itself: not only by the block that it is in, which waits
    /// for it}
    boolean isLeftBehind() {
        return is(ZOMBIE);
    }

    /// {@return the widest of the blocks that it is in; null if it is in none}
    @Nullable ScopeNode outermostBlock() {
        ScopeNode block = null;
        for (ScopeNode node = scopeNow; node != home; node = Objects.requireNonNull(node.parent)) {
            block = node;
        }
        return block;
    }

    /// It is spawned by one that cleans up, into a scope that is being cancelled: it begins, with a
    /// window of its own.
    void bornCancelled(String reason) {
        request = new CancelRequest(this, reason);
        request.arrive();
    }

    Context contextForWriting() {
        if (context == null) {
            context = new Context();
        }
        return context;
    }

    @Nullable Context context() {
        return context;
    }

    /// {@return the coroutine that calls}
    ///
    /// @throws IllegalStateException if there is none
    static Coroutine<?> current(String what) {
        return Schedulers.current(what);
    }
}
