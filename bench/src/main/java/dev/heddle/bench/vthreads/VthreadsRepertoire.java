package dev.heddle.bench.vthreads;

import dev.heddle.bench.coroutines.Size;
import dev.heddle.bench.jvm.Parking;
import dev.heddle.bench.jvm.Repertoire;
import dev.heddle.bench.race.Batch;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;

import java.util.LinkedHashMap;
import java.util.Map;

/// What virtual threads do in the coroutine and memory suites.
///
/// **Thread:** owner (the measuring thread).
public final class VthreadsRepertoire implements Repertoire {
    public VthreadsRepertoire() {}

    @Override
    public String version() {
        int cores = Runtime.getRuntime().availableProcessors();
        String carriers = System.getProperty("jdk.virtualThreadScheduler.parallelism", "" + cores);
        return "default scheduler with " + carriers + " carriers";
    }

    @Override
    public Map<String, Workload.Opener> workloads() {
        var all = new LinkedHashMap<String, Workload.Opener>();
        all.put("spawn-finish", virtually(Size.SPAWN_ROUNDS * Size.SPAWN, _ -> Basics.spawn()));
        all.put("switch-yield", virtually(2 * Size.SWITCH, _ -> Basics.yieldByTurns()));
        all.put("switch-park", virtually(2 * Size.SWITCH, _ -> ParkByTurns.run()));
        all.put("await-completed", virtually(Size.AWAIT_COMPLETED, _ -> Futures.completed()));
        all.put("await-pending", virtually(2 * Size.AWAIT_PENDING, _ -> Futures.pending()));
        all.put("suspend-10000x10", virtually(Size.CROWD * Size.CROWD_TURNS, _ -> Basics.crowd()));
        all.put("delay-100000", virtually(Size.DELAY, _ -> Parked.sleep()));
        all.put("cancel-100000", virtually(Size.CANCEL, Parked::interrupt));
        all.put("scope-1000", virtually(Size.SCOPES * Size.CHILDREN, _ -> Futures.scopes()));
        return all;
    }

    @Override
    public Parking parking() {
        return Parked::hold;
    }

    // Started and awaited by a virtual thread: from outside, each start would wake a carrier.
    private static Workload.Opener virtually(int operations, Batch.Work work) {
        return () -> new Batch(operations, meter -> runVirtually(work, meter));
    }

    private static void runVirtually(Batch.Work work, Meter meter) throws Exception {
        Virtual.run(() -> work.run(meter));
    }
}
