package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.loop.Loop;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/// Does something with every item, several at a time.
///
/// **Thread:** loop (a coroutine).
final class Each<A, X extends Exception> {
    private final Coroutine<?> self;
    private final int limit;
    private final Body<? super A, X> body;
    private final SlotFree slotFree;

    // Coroutines of items that have not ended, begun or not.
    private int running;

    // The first thing that went wrong with an item. The scope has it too, but wraps a checked one.
    private @Nullable Throwable failure;

    // The same, if it is only that an item was not done.
    private @Nullable OperationCancelledException undone;

    private Each(String what, int limit, Body<? super A, X> body) {
        if (limit < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, but is " + limit);
        }
        this.limit = limit;
        this.body = body;
        self = Coroutine.current(what);
        slotFree = new SlotFree(self.loop());
    }

    static <A, R, X extends Exception> List<R> map(
            Iterable<? extends A> items, int limit, Fn<? super A, ? extends R, X> body) throws X {
        Objects.requireNonNull(items, "items");
        Objects.requireNonNull(body, "body");
        var results = new ArrayList<@Nullable R>();
        new Each<A, X>("mapEach", limit, (at, item) -> put(results, at, body.apply(item)))
                .run(items);
        return Heddle.values(results);
    }

    // They come in any order.
    private static <R> void put(List<@Nullable R> results, int at, R value) {
        while (results.size() <= at) {
            results.add(null);
        }
        results.set(at, value);
    }

    static <A, X extends Exception> void iterate(
            Iterable<? extends A> items, int limit, VoidFn<? super A, X> body) throws X {
        Objects.requireNonNull(items, "items");
        Objects.requireNonNull(body, "body");
        new Each<A, X>("iterate", limit, (_, item) -> body.accept(item)).run(items);
    }

    private void run(Iterable<? extends A> items) throws X {
        try {
            Scope.run(scope -> spawnAll(scope, items.iterator()));
        } catch (Throwable thrown) {
            throw mine(thrown);
        }
        if (undone != null) {
            throw undone;
        }
    }

    // The items are asked for one by one, when there is room: they may be endless, or wait
    // themselves.
    private void spawnAll(Scope scope, Iterator<? extends A> items) {
        Objects.requireNonNull(scope.node().block).onGivenUp(child -> givenUp(scope, child));
        for (int index = 0; hasRoomAndNext(items); index++) {
            int at = index;
            A item = Objects.requireNonNull(items.next(), () -> "item " + at);
            running++;
            Coroutine<Void> child = scope.spawn(() -> body.apply(at, item));
            child.subscribe((_, error) -> ended(scope, at, child, error));
        }
    }

    private boolean hasRoomAndNext(Iterator<? extends A> items) {
        while (running == limit) {
            awaitSlot();
        }
        // With room for ever and items for ever, nobody else would run.
        self.scheduler().spend(self);
        return items.hasNext();
    }

    private void awaitSlot() {
        self.fiber().begin().on(slotFree);
        self.suspend();
        self.throwIfInterrupted();
    }

    // A coroutine that was cancelled before it began has an end, too: the item was not done.
    private void ended(Scope scope, int at, Coroutine<?> child, @Nullable Throwable error) {
        if (child.isLeftBehind()) {
            return;
        }
        leaveSlot();
        if (error == null || failure != null) {
            return;
        }
        if (child.isCancelled()) {
            undone(scope, "the coroutine of item " + at + " was cancelled", error);
        } else {
            failure = error;
        }
    }

    private void givenUp(Scope scope, Coroutine<?> child) {
        leaveSlot();
        if (failure == null) {
            undone(scope, child.name() + " was given up: it ignores its cancellation", null);
        }
    }

    private void leaveSlot() {
        running--;
        slotFree.now();
    }

    private void undone(Scope scope, String what, @Nullable Throwable error) {
        undone = new OperationCancelledException(what, error, false);
        failure = undone;
        scope.cancel(what);
    }

    // The scope wraps a checked failure of a child; here its type is declared. When an item was
    // cancelled, the scope says only that it was.
    @SuppressWarnings("unchecked")
    private X mine(Throwable thrown) {
        Throwable first = failure;
        boolean isFirst = thrown == first || thrown.getCause() == first || isOfScope(thrown);
        if (first instanceof Exception && isFirst) {
            return (X) first;
        }
        throw Waits.unchecked(thrown);
    }

    // The body was cut off because an item was not done, which says only that it was.
    private boolean isOfScope(Throwable thrown) {
        return undone != null
                && thrown instanceof OperationCancelledException cut
                && !cut.timedOut()
                && cut.getCause() instanceof Cancellation;
    }

    /// What is done with one item.
    @FunctionalInterface
    private interface Body<A, X extends Exception> {
        void apply(int at, A item) throws X;
    }

    private static final class SlotFree extends Event<Void> {
        private final Loop loop;

        SlotFree(Loop loop) {
            this.loop = loop;
        }

        void now() {
            fire(null, null);
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public String info() {
            return "a free place among those that run at a time";
        }
    }
}
