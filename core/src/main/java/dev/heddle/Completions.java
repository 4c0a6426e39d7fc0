package dev.heddle;

import dev.heddle.loop.Task;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// The handlers that are called when a coroutine has ended. A task of its own, queued behind the
/// coroutines that the end has woken.
///
/// **Thread:** loop.
final class Completions<T> extends Task {
    private final Coroutine<T> coroutine;
    private final List<Consumer<? super Outcome<T>>> handlers = new ArrayList<>(1);
    private boolean posted;

    Completions(Coroutine<T> coroutine) {
        this.coroutine = coroutine;
    }

    void add(Consumer<? super Outcome<T>> handler) {
        handlers.add(handler);
    }

    void post() {
        if (!posted) {
            posted = true;
            coroutine.loop().enqueue(this);
        }
    }

    @Override
    protected void run() {
        posted = false;
        var todo = List.copyOf(handlers);
        handlers.clear();
        var errors = new ArrayList<Throwable>();
        Outcome<T> outcome = coroutine.outcome().orElseThrow();
        for (var handler : todo) {
            try {
                handler.accept(outcome);
            } catch (Throwable thrown) {
                errors.add(thrown);
            }
        }
        if (!errors.isEmpty()) {
            String what = "completion handlers of " + coroutine.name();
            coroutine
                    .home()
                    .route(Objects.requireNonNull(CompositeException.of(what, errors)), coroutine);
        }
    }

    // A loop that ends still tells: handlers clean up.
    @Override
    protected void drop() {
        run();
    }
}
