package dev.heddle.loop;

import dev.heddle.reactor.SimReactor;

/// An engine on which stress tests play the loop themselves: it is bound to a thread that never
/// comes, so that every thread of a test is another one to it.
///
/// **Thread:** any makes one; the actor that plays the loop uses it.
final class Bench {
    private static final Thread NOBODY = Thread.ofPlatform().daemon().unstarted(() -> {});

    private Bench() {}

    static Engine engine() {
        var reactor = new SimReactor();
        return new Engine(LoopOptions.defaults().reactor(reactor, reactor::nanos), reactor);
    }

    /// From here on the loop is nobody's.
    static void handOver(Engine engine) {
        engine.owner = NOBODY;
        engine.bound = true;
    }

    /// Runs what is in the inbox.
    ///
    /// @return how many tasks there were
    static int turn(Engine engine) {
        var ready = new ReadyQueue();
        int count = engine.inbox.takeInto(ready);
        for (Task task = ready.poll(); task != null; task = ready.poll()) {
            task.run();
        }
        return count;
    }
}
