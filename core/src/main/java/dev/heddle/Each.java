package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.loop.Loop;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Does something with every item, several at a time.
///
/// **Thread:** loop (a coroutine).
final class Each<A, R, X extends Exception> {
    private final Coroutine<?> self;
    private final int limit;
    private final Fn<? super A, ? extends R, X> body;
    private final List<@Nullable R> results = new ArrayList<>();
    private final SlotFree slotFree;
    private int running;
    private @Nullable Throwable failure;

    private Each(int limit, Fn<? super A, ? extends R, X> body, String what) {
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
        var each = new Each<A, R, X>(limit, body, "mapEach");
        each.run(items);
        return Heddle.values(each.results);
    }

    static <A, X extends Exception> void iterate(
            Iterable<? extends A> items, int limit, VoidFn<? super A, X> body) throws X {
        Objects.requireNonNull(items, "items");
        Objects.requireNonNull(body, "body");
        new Each<A, Boolean, X>(
                        limit,
                        item -> {
                            body.accept(item);
                            return true;
                        },
                        "iterate")
                .run(items);
    }

    private void run(Iterable<? extends A> items) throws X {
        try {
            Scope.run(scope -> spawnAll(scope, items));
        } catch (Throwable thrown) {
            throw mine(thrown);
        }
    }

    // The items are asked for one by one, when there is room: they may be endless, or wait
    // themselves.
    private void spawnAll(Scope scope, Iterable<? extends A> items) {
        int index = 0;
        for (A item : items) {
            while (running == limit) {
                awaitSlot();
            }
            running++;
            int at = index++;
            results.add(null);
            scope.spawn(() -> one(at, item));
        }
    }

    private void awaitSlot() {
        self.fiber().begin().on(slotFree);
        self.suspend();
        self.throwIfInterrupted();
    }

    private void one(int at, A item) throws Exception {
        try {
            results.set(at, body.apply(item));
        } catch (Throwable thrown) {
            if (failure == null && !(thrown instanceof Cancellation)) {
                failure = thrown;
            }
            throw thrown;
        } finally {
            running--;
            slotFree.now();
        }
    }

    // The scope wraps a checked failure of a child; here its type is declared.
    @SuppressWarnings("unchecked")
    private X mine(Throwable thrown) {
        Throwable first = failure;
        if (first instanceof Exception && (thrown == first || thrown.getCause() == first)) {
            return (X) first;
        }
        throw Waits.unchecked(thrown);
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
