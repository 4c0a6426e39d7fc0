package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;

/// What one coroutine or one scope binds.
///
/// **Thread:** loop.
final class Context {
    private static final ThreadLocal<@Nullable Seen> ON_WORKER = new ThreadLocal<>();

    private final IdentityHashMap<ContextKey<?>, Object> values = new IdentityHashMap<>(4);

    <T> void set(ContextKey<T> key, T value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        if (values.putIfAbsent(key, value) != null) {
            throw new IllegalStateException(
                    key + " is bound here already, to " + values.get(key) + "; see replace");
        }
    }

    <T> void replace(ContextKey<T> key, T value) {
        values.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    }

    static <T> Optional<T> local(ContextKey<T> key, Coroutine<?> coroutine) {
        return Optional.ofNullable(in(coroutine.context(), key));
    }

    static <T> Optional<T> find(ContextKey<T> key, Coroutine<?> coroutine) {
        T found = in(coroutine.context(), key);
        for (ScopeNode node = coroutine.scopeNow; found == null && node != null; ) {
            found = in(node.context(), key);
            node = node.parent;
        }
        return Optional.ofNullable(found);
    }

    /// {@return all that the coroutine finds now. Later changes are not seen}
    static Seen seenBy(Coroutine<?> coroutine) {
        var all = new IdentityHashMap<ContextKey<?>, Object>(0);
        addTo(all, coroutine.context());
        for (ScopeNode node = coroutine.scopeNow; node != null; node = node.parent) {
            addTo(all, node.context());
        }
        return all.isEmpty() ? Seen.NOTHING : new Seen(all);
    }

    // What is nearer is there already, and hides the rest.
    private static void addTo(
            IdentityHashMap<ContextKey<?>, Object> all, @Nullable Context context) {
        if (context != null) {
            context.values.forEach(all::putIfAbsent);
        }
    }

    /// Lets the calling thread, a worker, find these; null for none. Any thread.
    ///
    /// @return what it found before
    static @Nullable Seen see(@Nullable Seen seen) {
        Seen before = ON_WORKER.get();
        if (seen == null) {
            ON_WORKER.remove();
        } else {
            ON_WORKER.set(seen);
        }
        return before;
    }

    /// {@return what the calling thread was given, if it is a worker. Any thread}
    static @Nullable Seen onWorker() {
        return ON_WORKER.get();
    }

    /// What a coroutine found at one moment.
    ///
    /// **Thread:** immutable.
    static final class Seen {
        static final Seen NOTHING = new Seen(new IdentityHashMap<>(0));

        private final IdentityHashMap<ContextKey<?>, Object> values;

        private Seen(IdentityHashMap<ContextKey<?>, Object> values) {
            this.values = values;
        }

        // Only set and replace put values, and they pair them with keys of their type.
        @SuppressWarnings("unchecked")
        <T> Optional<T> find(ContextKey<T> key) {
            return Optional.ofNullable((T) values.get(key));
        }
    }

    // Only set and replace put values, and they pair them with keys of their type.
    @SuppressWarnings("unchecked")
    private static <T> @Nullable T in(@Nullable Context context, ContextKey<T> key) {
        return context == null ? null : (T) context.values.get(key);
    }
}
