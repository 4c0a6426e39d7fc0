package dev.heddle.bench.coroutines;

import dev.heddle.Heddle;
import dev.heddle.HeddleOptions;
import dev.heddle.Report;
import dev.heddle.bench.jvm.Parking;
import dev.heddle.bench.jvm.Repertoire;
import dev.heddle.bench.race.Batch;
import dev.heddle.bench.race.Workload;

import java.util.LinkedHashMap;
import java.util.Map;

/// Our side of the coroutine and memory suites. Each batch is a program of its own.
///
/// **Thread:** owner (the measuring thread, which runs the loop).
public final class HeddleRepertoire implements Repertoire {
    // As programs have it, but for one report: a workload that spawns 100 000 coroutines in one go
    // does keep the loop from running.
    private static final HeddleOptions OPTIONS = Heddle.with().onReport(HeddleRepertoire::tell);

    public HeddleRepertoire() {}

    @Override
    public String version() {
        return "of this tree";
    }

    @Override
    public Map<String, Workload.Opener> workloads() {
        var all = new LinkedHashMap<String, Workload.Opener>();
        all.put("spawn-finish", program(Size.SPAWN_ROUNDS * Size.SPAWN, _ -> Basics.spawnAll()));
        all.put("switch", program(2 * Size.SWITCH, _ -> Basics.suspendByTurns()));
        all.put("switch-yield", program(2 * Size.SWITCH, _ -> Basics.suspendByTurns()));
        all.put("await-completed", program(Size.AWAIT_COMPLETED, _ -> Promises.completed()));
        all.put("await-pending", program(2 * Size.AWAIT_PENDING, _ -> Promises.pending()));
        all.put("suspend-10000x10", program(Size.CROWD * Size.CROWD_TURNS, _ -> Basics.crowd()));
        all.put("delay-100000", program(Size.DELAY, _ -> Parked.delays()));
        all.put("cancel-100000", program(Size.CANCEL, Parked::cancel));
        all.put("scope-1000", program(Size.SCOPES * Size.CHILDREN, _ -> Basics.scopes()));
        return all;
    }

    @Override
    public Parking parking() {
        return (count, whileParked) -> OPTIONS.run(() -> Parked.hold(count, whileParked));
    }

    private static Workload.Opener program(int operations, Batch.Work work) {
        return () -> new Batch(operations, meter -> OPTIONS.run(() -> work.run(meter)));
    }

    private static void tell(Report report) {
        if (report.kind() != Report.Kind.BLOCKED_LOOP
                && report.kind() != Report.Kind.LAGGING_LOOP) {
            System.err.println(report);
        }
    }
}
