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
     * A block also waits for its body before it is finished. The blocks of a zombie are cut off: what is
     * in them is waited for by the zombie alone, and their load is not told to the parent.
     */
    final Scheduler scheduler;
    final @Nullable ScopeNode parent;
    final long id;
    final String madeAt;
    // Of a structured scope.
    final @Nullable Block block;
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
    // Who is told of its load: its parent, unless it is cut off.
    private @Nullable ScopeNode loadsTo;
    private boolean ofZombie;

    private boolean closed;
    // Why everything in it was cancelled, by whoever did so last.
    private @Nullable String cancelling;
    private boolean finished;
    private @Nullable String cancelReason;
    private @Nullable Timer disposal;
    private long graceNanos = NO_GRACE;

    private final List<Consumer<? super Scope>> finallies = new ArrayList<>(0);
    private @Nullable Context context;

    private ScopeNode(
            Scheduler scheduler, @Nullable ScopeNode parent, @Nullable Block block, boolean safe) {
        this.scheduler = scheduler;
        this.parent = parent;
        this.block = block;
        this.safe = safe;
        loadsTo = parent;
        ofZombie = parent != null && parent.ofZombie;
        if (block != null && block.host.isLeftBehind()) {
            ofZombie = true;
            loadsTo = parent == block.host.home() ? null : parent;
        }
        id = scheduler.nextScopeId();
        madeAt = parent == null ? "program" : Place.ofCaller();
        if (parent != null) {
            parent.adopt(this);
        }
    }

    static ScopeNode root(Scheduler scheduler) {
        return new ScopeNode(scheduler, null, null, false);
    }

    static ScopeNode block(Coroutine<?> host) {
        return new ScopeNode(host.scheduler(), host.scopeNow, new Block(host), false);
    }

    static ScopeNode explicit(ScopeNode parent, boolean safe) {
        parent.ensureOpen("make a child scope");
        return new ScopeNode(parent.scheduler, parent, null, safe);
    }

    // ---- members ----

    /// {@return why it is being cancelled, if `spawner` is in it and cleans up: then it takes what
    /// that spawns, closed or not; else null}
    @Nullable String isBeingCancelledFor(@Nullable Coroutine<?> spawner) {
        boolean takes =
                cancelling != null
                        && (block == null || block.isUnderWay())
                        && spawner != null
                        && (spawner.home().isInside(this) || spawner.scopeNow.isInside(this))
                        && Frame.isCleaningUp(spawner);
        return takes ? cancelling : null;
    }

    void ensureOpen(String toDo) {
        if (closed) {
            throw new IllegalStateException(
                    "Cannot "
                            + toDo
                            + " in a closed scope: "
                            + info()
                            + (cancelReason == null ? "" : ", cancelled: " + cancelReason)
                            + whatWorks());
        }
    }

    // Whoever is in it and goes on, as a zombie or in what it does after its clean-up, has blocks.
    private String whatWorks() {
        Coroutine<?> asking = scheduler.current;
        boolean isMember =
                asking != null && (asking.home().isInside(this) || asking.scopeNow.isInside(this));
        return isMember ? "; a block of your own works here: Scope.run(s -> s.spawn(…))" : "";
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
        // Without a call in between, see HalfSpawned.
        for (ScopeNode node = this; node != null && node.load++ == 0; node = node.loadsTo) {}
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
        boolean wasLeftBehind = coroutine.isLeftBehind();
        if (wasLeftBehind) {
            zombies--;
        } else {
            active--;
        }
        if (outcome instanceof Outcome.Failure<?>(var error)) {
            errors.endedBy(error, coroutine, wasObserved);
        }
        if (!wasLeftBehind) {
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
        ScopeNode node = this;
        while (node != null && --node.load == 0) {
            node.fire(null, null);
            node = node.loadsTo;
        }
        if (node != null && node.isLeftToDaemons()) {
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

    /// {@return whether it is a block in which all have ended but its daemons}
    boolean isLeftToDaemons() {
        // The daemons are in one child scope, which counts as one.
        return block != null && block.hasDaemons() && load == 1 && active == 0;
    }

    /// {@return where errors of its coroutines begin their way: those of daemons in the block
    /// itself}
    ScopeNode errorHome() {
        return isDaemons() ? Objects.requireNonNull(parent) : this;
    }

    private boolean isDaemons() {
        return parent != null && parent.block != null && parent.block.daemonsOrNull() == this;
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

    /// Closes the subtree for new coroutines and cancels everything in it, zombies too; of a block
    /// also what its host does inside it. What is inside a shield is left alone.
    void dispose(String reason) {
        forEachNode(ScopeNode::isReachedFromOutside, node -> node.shut(reason));
        stopDisposal();
        cancelAll(reason);
        if (block != null) {
            block.cancelBody(reason);
        }
        finishSubtree();
    }

    /// Closes the subtree; what has begun goes on as zombies, what has not never will. Who goes on
    /// goes on with the blocks that it is in: they are not touched.
    void disposeSafely(String reason) {
        closeButBlocks(reason);
        forEachNode(
                ScopeNode::isNoBlock,
                node -> node.forEachCoroutine(each -> node.leaveBehind(each, reason)));
        finishSubtree();
    }

    /// Closes the subtree, and cancels what is left of it after a while. Of several times the
    /// earliest counts.
    void disposeAfter(long nanos, String reason) {
        if (safe) {
            disposeSafely(reason);
        } else {
            closeButBlocks(reason);
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
        forEachNode(ScopeNode::isReachedFromOutside, node -> node.cancelOwn(reason));
    }

    private void cancelOwn(String reason) {
        cancelling = reason;
        forEachCoroutine(each -> each.requestCancel(reason));
    }

    private boolean isReachedFromOutside() {
        return block == null || !block.shielded;
    }

    private boolean isNoBlock() {
        return block == null;
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
        } else if (block == null && !coroutine.isCancellationRequested()) {
            // One that was cancelled cleans up: it is active until it ends or ignores that.
            makeZombie(coroutine, reason);
        }
    }

    void makeZombie(Coroutine<?> coroutine, String why) {
        if (coroutine.isLeftBehind() || coroutine.isFinished()) {
            return;
        }
        if (!ofZombie) {
            scheduler.countAsZombies(1);
        }
        coroutine.becomeZombie();
        scheduler.becameZombie(coroutine, why);
        active--;
        zombies++;
        ScopeNode blocks = coroutine.outermostBlock();
        if (blocks != null) {
            blocks.cutOff();
        }
        if (block != null) {
            block.gaveUp(coroutine);
        }
        dropLoad();
    }

    /// Its host has become a zombie: so is what is in it, for everybody but the host.
    private void cutOff() {
        forEachNode(
                node -> {
                    if (!node.ofZombie) {
                        node.ofZombie = true;
                        scheduler.countAsZombies(node.active);
                    }
                });
        ScopeNode above = loadsTo;
        loadsTo = null;
        if (load > 0 && above != null) {
            above.dropLoad();
        }
    }

    boolean isOfZombie() {
        return ofZombie;
    }

    private void closeButBlocks(String reason) {
        forEachNode(ScopeNode::isNoBlock, node -> node.shut(reason));
    }

    private void shut(String reason) {
        closed = true;
        if (cancelReason == null) {
            cancelReason = reason;
        }
    }

    /// The block has ended: it has no coroutines left, and its child scopes end with it. A
    /// coroutine that was given up keeps its own blocks.
    void endBlock(Block ended) {
        forEachNode(ScopeNode::isNoBlock, node -> node.closed = true);
        ended.ends();
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
        boolean underWay = block != null && block.isUnderWay();
        if (closed && remains == 0 && !underWay && !finished && parent != null) {
            finished = true;
            stopDisposal();
            leaveParent();
            callFinallies();
        }
    }

    // ---- walking, without recursion: a tree may be a hundred thousand deep ----

    void forEachNode(Consumer<? super ScopeNode> visitor) {
        forEachNode(_ -> true, visitor);
    }

    /// Visits this, and what is below it without those that do not belong to it, and all below
    /// them.
    private void forEachNode(
            Predicate<? super ScopeNode> belongs, Consumer<? super ScopeNode> visitor) {
        for (ScopeNode node = this; node != null; ) {
            boolean visited = node == this || belongs.test(node);
            if (visited) {
                visitor.accept(node);
            }
            node = visited && node.firstChild != null ? node.firstChild : following(node);
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

    /// {@return the block that this is, or is in, whose end is the end of what is here; null if
    /// there is none, or a safe scope lies between}
    @Nullable Block blockAround() {
        ScopeNode node = this;
        while (node != null && node.block == null) {
            node = node.safe ? null : node.parent;
        }
        return node == null ? null : node.block;
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
        forEachNode(node -> sum[0] += isCutOff(node) ? 0 : node.active);
        return sum[0];
    }

    int zombies() {
        var sum = new int[1];
        forEachNode(node -> sum[0] += node.zombies + (isCutOff(node) ? node.active : 0));
        return sum[0];
    }

    /// {@return whether this scope is not completed before `member`, which is in it, has ended}
    boolean waitsFor(Coroutine<?> member) {
        ScopeNode daemons = block == null ? null : block.daemonsOrNull();
        return !member.isLeftBehind()
                && !isCutOff(member.home())
                && (daemons == null || !member.home().isInside(daemons));
    }

    // Seen from here: in the block of a zombie itself, its own coroutines count as in any other.
    private boolean isCutOff(ScopeNode below) {
        return below.ofZombie && !ofZombie;
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
