import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Keeps what was loaded, until it is told to forget it. It has a race: see [Cache].
final class RacyCache<K, V> {
    private final Map<K, V> values = new HashMap<>();
    private final Function<K, V> loader;

    RacyCache(Function<K, V> loader) {
        this.loader = loader;
    }

    V get(K key) {
        V value = values.get(key); // checks
        if (value == null) {
            value = loader.apply(key); // waits, and meanwhile others run
            values.put(key, value); // acts
        }
        return value;
    }

    void forget(K key) {
        values.remove(key);
    }
}
