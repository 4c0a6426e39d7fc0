package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What stands behind a [Scope]: a set of coroutines and child scopes. As an event it fires
/// whenever nothing active is left in it, or with an error for its waiters.
///
/// Separate from the handle so that a handle that is lost can be told from a scope that lives on.
///
/// **Thread:** loop.
final class ScopeNode extends Event<Void> {
    // Over 500 lines because membership and closing share all its state.

    private static final long NO_GRACE = -1;

    /*
     * Two counts decide when somebody is told, both over the whole subtree, kept by telling the parent
     * only when a scope's own count leaves or reaches zero:
     *
     *   load      active coroutines here, and child scopes with a load      0: completed
     *   remains   all coroutines here, and child scopes with remains        0: gone
     *
     * open ──cancel, dispose…──▶ closed ──remains = 0──▶ finished (leaves its parent, calls onFinally)
     *
     * A structured scope also waits for its body before it is finished.
     */
    final Scheduler scheduler;
    final @Nullable ScopeNode parent;
    final long id;
    final String madeAt;
    final boolean structured;
    final Gone gone = new Gone(this);
    final ScopeErrors errors = new ScopeErrors(this);
    private WeakReference<@Nullable Scope> handle = new WeakReference<>(null);
    private @Nullable String name;
    private boolean safe;

    // The tree.
    private @Nullable ScopeNode firstChild;
    private @Nullable ScopeNode lastChild;
    private @Nullable ScopeNode previousSibling;
    private @Nullable ScopeNode nextSibling;
    private @Nullable Coroutine<?> firstCoroutine;
    private @Nullable Coroutine<?> lastCoroutine;
    private int active;
    private int zombies;
    private int load;
    private int remains;

    private boolean inBlock;
    private boolean closed;
    private boolean finished;
    private @Nullable String cancelReason;
    private @Nullable Timer disposal;
    private long graceNanos = NO_GRACE;

    private final List<Consumer<? super Scope>> finallies = new ArrayList<>(0);
    // Of a structured scope, while its body runs.
    private @Nullable Frame hostFrame;
    private @Nullable Context context;

    private ScopeNode(
            Scheduler scheduler, @Nullable ScopeNode parent, boolean structured, boolean safe) {
        this.scheduler = scheduler;
        this.parent = parent;
        this.structured = structured;
        inBlock = structured;
        this.safe = safe;
        id = scheduler.nextScopeId();
        madeAt = parent == null ? "program" : Place.ofCaller();
        if (parent != null) {
            parent.adopt(this);
        }
    }

    static ScopeNode root(Scheduler scheduler) {
        return new ScopeNode(scheduler, null, false, false);
    }

    static ScopeNode structured(ScopeNode parent) {
        return new ScopeNode(parent.scheduler, parent, true, false);
    }

    static ScopeNode explicit(ScopeNode parent, boolean safe) {
        parent.ensureOpen("make a child scope");
        return new ScopeNode(parent.scheduler, parent, false, safe);
    }

    // ---- members ----

    void ensureOpen(String toDo) {
        if (closed) {
            throw new IllegalStateException(
                    "Cannot "
                            + toDo
                            + " in a closed scope: "
                            + info()
                            + (cancelReason == null ? "" : ", cancelled: " + cancelReason));
        }
    }

    void add(Coroutine<?> coroutine) {
        coroutine.previousInScope = lastCoroutine;
        if (lastCoroutine == null) {
            firstCoroutine = coroutine;
        } else {
            lastCoroutine.nextInScope = coroutine;
        }
        lastCoroutine = coroutine;
        active++;
        // Without a call in between, see Scheduler.endHalfSpawned.
        for (ScopeNode node = this; node != null && node.load++ == 0; node = node.parent) {}
        for (ScopeNode node = this; node != null && node.remains++ == 0; node = node.parent) {}
    }

    boolean has(Coroutine<?> coroutine) {
        return coroutine.previousInScope != null || firstCoroutine == coroutine;
    }

    /// A coroutine of this scope has ended.
    ///
    /// @param wasObserved whether somebody has, had or will have a look at its failure
    void ended(Coroutine<?> coroutine, Outcome<?> outcome, boolean wasObserved) {
        unlink(coroutine);
        boolean wasZombie = coroutine.isZombie();
        if (wasZombie) {
            zombies--;
        } else {
            active--;
        }
        if (outcome instanceof Outcome.Failure<?>(var error)) {
            errors.endedBy(error, coroutine, wasObserved);
        }
        if (!wasZombie) {
            dropLoad();
        }
        dropRemains();
    }

