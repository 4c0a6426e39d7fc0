package dev.heddle;

import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
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
            var scheduler = coroutine.scheduler();
            scheduler.loop.enqueue(this);
            // Afterwards: a stack that runs out above leaves nothing that is counted and never
            // runs.
            posted = true;
            scheduler.callbacks++;
        }
    }

    @Override
    protected void run() {
        posted = false;
        coroutine.scheduler().callbacks--;
        var todo = List.copyOf(handlers);
        handlers.clear();
        String what = "completion handlers of " + coroutine.name();
        Throwable error = callAll(todo, coroutine.outcome().orElseThrow(), what);
        if (error != null) {
            coroutine.home().errors.route(error, coroutine);
        }
    }

    /// Calls all, whatever they throw.
    ///
    /// @return what they threw, several as one [CompositeException]
    static <A> @Nullable Throwable callAll(
            List<? extends Consumer<? super A>> handlers, A argument, String what) {
        var errors = new ArrayList<Throwable>(0);
        for (var handler : handlers) {
            try {
                handler.accept(argument);
            } catch (Throwable thrown) {
                errors.add(thrown);
            }
        }
        return CompositeException.of(what, errors);
    }

    // A loop that ends still tells: handlers clean up.
    @Override
    protected void drop() {
        run();
    }
}
