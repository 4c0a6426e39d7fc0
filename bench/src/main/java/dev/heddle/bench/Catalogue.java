package dev.heddle.bench;

import dev.heddle.bench.coroutines.CoroutineSuite;
import dev.heddle.bench.coroutines.HeddleRepertoire;
import dev.heddle.bench.coroutines.MemorySuite;
import dev.heddle.bench.go.GoProgram;
import dev.heddle.bench.jvm.JvmChild;
import dev.heddle.bench.jvm.Repertoire;
import dev.heddle.bench.kotlinx.KotlinxRepertoire;
import dev.heddle.bench.libuv.LibuvPeer;
import dev.heddle.bench.loop.LoopSuite;
import dev.heddle.bench.race.ChildPeer;
import dev.heddle.bench.race.Contest;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Rival;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.vthreads.VthreadsRepertoire;

import java.nio.file.Path;
import java.util.List;

/// The suites there are, and the peers they run against.
///
/// **Thread:** owner (the measuring thread).
final class Catalogue implements AutoCloseable {
    static final String ALL = "all";
    static final List<String> SUITES =
            List.of(
                    LoopSuite.NAME,
                    CoroutineSuite.NAME,
                    "channels",
                    "net",
                    "files",
                    MemorySuite.NAME);

    // A JVM is here already, and the library came with the build.
    private static final String JVM_CURE = "run ./heddle bench again";

    // Room for a million parked threads of any kind; the same collector and size everywhere.
    private static final String[] FIXED_HEAP = {"-XX:+UseG1GC", "-Xms4g", "-Xmx4g"};

    private final LibuvPeer libuv;
    private final ChildPeer heddle = jvm(Result.HEDDLE, HeddleRepertoire.class);
    private final ChildPeer vthreads = jvm("vthreads", VthreadsRepertoire.class);
    private final ChildPeer kotlinx = jvm("kotlinx", KotlinxRepertoire.class);
    private final GoProgram goProgram;
    private final ChildPeer go;

    Catalogue(Path project) {
        libuv = new LibuvPeer(project);
        goProgram = new GoProgram(project);
        go = new ChildPeer("go", ChildPeer.Kind.COMPILED, GoProgram.CURE, goProgram);
    }

    private static ChildPeer jvm(String name, Class<? extends Repertoire> repertoire) {
        var program = JvmChild.program(repertoire);
        return new ChildPeer(name, ChildPeer.Kind.JIT, JVM_CURE, program);
    }

    /// {@return the rows of a suite; none if the suite is not there yet}
    List<Row> rows(String suite) {
        return switch (suite) {
            case LoopSuite.NAME -> new LoopSuite(libuv).rows();
            case CoroutineSuite.NAME -> coroutines().rows();
            case MemorySuite.NAME -> memory().rows();
            default -> List.of();
        };
    }

    private CoroutineSuite coroutines() {
        var cold = JvmChild.program(HeddleRepertoire.class);
        return new CoroutineSuite(heddle, vthreads, List.of(kotlinx, go), cold);
    }

    private MemorySuite memory() {
        return new MemorySuite(
                withFixedHeap(heddle, HeddleRepertoire.class),
                List.of(
                        withFixedHeap(vthreads, VthreadsRepertoire.class),
                        withFixedHeap(kotlinx, KotlinxRepertoire.class),
                        go.inFreshProcesses(goProgram)));
    }

    private static Peer withFixedHeap(ChildPeer peer, Class<? extends Repertoire> repertoire) {
        return peer.inFreshProcesses(JvmChild.program(repertoire, FIXED_HEAP));
    }

    /// All of them.
    List<Peer> peers() {
        return List.of(libuv, vthreads, kotlinx, go);
    }

    /// {@return the peers that stand in these rows}
    List<Peer> peers(List<Row> rows) {
        var names =
                rows.stream()
                        .filter(Contest.class::isInstance)
                        .flatMap(row -> ((Contest) row).rivals().stream())
                        .map(Rival::peer)
                        .map(Peer::name)
                        .toList();
        return peers().stream().filter(peer -> names.contains(peer.name())).toList();
    }

    LibuvPeer libuv() {
        return libuv;
    }

    @Override
    public void close() {
        heddle.close();
        peers().forEach(Peer::close);
    }
}
