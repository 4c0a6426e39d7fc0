package dev.heddle.bench.report;

import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Result.Kind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Turns result files into charts, one SVG for each suite, and a table in the folder's `README.md`,
/// between two marks; what stands around them is left alone.
///
/// **Thread:** any.
public final class Report {
    static final String BEGIN = "<!-- results: written by ./heddle bench report -->";
    static final String END = "<!-- end of results -->";

    private Report() {}

    /// {@return the files that were written}
    ///
    /// @param runs where two have the same row, the later one counts
    public static List<Path> write(Path folder, List<Results> runs) throws IOException {
        var rows = new LinkedHashMap<String, Result>();
        for (var run : runs) {
            run.rows().forEach(row -> rows.put(row.suite() + "/" + row.name(), row));
        }
        var suites = new LinkedHashMap<String, List<Result>>();
        rows.values()
                .forEach(
                        row ->
                                suites.computeIfAbsent(row.suite(), _ -> new ArrayList<>())
                                        .add(row));

        Files.createDirectories(folder);
        var written = new ArrayList<Path>();
        var text = new StringBuilder();
        runs.stream().map(run -> machine(run.machine())).distinct().forEach(text::append);
        for (var suite : suites.entrySet()) {
            text.append("\n## ").append(suite.getKey()).append("\n\n");
            for (String peer : peers(suite.getValue())) {
                written.add(chart(folder, suite.getKey(), suite.getValue(), peer, text));
            }
            text.append(table(suite.getValue()));
        }
        written.add(refresh(folder.resolve("README.md"), text.toString()));
        return written;
    }

    private static Path chart(
            Path folder, String suite, List<Result> rows, String peer, StringBuilder text)
            throws IOException {
        String title = "Heddle against " + peer + ": " + suite;
        String name = suite + "-" + peer + ".svg";
        text.append("![").append(title).append("](").append(name).append(")\n\n");
        return Files.writeString(folder.resolve(name), Chart.draw(title, rows, peer));
    }

    // A column that most rows do not have has no chart of its own.
    private static List<String> peers(List<Result> rows) {
        var columns = rows.stream().flatMap(row -> row.peers().keySet().stream()).toList();
        long compared = rows.stream().filter(row -> !row.peers().isEmpty()).count();
        return columns.stream()
                .distinct()
                .filter(column -> 2L * Collections.frequency(columns, column) > compared)
                .toList();
    }

    static String table(List<Result> rows) {
        var text = new StringBuilder();
        text.append(
                "| row | Heddle | peer | ratio | least–most | rounds | CPU ratio | calls | note"
                        + " |\n");
        text.append("|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
        for (var row : rows) {
            lines(row).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private static List<String> lines(Result row) {
        String name = row.kind() == Kind.INFORMATIONAL ? "*" + row.name() + "*" : row.name();
        String ours = Figures.of(row.unit(), row.heddle());
        String calls = row.syscalls().getOrDefault(Result.HEDDLE, "");
        String rounds = String.valueOf(row.rounds());
        if (row.peers().isEmpty()) {
            return List.of(line(name, ours, "", "", "", rounds, "", calls, row.note()));
        }
        var lines = new ArrayList<String>();
        row.peers()
                .forEach(
                        (label, versus) -> {
                            var ratio = versus.ratio();
                            lines.add(
                                    line(
                                            name,
                                            ours,
                                            label + " " + Figures.of(row.unit(), versus.value()),
                                            "**" + Figures.ratio(ratio.median()) + "**",
                                            Figures.ratio(ratio.min())
                                                    + "–"
                                                    + Figures.ratio(ratio.max()),
                                            rounds,
                                            Figures.ratio(versus.cpuRatio()),
                                            calls + " : " + row.syscalls().getOrDefault(label, ""),
                                            lines.isEmpty() ? row.note() : ""));
                        });
        return lines;
    }

    private static String line(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String machine(Map<String, String> machine) {
        var parts = machine.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
        return "\n" + String.join(" · ", parts) + "\n";
    }

    private static Path refresh(Path readme, String results) throws IOException {
        String old = Files.exists(readme) ? Files.readString(readme) : "# Benchmarks\n";
        int begin = old.indexOf(BEGIN);
        int end = old.indexOf(END);
        String before = begin < 0 ? old + "\n" : old.substring(0, begin);
        String after = end < begin || end < 0 ? "\n" : old.substring(end + END.length());
        return Files.writeString(readme, before + BEGIN + "\n" + results + "\n" + END + after);
    }
}
