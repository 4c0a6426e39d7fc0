package dev.heddle.event;

import java.util.List;

/// Writes down what it is told: `name:value`, `name!error`, or `name gone`; then does what the test
/// wants.
///
/// **Thread:** loop.
final class Noting<T> extends Callback<T> {
    private final List<String> trail;
    private final String name;
    private Runnable then = () -> {};

    Noting(List<String> trail, String name) {
        this.trail = trail;
        this.name = name;
    }

    Noting<T> then(Runnable action) {
        then = action;
        return this;
    }

    @Override
    protected void onEvent(Event<? extends T> source, T value, Throwable error) {
        trail.add(name + (error == null ? ":" + value : "!" + error.getMessage()));
        then.run();
    }

    @Override
    protected void onDispose(Event<?> source) {
        trail.add(name + " gone");
    }

    @Override
    public String toString() {
        return name;
    }
}
