package dev.heddle.bench.race;

import java.util.ArrayList;
import java.util.List;

/// A row that compares how long the same work takes, ours in this JVM.
///
/// **Thread:** immutable.
///
/// @param settled whether the work, and so its system calls, is the same in every run; otherwise
///   they depend on how threads meet
public record TimedRow(
        String suite,
        String name,
        Result.Kind kind,
        Settled settled,
        Workload.Opener heddle,
        List<Rival> rivals,
        String note)
        implements Contest {
    /// Whether two runs of a row do exactly the same.
    public enum Settled {
        ALWAYS,
        BY_TIMING
    }

    public TimedRow {
        rivals = List.copyOf(rivals);
    }

    public static TimedRow of(String suite, String name, Workload.Opener heddle) {
        return new TimedRow(suite, name, Result.Kind.ROW, Settled.ALWAYS, heddle, List.of(), "");
    }

    /// Adds a peer, in a column of its own.
    public TimedRow against(String label, Peer peer, String workload) {
        var more = new ArrayList<>(rivals);
        more.add(new Rival(label, peer, workload));
        return new TimedRow(suite, name, kind, settled, heddle, more, note);
    }

    public TimedRow informational() {
        return new TimedRow(suite, name, Result.Kind.INFORMATIONAL, settled, heddle, rivals, note);
    }

    public TimedRow byTiming() {
        return new TimedRow(suite, name, kind, Settled.BY_TIMING, heddle, rivals, note);
    }

    public TimedRow note(String newNote) {
        return new TimedRow(suite, name, kind, settled, heddle, rivals, newNote);
    }

    @Override
    public Unit unit() {
        return Unit.NANOS;
    }

    @Override
    public Contestant openOurs() throws Exception {
        return new InProcess(heddle.open());
    }

    @Override
    public String toString() {
        return suite + "/" + name;
    }
}
