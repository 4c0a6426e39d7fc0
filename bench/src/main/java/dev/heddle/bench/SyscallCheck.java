package dev.heddle.bench;

import dev.heddle.bench.race.ChildJvm;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.TimedRow;
import dev.heddle.bench.syscalls.Ledger;
import dev.heddle.bench.syscalls.Marks;
import dev.heddle.bench.syscalls.Verification;
import dev.heddle.bench.syscalls.Verification.Finding;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `--verify`: counts the rows' system calls again, in child processes under strace.
///
/// **Thread:** owner (the calling thread).
final class SyscallCheck {
    private final Path project;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<TimedRow> rows;

    /// @param err for what is going on
    SyscallCheck(Path project, PrintWriter out, PrintWriter err, List<Row> rows) {
        this.project = project;
        this.out = out;
        this.err = err;
        this.rows = timed(rows);
    }

    /// What the child JVM does: each row once between two marks, and a line with how many
    /// operations.
    static int count(PrintWriter out, List<Row> rows) throws Exception {
        for (var row : timed(rows)) {
            out.println("ok " + Marks.run(row.heddle()));
        }
        return 0;
    }

    /// {@return the exit code: 0 if all agrees with what is stored}
    int compare(Catalogue catalogue) throws IOException {
        boolean agree = true;
        for (var finding : findings(catalogue, Ledger.load())) {
            agree &= finding.agrees();
            String verdict =
                    finding.agrees() ? "" : finding.stored().isEmpty() ? "NOT STORED" : "DIFFERS";
            out.printf(
                    "%-22s %-12s %8s  stored %8s  %s%n",
                    finding.row(), finding.side(), finding.counted(), finding.stored(), verdict);
        }
        out.flush();
        return agree ? 0 : Main.FAILED;
    }

    /// {@return the exit code}
    int update(Catalogue catalogue) throws IOException {
        var ledger = Ledger.load();
        for (var finding : findings(catalogue, ledger)) {
            ledger.put(finding.row(), finding.side(), finding.counted());
        }
        out.print(ledger);
        out.println("stored in " + project.relativize(ledger.store(project)));
        return 0;
    }

    private List<Finding> findings(Catalogue catalogue, Ledger ledger) throws IOException {
        var verification = new Verification(rows, ledger);
        var child = ChildJvm.command(Main.class.getName(), Catalogue.ALL, "--count");
        err.println("counting our side of " + rows.size() + " rows, which takes a minute or two");
        var findings = new ArrayList<Finding>(verification.heddle(child));
        switch (catalogue.libuv().find()) {
            case Peer.Present(String version) -> {
                err.println("counting libuv " + version);
                findings.addAll(verification.libuv(catalogue.libuv()));
            }
            case Peer.Missing missing -> err.println(missing.describe(catalogue.libuv()));
        }
        return findings;
    }

    private static List<TimedRow> timed(List<Row> rows) {
        return rows.stream().filter(TimedRow.class::isInstance).map(TimedRow.class::cast).toList();
    }
}
