package dev.heddle.bench;

import dev.heddle.bench.race.Pace;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.TimedRow;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `bench SUITE`: finds out what is wanted, and says in one line if it cannot be.
///
/// **Thread:** owner (the measuring thread).
@Command(
        name = "heddle bench",
        description = "Measures Heddle beside its peers. A ratio above 1: Heddle is better.",
        footer = {
            "",
            "loop        timers, wake-ups and descriptors, against libuv in C",
            "coroutines  spawn, switch, await, delay, cancel; against virtual threads,",
            "            kotlinx.coroutines and Go",
            "memory      bytes of a parked coroutine, against the same",
            "",
            "heddle bench loop --quick                 every row, 3 rounds",
            "heddle bench loop --rows wake,add-del     two rows",
            "heddle bench coroutines --peers vthreads  one peer",
            "heddle bench loop --json FILE             and then: heddle bench report FILE"
        },
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "SUITE",
            description = "loop, coroutines, memory, or all. Later: channels, net, files.")
    private String suite = "";

    @Option(names = "--quick", description = "3 rounds instead of 7.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the rows there, too.")
    private List<Path> json = List.of();

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            description = "Only these: libuv, vthreads, kotlinx, go; with commas.")
    private List<String> peers = List.of();

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "NAME",
            description = "Only these rows, such as wake,add-del.")
    private List<String> rows = List.of();

    @Option(
            names = "--verify",
            description =
                    "Count the loop suite's system calls with strace, and compare with what is"
                            + " stored.")
    private boolean verify;

    @Option(names = "--update", description = "With --verify: store what was counted.")
    private boolean update;

    @Option(names = "--count", split = ",", hidden = true, description = "For --verify.")
    private List<String> count = List.of();

    @Override
    public Integer call() throws Exception {
        var suites = suites();
        if (update && !verify) {
            throw mistake("--update goes with --verify");
        }
        for (var file : json) {
            checkWritable(file);
        }
        Path project = Project.root();
        try (var catalogue = new Catalogue(project)) {
            checkPeers(catalogue);
            if (!count.isEmpty()) {
                return SyscallCheck.count(out(), pick(catalogue, suites, count));
            }
            suites.stream().filter(name -> catalogue.rows(name).isEmpty()).forEach(this::regret);
            var wanted = pick(catalogue, suites, rows);
            if (wanted.isEmpty()) {
                return Main.USAGE;
            }
            if (verify) {
                if (wanted.stream().noneMatch(TimedRow.class::isInstance)) {
                    throw mistake("--verify is for the loop suite: others count no system calls");
                }
                var check = new SyscallCheck(project, out(), err(), wanted);
                return update ? check.update(catalogue) : check.compare(catalogue);
            }
            var session = new Session(out(), err(), json);
            session.find(wantedPeers(catalogue, wanted));
            return session.measure(wanted, quick ? Pace.QUICK : Pace.FULL);
        }
    }

    private List<String> suites() {
        if (suite.equals(Catalogue.ALL)) {
            return Catalogue.SUITES;
        }
        String known = String.join(", ", Catalogue.SUITES) + " or " + Catalogue.ALL;
        if (suite.isEmpty()) {
            throw mistake("which suite? " + known);
        }
        if (!Catalogue.SUITES.contains(suite)) {
            throw mistake("no suite is called \"" + suite + "\": choose " + known);
        }
        return List.of(suite);
    }

    private void regret(String name) {
        err().println(name + ": not there yet");
    }

    /// {@return the rows of these suites, or those of them that were named}
    private List<Row> pick(Catalogue catalogue, List<String> suites, List<String> names) {
        var all = new ArrayList<Row>();
        suites.forEach(name -> all.addAll(catalogue.rows(name)));
        var known = all.stream().map(Row::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw mistake(
                        "no row is called \""
                                + name
                                + "\": choose among "
                                + String.join(", ", known));
            }
        }
        return all.stream().filter(row -> names.isEmpty() || names.contains(row.name())).toList();
    }

    private void checkPeers(Catalogue catalogue) {
        var known = catalogue.peers().stream().map(Peer::name).toList();
        for (String name : peers) {
            if (!known.contains(name)) {
                throw mistake(
                        "no peer is called \""
                                + name
                                + "\": choose among "
                                + String.join(", ", known));
            }
        }
    }

    private List<Peer> wantedPeers(Catalogue catalogue, List<Row> wanted) {
        return catalogue.peers(wanted).stream()
                .filter(peer -> peers.isEmpty() || peers.contains(peer.name()))
                .toList();
    }

    // Before hours of measuring, not after.
    private void checkWritable(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        boolean possible =
                Files.exists(file)
                        ? Files.isRegularFile(file) && Files.isWritable(file)
                        : folder != null && Files.isWritable(folder);
        if (!possible) {
            throw mistake("cannot write " + file);
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
