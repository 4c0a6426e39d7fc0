package dev.heddle.bench.coroutines;

import dev.heddle.Action;
import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Scope;

import java.util.ArrayList;
import java.util.List;

/// Spawning, ending and taking turns.
///
/// **Thread:** loop.
final class Basics {
    private Basics() {}

    static void spawnAll() {
        for (int i = 0; i < Size.SPAWN_ROUNDS; i++) {
            join(spawn(Size.SPAWN, () -> {}));
        }
    }

    static void suspendByTurns() {
        join(spawn(2, () -> suspendTimes(Size.SWITCH)));
    }

    static void crowd() {
        join(spawn(Size.CROWD, () -> suspendTimes(Size.CROWD_TURNS)));
    }

    static void scopes() {
        for (int i = 0; i < Size.SCOPES; i++) {
            Scope.run(
                    scope -> {
                        for (int child = 0; child < Size.CHILDREN; child++) {
                            scope.spawn(() -> {});
                        }
                    });
        }
    }

    static List<Coroutine<Void>> spawn(int count, Action body) {
        var all = new ArrayList<Coroutine<Void>>(count);
        for (int i = 0; i < count; i++) {
            all.add(Heddle.spawn(body));
        }
        return all;
    }

    static void join(List<Coroutine<Void>> all) {
        for (var coroutine : all) {
            coroutine.await();
        }
    }

    private static void suspendTimes(int times) {
        for (int i = 0; i < times; i++) {
            Heddle.suspend();
        }
    }
}
