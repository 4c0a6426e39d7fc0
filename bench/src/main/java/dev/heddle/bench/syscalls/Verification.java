package dev.heddle.bench.syscalls;

import dev.heddle.bench.libuv.LibuvPeer;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Rival;
import dev.heddle.bench.race.TimedRow;
import dev.heddle.bench.race.TimedRow.Settled;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Counts the system calls of every row anew, both sides.
///
/// **Thread:** owner (the calling thread).
public final class Verification {
    private static final double TOLERANCE = 0.05;

    /// One count beside the stored one.
    ///
    /// @param stored empty if there was none
    public record Finding(String row, String side, String counted, String stored) {
        /// {@return whether they agree, or cannot be expected to}
        public boolean agrees() {
            if (counted.startsWith("~")) {
                return true;
            }
            if (stored.isEmpty() || stored.startsWith("~")) {
                return false;
            }
            double now = Double.parseDouble(counted);
            double then = Double.parseDouble(stored);
            return Math.abs(now - then) <= TOLERANCE * Math.max(1, then);
        }
    }

    private final List<TimedRow> rows;
    private final Ledger stored;

    public Verification(List<TimedRow> rows, Ledger stored) {
        this.rows = List.copyOf(rows);
        this.stored = stored;
    }

    /// Counts our side, in a JVM that runs `bench --count`.
    ///
    /// @param command starts that JVM; the names of the rows are added, with commas
    public List<Finding> heddle(List<String> command) throws IOException {
        var all = new ArrayList<>(command);
        all.add(rows.stream().map(TimedRow::name).collect(Collectors.joining(",")));
        var counts = Strace.perOperation(all, "");
        var findings = new ArrayList<Finding>();
        for (int i = 0; i < rows.size(); i++) {
            findings.add(finding(rows.get(i), Result.HEDDLE, counts.get(i)));
        }
        return findings;
    }

    /// Counts libuv's side.
    public List<Finding> libuv(LibuvPeer libuv) throws IOException {
        record Entry(TimedRow row, Rival rival) {}
        var entries = new ArrayList<Entry>();
        var input = new StringBuilder();
        for (var row : rows) {
            for (var rival : row.rivals()) {
                if (rival.peer() == libuv) {
                    entries.add(new Entry(row, rival));
                    input.append("count ").append(rival.workload()).append('\n');
                }
            }
        }
        Path program = libuv.compiled();
        var counts = Strace.perOperation(List.of(program.toString()), input.toString());
        var findings = new ArrayList<Finding>();
        for (int i = 0; i < entries.size(); i++) {
            var entry = entries.get(i);
            findings.add(finding(entry.row, entry.rival.label(), counts.get(i)));
        }
        return findings;
    }

    private Finding finding(TimedRow row, String side, double perOperation) {
        String mark = row.settled() == Settled.BY_TIMING ? "~" : "";
        String counted = mark + String.format(Locale.ROOT, "%.2f", perOperation);
        return new Finding(
                row.name(), side, counted, stored.row(row.name()).getOrDefault(side, ""));
    }
}
