package dev.heddle.test.kernel;

import dev.heddle.sys.Sys;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A kernel that writes down which calls it got.
///
/// **Thread:** any.
public final class CountingSys extends DelegatingSys {
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();

    public CountingSys() {
        this(Sys.NATIVE);
    }

    public CountingSys(Sys next) {
        super(next);
    }

    /// {@return the names of all calls since the last [#forget], in order}
    public List<String> calls() {
        return List.copyOf(calls);
    }

    public long count(String call) {
        return calls.stream().filter(call::equals).count();
    }

    public void forget() {
        calls.clear();
    }

    @Override
    protected int before(String call, int fd) {
        calls.add(call);
        return 0;
    }
}
