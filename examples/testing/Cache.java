import static dev.heddle.Heddle.await;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Scope;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Keeps what was loaded, and what is being loaded, until it is told to forget it.
final class Cache<K, V> {
    private final Map<K, Coroutine<V>> loads = new HashMap<>();
    private final Function<K, V> loader;

    // Loads belong to whoever made the cache: they go on if the one who asked first is cancelled.
    private final Scope scope = Scope.current();

    Cache(Function<K, V> loader) {
        this.loader = loader;
    }

    V get(K key) {
        var load = loads.get(key); // checks
        if (load == null) {
            load = scope.spawn(() -> load(key));
            loads.put(key, load); // acts, and nobody ran in between
        }
        return await(load);
    }

    /// What is being loaded at this moment is for those who have asked already.
    void forget(K key) {
        loads.remove(key);
    }

    private V load(K key) {
        try {
            return loader.apply(key);
        } catch (Throwable failure) {
            loads.remove(key, Heddle.current()); // the next who asks tries again
            throw failure;
        }
    }
}
