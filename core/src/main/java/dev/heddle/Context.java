package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;

/// What one coroutine or one scope binds.
///
/// **Thread:** loop.
final class Context {
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

    // Only set and replace put values, and they pair them with keys of their type.
    @SuppressWarnings("unchecked")
    private static <T> @Nullable T in(@Nullable Context context, ContextKey<T> key) {
        return context == null ? null : (T) context.values.get(key);
    }
}
