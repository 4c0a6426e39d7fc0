package dev.heddle.event;

import dev.heddle.loop.Loop;

import java.util.ArrayList;
import java.util.List;

/// An event that happens when a test says so, and writes down what is done to it.
///
/// **Thread:** loop.
final class Probe extends Event<String> {
    final List<String> done = new ArrayList<>();
    private final Loop loop;
    private final String name;
    private final boolean remembers;
    private RuntimeException refusal;
    private String value;
    private Throwable error;

    private Probe(Loop loop, String name, boolean remembers) {
        this.loop = loop;
        this.name = name;
        this.remembers = remembers;
    }

    /// {@return one that tells nothing to late subscribers}
    static Probe forgetful(Loop loop, String name) {
        return new Probe(loop, name, false);
    }

    static Probe remembering(Loop loop, String name) {
        return new Probe(loop, name, true);
    }

    void happen(String newValue) {
        fire(newValue, null);
    }

    void end(String newValue) {
        value = newValue;
        finish(newValue, null);
    }

    void fail(Throwable newError) {
        error = newError;
        finish(null, newError);
    }

    void flag(int bit) {
        set(bit);
    }

    /// The next starts fail with this.
    void refuseStarts(RuntimeException with) {
        refusal = with;
    }

    void allowStarts() {
        refusal = null;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public String info() {
        return "Probe(" + name + ")";
    }

    @Override
    protected boolean replay(Callback<? super String> callback) {
        boolean known = remembers && (value != null || error != null);
        if (known) {
            tell(callback, value, error);
        }
        return known;
    }

    @Override
    protected void onStart() {
        if (refusal != null) {
            throw refusal;
        }
        done.add("start");
    }

    @Override
    protected void onStop() {
        done.add("stop");
    }

    @Override
    protected void onDispose() {
        done.add("dispose");
    }

    @Override
    protected void giveBack(String given) {
        done.add("back:" + given);
    }
}
