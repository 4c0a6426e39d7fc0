package dev.heddle.bench;

import dev.heddle.bench.libuv.LibuvPeer;
import dev.heddle.bench.loop.LoopSuite;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Row;

import java.nio.file.Path;
import java.util.List;

/// The suites there are, and the peers they run against.
///
/// **Thread:** owner (the measuring thread).
final class Catalogue implements AutoCloseable {
    static final String ALL = "all";
    static final List<String> SUITES =
            List.of(LoopSuite.NAME, "coroutines", "channels", "net", "files", "memory");

    private final LibuvPeer libuv;

    Catalogue(Path project) {
        libuv = new LibuvPeer(project);
    }

    /// {@return the rows of a suite; none if the suite is not there yet}
    List<Row> rows(String suite) {
        return suite.equals(LoopSuite.NAME) ? new LoopSuite(libuv).rows() : List.of();
    }

    List<Peer> peers() {
        return List.of(libuv);
    }

    LibuvPeer libuv() {
        return libuv;
    }

    @Override
    public void close() {
        peers().forEach(Peer::close);
    }
}