    private void unlink(Coroutine<?> coroutine) {
        Coroutine<?> before = coroutine.previousInScope;
        Coroutine<?> after = coroutine.nextInScope;
        if (before == null) {
            firstCoroutine = after;
        } else {
            before.nextInScope = after;
        }
        if (after == null) {
            lastCoroutine = before;
        } else {
            after.previousInScope = before;
        }
        coroutine.previousInScope = null;
        coroutine.nextInScope = null;
    }

    private void dropLoad() {
        for (ScopeNode node = this; node != null && --node.load == 0; node = node.parent) {
            node.fire(null, null);
        }
    }

    private void dropRemains() {
        for (ScopeNode node = this; node != null && --node.remains == 0; node = node.parent) {
            node.gone.fireNow();
            node.finishIfDone();
        }
    }

    /// {@return whether somebody waits until it is idle, and was told the error}
    boolean tellWaiters(Throwable error) {
        boolean told = hasSubscribers();
        fire(null, error);
        return told;
    }

    boolean isIdle() {
        return load == 0;
    }

    boolean isGone() {
        return remains == 0;
    }

    private void adopt(ScopeNode child) {
        child.previousSibling = lastChild;
        if (lastChild == null) {
            firstChild = child;
        } else {
            lastChild.nextSibling = child;
        }
        lastChild = child;
    }

    private void leaveParent() {
        ScopeNode above = parent;
        if (above == null) {
            return;
        }
        if (previousSibling == null) {
            above.firstChild = nextSibling;
        } else {
            previousSibling.nextSibling = nextSibling;
        }
        if (nextSibling == null) {
            above.lastChild = previousSibling;
        } else {
            nextSibling.previousSibling = previousSibling;
        }
        previousSibling = null;
        nextSibling = null;
    }

    // ---- closing ----

    /// Closes the subtree for new coroutines and cancels everything in it, zombies too; of a
    /// structured scope also what its host does inside it.
    void dispose(String reason) {
        closeSubtree(reason);
        stopDisposal();
        cancelAll(reason);
        if (hostFrame != null) {
            hostFrame.cancel(reason);
        }
        finishSubtree();
    }

    /// Closes the subtree; what has begun goes on as zombies, what has not never will. What belongs
    /// to a structured scope goes on too, but is waited for: that scope promises to.
    void disposeSafely(String reason) {
        closeSubtree(reason);
        forEachNode(node -> node.forEachCoroutine(each -> node.leaveBehind(each, reason)));
        finishSubtree();
    }

    /// Closes the subtree, and cancels what is left of it after a while. Of several times the
    /// earliest counts.
    void disposeAfter(long nanos, String reason) {
        if (safe) {
            disposeSafely(reason);
        } else {
            closeSubtree(reason);
            finishSubtree();
        }
        if (finished) {
            return;
        }
        if (disposal == null || nanos < disposal.dueInNanos()) {
            stopDisposal();
            disposal = scheduler.loop.timer(() -> dispose(reason)).startNanos(nanos, 0);
        }
    }

    /// Cancels everything in the subtree, zombies too, and leaves it open for what clean-up spawns.
    void cancelAll(String reason) {
        forEachNode(node -> node.forEachCoroutine(each -> each.requestCancel(reason)));
    }

    /// As its flag says: into zombies, or cancelled.
    void cancel(String reason) {
        if (safe) {
            disposeSafely(reason);
        } else {
            dispose(reason);
        }
    }

    /// The handle was closed or lost: as [#closeAfter] said, else as its flag says.
    void close(String reason) {
        if (closed) {
            return;
        }
        if (graceNanos == NO_GRACE) {
            cancel(reason);
        } else {
            disposeAfter(graceNanos, reason);
        }
    }

    void closeAfter(long nanos) {
        graceNanos = nanos;
    }

    private void leaveBehind(Coroutine<?> coroutine, String reason) {
        if (!coroutine.hasStarted()) {
            coroutine.requestCancel(reason);
        } else if (!structured && !coroutine.isCancellationRequested()) {
            // One that was cancelled cleans up: it is active until it ends or ignores that.
            makeZombie(coroutine, reason);
        }
    }

    void makeZombie(Coroutine<?> coroutine, String why) {
        if (coroutine.isZombie() || coroutine.isFinished()) {
            return;
        }
        coroutine.becomeZombie();
        scheduler.becameZombie(coroutine, why);
        active--;
        zombies++;
        dropLoad();
    }

    private void closeSubtree(String reason) {
        forEachNode(
                node -> {
                    node.closed = true;
                    if (node.cancelReason == null) {
                        node.cancelReason = reason;
                    }
                });
    }

    /// The block of a structured scope has ended: it has no coroutines left, and its child scopes
    /// end with it.
    void endBlock() {
        forEachNode(node -> node.closed = true);
        hostFrame = null;
        inBlock = false;
        finishSubtree();
    }

