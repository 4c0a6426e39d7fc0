package dev.heddle.bench.report;

import java.util.ArrayList;
import java.util.List;

/// Lines of cells, printed in columns: the first and the last to the left, figures to the right.
///
/// **Thread:** owner (whoever made it).
final class Grid {
    private static final String GAP = "  ";

    private final List<List<String>> lines = new ArrayList<>();

    void add(String... cells) {
        lines.add(List.of(cells));
    }

    @Override
    public String toString() {
        int columns = lines.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (var line : lines) {
            for (int i = 0; i < line.size(); i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        var text = new StringBuilder();
        for (var line : lines) {
            text.append(render(line, widths).stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String render(List<String> line, int[] widths) {
        var text = new StringBuilder();
        for (int i = 0; i < line.size(); i++) {
            String cell = line.get(i);
            String padding = " ".repeat(widths[i] - cell.length());
            boolean left = i == 0 || i == widths.length - 1;
            text.append(i == 0 ? "" : GAP);
            text.append(left ? cell + padding : padding + cell);
        }
        return text.toString();
    }
}
