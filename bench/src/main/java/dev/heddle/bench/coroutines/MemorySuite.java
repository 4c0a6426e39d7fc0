package dev.heddle.bench.coroutines;

import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.PeerRow;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.Unit;

import java.util.List;

/// The rows of the memory suite: what a parked coroutine takes. All wait for one thing: a promise
/// (ours), a latch (virtual threads), a deferred (kotlinx), a channel (Go).
///
/// **Thread:** owner (the measuring thread).
public final class MemorySuite {
    public static final String NAME = "memory";

    private final Peer heddle;
    private final List<Peer> peers;

    /// @param heddle our side; like the others, with a new process for each round
    public MemorySuite(Peer heddle, List<Peer> peers) {
        this.heddle = heddle;
        this.peers = List.copyOf(peers);
    }

    /// {@return its rows, in the order in which to run them}
    public List<Row> rows() {
        return List.of(
                row("parked-100000").note("heap bytes each after full collections"),
                row("parked-1000000").note("heap bytes each after full collections"),
                row("parked-1000000-rss")
                        .informational()
                        .note("bytes each, of what the process has: garbage and free heap, too"));
    }

    private PeerRow row(String name) {
        return PeerRow.of(NAME, name, Unit.BYTES, heddle).against(peers);
    }
}
