package dev.heddle.bench.report;

import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Result.Kind;
import dev.heddle.bench.race.Result.Versus;
import dev.heddle.bench.race.Spread;

import java.util.List;

/// The rows as text.
///
/// **Thread:** any.
public final class Table {
    private static final String LEGEND =
            """
            ratio   median of the rounds' ratios, above 1 Heddle is better; then least and greatest
            cpu     per operation; loop: of the thread that runs it, elsewhere of the whole process
            calls   system calls of that thread per operation; ~ depends on timing
            """;

    private Table() {}

    public static String render(List<Result> results) {
        var grid = new Grid();
        grid.add(
                "row", "heddle", "peer", "", "ratio", "least", "most", "cpu", "peer", "ratio",
                "calls", "peer", "");
        section(grid, results, Kind.ROW);
        if (results.stream().anyMatch(result -> result.kind() == Kind.INFORMATIONAL)) {
            grid.add("");
            grid.add("informational");
            section(grid, results, Kind.INFORMATIONAL);
        }
        return grid + "\n" + LEGEND;
    }

    /// {@return the row in a few words, for the progress line}
    public static String summary(Result result) {
        var text = new StringBuilder(Figures.of(result.unit(), result.heddle()));
        result.peers()
                .forEach(
                        (label, versus) ->
                                text.append(", ")
                                        .append(Figures.ratio(versus.ratio().median()))
                                        .append(" × ")
                                        .append(label));
        return text.toString();
    }

    private static void section(Grid grid, List<Result> results, Kind kind) {
        for (var result : results) {
            if (result.kind() == kind) {
                row(grid, result);
            }
        }
    }

    private static void row(Grid grid, Result result) {
        String name = result.name();
        String note = result.note();
        if (result.peers().isEmpty()) {
            String ours = Figures.of(result.unit(), result.heddle());
            String calls = calls(result, Result.HEDDLE);
            String cpu = Figures.time(result.cpu());
            grid.add(name, ours, "", "", "", "", "", cpu, "", "", calls, "", note);
        }
        for (var peer : result.peers().entrySet()) {
            versus(grid, result, name, peer.getKey(), peer.getValue(), note);
            name = "";
            note = "";
        }
    }

    private static void versus(
            Grid grid, Result result, String name, String label, Versus versus, String note) {
        Spread ratio = versus.ratio();
        grid.add(
                name,
                Figures.of(result.unit(), result.heddle()),
                Figures.of(result.unit(), versus.value()),
                label,
                Figures.ratio(ratio.median()),
                Figures.ratio(ratio.min()),
                Figures.ratio(ratio.max()),
                Figures.time(result.cpu()),
                Figures.time(versus.cpu()),
                Figures.ratio(versus.cpuRatio()),
                calls(result, Result.HEDDLE),
                calls(result, label),
                note);
    }

    private static String calls(Result result, String side) {
        return result.syscalls().getOrDefault(side, "");
    }
}
