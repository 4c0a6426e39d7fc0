package dev.heddle;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// What became of several awaited things: by their position, those that succeeded, those that
/// failed or were cancelled, and those that had not ended when the wait did.
///
/// **Thread:** immutable.
public record Results<T>(
        SequencedMap<Integer, T> values,
        SequencedMap<Integer, Throwable> errors,
        List<Integer> pending) {
    public Results {
        values = Collections.unmodifiableSequencedMap(values);
        errors = Collections.unmodifiableSequencedMap(errors);
        pending = List.copyOf(pending);
    }

    /// {@return whether everything ended, and well}
    public boolean allSucceeded() {
        return errors.isEmpty() && pending.isEmpty();
    }
}