    private void stopDisposal() {
        if (disposal != null) {
            disposal.stop();
            disposal = null;
        }
    }

    private void finishSubtree() {
        var done = new ArrayList<ScopeNode>();
        forEachNode(done::add);
        // Children before their parents.
        done.reversed().forEach(ScopeNode::finishIfDone);
    }

    private void finishIfDone() {
        if (closed && remains == 0 && !inBlock && !finished && parent != null) {
            finished = true;
            stopDisposal();
            leaveParent();
            callFinallies();
        }
    }

    // ---- walking, without recursion: a tree may be a hundred thousand deep ----

    void forEachNode(Consumer<? super ScopeNode> visitor) {
        ScopeNode node = this;
        while (node != null) {
            visitor.accept(node);
            node = node.firstChild != null ? node.firstChild : following(node);
        }
    }

    private @Nullable ScopeNode following(ScopeNode from) {
        ScopeNode node = from;
        while (node != this && node.nextSibling == null) {
            node = Objects.requireNonNull(node.parent);
        }
        return node == this ? null : node.nextSibling;
    }

    void forEachCoroutine(Consumer<? super Coroutine<?>> visitor) {
        for (Coroutine<?> each = firstCoroutine; each != null; ) {
            Coroutine<?> after = each.nextInScope;
            visitor.accept(each);
            each = after;
        }
    }

    /// Shows `visitor` every coroutine of the subtree until it says false.
    void everyCoroutine(Predicate<? super Coroutine<?>> visitor) {
        for (ScopeNode node = this; node != null; ) {
            for (Coroutine<?> each = node.firstCoroutine; each != null; each = each.nextInScope) {
                if (!visitor.test(each)) {
                    return;
                }
            }
            node = node.firstChild != null ? node.firstChild : following(node);
        }
    }

    boolean isInside(ScopeNode ancestor) {
        for (ScopeNode node = this; node != null; node = node.parent) {
            if (node == ancestor) {
                return true;
            }
        }
        return false;
    }

    // ---- settings ----

    void onFinally(Consumer<? super Scope> handler) {
        finallies.add(handler);
        if (finished) {
            callFinallies();
        }
    }

    private void callFinallies() {
        if (finallies.isEmpty()) {
            return;
        }
        var todo = List.copyOf(finallies);
        finallies.clear();
        scheduler.soon(() -> callAll(todo));
    }

    private void callAll(List<Consumer<? super Scope>> handlers) {
        String what = "finally handlers of " + name();
        Throwable error = Completions.callAll(handlers, handle(), what);
        if (error != null) {
            errors.route(error, handle());
        }
    }

    void safe(boolean value) {
        safe = value;
    }

    boolean isSafe() {
        return safe;
    }

    void name(String newName) {
        name = newName;
    }

    String name() {
        return name == null ? "scope " + id : name;
    }

    void hostedBy(@Nullable Frame frame) {
        hostFrame = frame;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isFinished() {
        return finished;
    }

    boolean isCancelled() {
        return cancelReason != null;
    }

    /// {@return why it was closed, as the first who did put it}
    String cancelReason() {
        return cancelReason == null ? "closed" : cancelReason;
    }

    String label() {
        return "Scope #" + id + (name == null ? "" : " \"" + name + '"');
    }

    int active() {
        var sum = new int[1];
        forEachNode(node -> sum[0] += node.active);
        return sum[0];
    }

    int zombies() {
        var sum = new int[1];
        forEachNode(node -> sum[0] += node.zombies);
        return sum[0];
    }

    /// {@return its own, without those of scopes below}
    int ownActive() {
        return active;
    }

    int ownZombies() {
        return zombies;
    }

    /// {@return its handle: the one that is watched for its loss, as long as somebody has it}
    Scope handle() {
        Scope known = handle.get();
        if (known == null) {
            known = new Scope(this, null);
            handle = new WeakReference<>(known);
        }
        return known;
    }

    void handledBy(Scope first) {
        handle = new WeakReference<>(first);
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

    @Override
    public Loop loop() {
        return scheduler.loop;
    }

    @Override
    public String info() {
        return label()
                + " created at "
                + madeAt
                + (closed ? ", closed" : "")
                + " (active="
                + active()
                + ", zombies="
                + zombies()
                + ")";
    }

    /// Fires when also the last zombie of the subtree has ended.
    static final class Gone extends Event<Void> {
        private final ScopeNode scope;

        private Gone(ScopeNode scope) {
            this.scope = scope;
        }

        private void fireNow() {
            fire(null, null);
        }

        ScopeNode scope() {
            return scope;
        }

        @Override
        public Loop loop() {
            return scope.loop();
        }

        @Override
        public String info() {
            return "end of all in " + scope.info();
        }
    }
}
