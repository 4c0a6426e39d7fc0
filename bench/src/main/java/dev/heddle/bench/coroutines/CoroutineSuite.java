package dev.heddle.bench.coroutines;

import dev.heddle.bench.race.ChildPeer;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.PeerRow;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.Unit;

import java.util.ArrayList;
import java.util.List;

/// The rows of the coroutine suite. How much each of them does is in [Size].
///
/// **Thread:** owner (the measuring thread).
public final class CoroutineSuite {
    public static final String NAME = "coroutines";

    private final Peer heddle;
    private final Peer vthreads;
    private final List<Peer> others;
    private final List<Peer> peers;
    private final ChildPeer.Program cold;

    /// @param heddle our side
    /// @param others peers that take part in every row that counts
    /// @param cold a new process of our side, for what is slow the first time
    public CoroutineSuite(Peer heddle, Peer vthreads, List<Peer> others, ChildPeer.Program cold) {
        this.heddle = heddle;
        this.vthreads = vthreads;
        this.others = List.copyOf(others);
        this.peers = new ArrayList<>(others);
        this.peers.addFirst(vthreads);
        this.cold = cold;
    }

    /// {@return its rows, in the order in which to run them}
    public List<Row> rows() {
        return List.of(
                row("spawn-finish").note("per coroutine"),
                PeerRow.of(NAME, "switch", Unit.NANOS, heddle)
                        .against(vthreads, "switch-park")
                        .against(others)
                        .note("two coroutines by turns; vthreads park and unpark each other"),
                row("await-completed"),
                row("await-pending").note("per wait, of two that answer each other"),
                row("suspend-10000x10").note("per suspend, the spawn included"),
                row("delay-100000").note("per coroutine: spawn, 1 ms, end"),
                new ColdRow(row("cancel-100000").note("per coroutine, until all have ended"), cold),
                row("scope-1000")
                        .note(
                                "per child; vthreads: an executor that is closed, as"
                                        + " StructuredTaskScope is a preview API"),
                PeerRow.of(NAME, "switch-yield", Unit.NANOS, heddle)
                        .against(List.of(vthreads))
                        .informational()
                        .note("ours as in switch; vthreads yield, each on a core of its own"));
    }

    private PeerRow row(String name) {
        return PeerRow.of(NAME, name, Unit.NANOS, heddle).against(peers);
    }
}
