package dev.heddle;

import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;

/// Names a value that coroutines find in their context: bound in the coroutine itself, in its
/// scope, or in a scope above. Two keys are the same only if they are the same object.
///
/// **Thread:** immutable; [#get] and its kin are for coroutines.
public final class ContextKey<T> {
    private final String name;

    private ContextKey(String name) {
        this.name = name;
    }

    /// {@return a new key; the name is for messages}
    public static <T> ContextKey<T> named(String name) {
        return new ContextKey<>(Objects.requireNonNull(name, "name"));
    }

    /// {@return the value that is bound nearest to the calling coroutine, or was to that of the
    /// offloaded work}
    ///
    /// @throws NoSuchElementException if none is
    public T get() {
        return find().orElseThrow(() -> new NoSuchElementException("not bound here: " + this));
    }

    /// {@return the value that is bound nearest to the calling coroutine; in offloaded work, what
    /// its coroutine found when it handed the work over}
    public Optional<T> find() {
        Coroutine<?> current = Schedulers.currentOrNull();
        Context.Seen seen = current == null ? Context.onWorker() : null;
        return seen == null
                ? Context.find(this, Coroutine.current("ContextKey.find"))
                : seen.find(this);
    }

    /// {@return the value bound in the calling coroutine itself}
    public Optional<T> findLocal() {
        return Context.local(this, Coroutine.current("ContextKey.findLocal"));
    }

    /// Binds it in the calling coroutine, which hides what scopes above bind.
    ///
    /// @throws IllegalStateException if it is bound here already
    public void set(T value) {
        Coroutine.current("ContextKey.set").contextForWriting().set(this, value);
    }

    /// Binds it in the calling coroutine, whether or not it was.
    public void replace(T value) {
        Coroutine.current("ContextKey.replace").contextForWriting().replace(this, value);
    }

    @Override
    public String toString() {
        return "ContextKey(" + name + ")";
    }
}
