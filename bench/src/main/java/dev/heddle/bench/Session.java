package dev.heddle.bench;

import dev.heddle.bench.race.Pace;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Progress;
import dev.heddle.bench.race.Race;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.report.Machine;
import dev.heddle.bench.report.Results;
import dev.heddle.bench.report.Table;
import dev.heddle.bench.syscalls.Ledger;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One run of the benchmarks: peers are looked for, rows measured, the table printed.
///
/// **Thread:** owner (the measuring thread).
final class Session {
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<Path> json;
    private final Map<String, String> versions = new LinkedHashMap<>();

    /// @param out for the table
    /// @param err for what is going on
    /// @param json where to write the results, too
    Session(PrintWriter out, PrintWriter err, List<Path> json) {
        this.out = out;
        this.err = err;
        this.json = List.copyOf(json);
    }

    /// Looks which of the peers are there, and says how to get the others.
    void find(List<Peer> peers) {
        for (var peer : peers) {
            switch (peer.find()) {
                case Peer.Present(String version) -> versions.put(peer.name(), version);
                case Peer.Missing missing -> err.println(missing.describe(peer));
            }
        }
    }

    /// {@return the exit code: 0 also where Heddle loses, but not if a row could not be measured}
    int measure(List<Row> rows, Pace pace) throws IOException {
        var machine = Machine.describe(versions);
        machine.forEach((key, value) -> err.println(key + ": " + value));
        var progress = isOnTerminal() ? TextProgress.onTerminal(err) : TextProgress.inFile(err);
        var ledger = Ledger.load();
        var race = new Race(pace, versions.keySet(), progress);
        var results = new ArrayList<Result>();
        boolean failed = false;
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            progress.row(row.name(), i + 1, rows.size());
            try {
                var result = row.measure(race).withSyscalls(ledger.row(row.name()));
                results.add(result);
                progress.done(Table.summary(result));
            } catch (Exception failure) {
                failed |= tell(progress, row, failure);
            }
        }
        out.println();
        out.print(Table.render(results));
        out.flush();
        for (var file : json) {
            new Results(machine, results).write(file);
        }
        return failed ? Main.FAILED : 0;
    }

    private static boolean isOnTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    // A backend that this kernel refuses is no failure, but it is said.
    private static boolean tell(Progress progress, Row row, Exception failure) {
        boolean serious = row.kind() == Result.Kind.ROW || !(failure instanceof IOException);
        progress.done((serious ? "FAILED: " : "left out: ") + failure.getMessage());
        return serious;
    }
}
