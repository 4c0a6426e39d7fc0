package dev.heddle.bench.report;

import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Result.Kind;
import dev.heddle.bench.race.Spread;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// The ratios of one suite against one peer as an SVG: bars from the line at 1, to the right where
/// Heddle is better, to the left where the peer is; a thin line from the least round to the
/// greatest.
///
/// Logarithmic: twice as good and half as good are equally far from 1.
///
/// **Thread:** owner (whoever made it).
final class Chart {
    private static final int WIDTH = 760;
    private static final int LEFT = 190;
    private static final int RIGHT = 70;
    private static final int TOP = 64;
    private static final int ROW = 22;
    private static final int BAR = 12;

    // From a quarter to four times: a row far outside would leave no room for the others. It is cut
    // off at the edge, and its figure tells.
    private static final int OCTAVES = 2;

    private static final String STYLE =
            """
            <style>
              text { font: 12px system-ui, sans-serif; fill: #24292f }
              .title { font-size: 15px; font-weight: 600 }
              .small { font-size: 11px; fill: #6e7781 }
              .better { fill: #2da44e } .worse { fill: #cf6a4c } .pale { opacity: .55 }
              .grid { stroke: #d0d7de; stroke-width: 1 } .one { stroke: #24292f }
              .range { stroke: #24292f; stroke-width: 1.2; opacity: .6 }
              @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3 } .small { fill: #8d96a0 } .grid { stroke: #30363d }
                .one, .range { stroke: #e6edf3 }
              }
            </style>
            """;

    private final StringBuilder svg = new StringBuilder();
    private final String peer;
    private final int height;

    private Chart(List<Result> rows, String peer) {
        this.peer = peer;
        height = TOP + ROW * rows.size() + 40;
    }

    /// @param peer the column to draw; rows without it are left out
    static String draw(String title, List<Result> rows, String peer) {
        var shown = rows.stream().filter(row -> row.peers().containsKey(peer)).toList();
        var chart = new Chart(shown, peer);
        chart.frame(title);
        for (int i = 0; i < shown.size(); i++) {
            chart.row(shown.get(i), TOP + ROW * i);
        }
        return chart.svg.append("</svg>\n").toString();
    }

    private Spread ratio(Result row) {
        return Objects.requireNonNull(row.peers().get(peer), "drawn without a figure").ratio();
    }

    private void frame(String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                        + " viewBox=\"0 0 %d %d\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        svg.append(STYLE);
        add("<title>%s</title>", escape(title));
        add("<text class=\"title\" x=\"12\" y=\"24\">%s</text>", escape(title));
        int bottom = height - 32;
        for (int octave = -OCTAVES; octave <= OCTAVES; octave++) {
            double x = x(Math.pow(2, octave));
            String kind = octave == 0 ? "one" : "grid";
            add(
                    "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                    kind, x, TOP - 8, x, bottom);
            add(
                    "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x, TOP - 14, label(octave));
        }
        add(
                "<text class=\"small\" x=\"12\" y=\"%d\">times better than %s, cut at 1/4 and 4;"
                        + " thin line: least to greatest round; pale: informational; * see the"
                        + " note</text>",
                height - 10, escape(peer));
    }

    private void row(Result row, int y) {
        var ratio = ratio(row);
        double from = Math.min(x(1), x(ratio.median()));
        double to = Math.max(x(1), x(ratio.median()));
        double middle = y + ROW / 2.0;
        String side = ratio.median() >= 1 ? "better" : "worse";
        String kind = row.kind() == Kind.INFORMATIONAL ? side + " pale" : side;
        add(
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                LEFT - 10, middle + 4, escape(row.name() + (row.note().isEmpty() ? "" : " *")));
        add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                kind, from, middle - BAR / 2.0, Math.max(1, to - from), BAR);
        add(
                "<line class=\"range\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                x(ratio.min()), middle, x(ratio.max()), middle);
        add(
                "<text x=\"%.1f\" y=\"%.1f\">%s</text>",
                Math.max(x(1), x(Math.max(ratio.median(), ratio.max()))) + 6,
                middle + 4,
                Figures.ratio(ratio.median()));
    }

    private static double x(double ratio) {
        double half = (WIDTH - LEFT - RIGHT) / 2.0;
        double octave = Math.clamp(Math.log(ratio) / Math.log(2), -OCTAVES, OCTAVES);
        return LEFT + half + half * octave / OCTAVES;
    }

    private static String label(int octave) {
        return octave >= 0 ? String.valueOf(1 << octave) : "1/" + (1 << -octave);
    }

    // The annotation that Error Prone asks for would be a dependency.
    @SuppressWarnings("AnnotateFormatMethod")
    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
