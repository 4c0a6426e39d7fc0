package dev.heddle.test.kernel;

import dev.heddle.loop.SignalSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Signals that never reach the process: who listens, and the raising of them.
///
/// **Thread:** any.
final class SimSignals implements SignalSource {
    // Under this object's lock.
    private final Map<String, List<Runnable>> listeners = new HashMap<>();

    SimSignals() {}

    @Override
    public Runnable listen(String name, Runnable onSignal) {
        // An object of its own: the same listener may come twice.
        Runnable mine = () -> onSignal.run();
        synchronized (this) {
            listeners.computeIfAbsent(name, _ -> new ArrayList<>()).add(mine);
        }
        return () -> remove(name, mine);
    }

    void raise(String name) {
        List<Runnable> told;
        synchronized (this) {
            told = List.copyOf(listeners.getOrDefault(name, List.of()));
            if (told.isEmpty()) {
                throw new IllegalStateException(
                        "nobody listens to SIG" + name + ", only to " + listeners.keySet());
            }
        }
        told.forEach(Runnable::run);
    }

    private synchronized void remove(String name, Runnable listener) {
        var left = listeners.get(name);
        if (left != null && left.remove(listener) && left.isEmpty()) {
            listeners.remove(name);
        }
    }
}
