package dev.heddle.bench.race;

import java.util.ArrayList;
import java.util.List;

/// A row in which we are a peer like the others, in a process of our own.
///
/// **Thread:** immutable.
///
/// @param ours our side
/// @param workload what our side calls what is to be done
public record PeerRow(
        String suite,
        String name,
        Result.Kind kind,
        Unit unit,
        Peer ours,
        String workload,
        List<Rival> rivals,
        String note)
        implements Contest {
    public PeerRow {
        rivals = List.copyOf(rivals);
    }

    /// A row that counts, and whose sides call their work as the row is called.
    public static PeerRow of(String suite, String name, Unit unit, Peer ours) {
        return new PeerRow(suite, name, Result.Kind.ROW, unit, ours, name, List.of(), "");
    }

    /// Adds those who do the same.
    public PeerRow against(List<Peer> peers) {
        var all = new ArrayList<>(rivals);
        peers.forEach(peer -> all.add(new Rival(peer.name(), peer, workload)));
        return new PeerRow(suite, name, kind, unit, ours, workload, all, note);
    }

    /// Adds one that calls what comes closest by another name.
    public PeerRow against(Peer peer, String itsWorkload) {
        var all = new ArrayList<>(rivals);
        all.add(new Rival(peer.name(), peer, itsWorkload));
        return new PeerRow(suite, name, kind, unit, ours, workload, all, note);
    }

    public PeerRow informational() {
        return new PeerRow(
                suite, name, Result.Kind.INFORMATIONAL, unit, ours, workload, rivals, note);
    }

    public PeerRow note(String newNote) {
        return new PeerRow(suite, name, kind, unit, ours, workload, rivals, newNote);
    }

    @Override
    public Contestant openOurs() throws Exception {
        return ours.open(workload);
    }

    @Override
    public String toString() {
        return suite + "/" + name;
    }
}
