package dev.heddle.bench.coroutines;

import dev.heddle.bench.race.Child;
import dev.heddle.bench.race.ChildPeer;
import dev.heddle.bench.race.Contest;
import dev.heddle.bench.race.Contestant;
import dev.heddle.bench.race.PeerRow;
import dev.heddle.bench.race.Race;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Rival;
import dev.heddle.bench.race.Sample;
import dev.heddle.bench.race.Unit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// A row whose note also tells how long our side takes before it is warm: what happens once in the
/// life of a program, such as that everything is cancelled, never gets warm.
///
/// **Thread:** owner (the measuring thread).
///
/// @param program a new process of our side
record ColdRow(PeerRow row, ChildPeer.Program program) implements Contest {
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public Result measure(Race race) throws Exception {
        race.progress().step("cold");
        return race.run(row.note(row.note() + "; " + coldNote()));
    }

    private String coldNote() throws Exception {
        try (var child = new Child(program.command());
                var side = child.contestant(row.workload())) {
            double first = oneBatch(side);
            double second = oneBatch(side);
            double third = oneBatch(side);
            return String.format(
                    Locale.ROOT,
                    "ours in a new JVM: %.2f s altogether at first, then %.2f s and %.2f s",
                    first,
                    second,
                    third);
        }
    }

    private static double oneBatch(Contestant side) throws Exception {
        Sample sample = side.round(Duration.ZERO);
        return sample.value() * sample.operations() / NANOS_PER_SECOND;
    }

    @Override
    public String suite() {
        return row.suite();
    }

    @Override
    public String name() {
        return row.name();
    }

    @Override
    public Result.Kind kind() {
        return row.kind();
    }

    @Override
    public Unit unit() {
        return row.unit();
    }

    @Override
    public Contestant openOurs() throws Exception {
        return row.openOurs();
    }

    @Override
    public List<Rival> rivals() {
        return row.rivals();
    }

    @Override
    public String note() {
        return row.note();
    }
}
