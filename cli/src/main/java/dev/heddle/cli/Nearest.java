package dev.heddle.cli;

import java.util.List;
import java.util.Optional;

/// What somebody who mistyped a word most likely meant.
///
/// **Thread:** immutable.
final class Nearest {
    private Nearest() {}

    /// {@return the known word with the fewest typing mistakes, if at most a third of it is wrong}
    static Optional<String> to(String written, List<String> known) {
        Optional<String> nearest = Optional.empty();
        int fewest = Integer.MAX_VALUE;
        for (String word : known) {
            int mistakes = mistakes(written, word);
            boolean likely = 3 * mistakes <= Math.max(word.length(), written.length());
            if (likely && mistakes < fewest) {
                nearest = Optional.of(word);
                fewest = mistakes;
            }
        }
        return nearest;
    }

    /// {@return how many letters must be inserted, removed, replaced or swapped with the next}
    private static int mistakes(String from, String to) {
        int[][] table = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : cheapest(table, from, to, i, j);
            }
        }
        return table[from.length()][to.length()];
    }

    private static int cheapest(int[][] table, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int replaced = table[i - 1][j - 1] + (same ? 0 : 1);
        int cost = Math.min(replaced, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        boolean swapped =
                i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(cost, table[i - 2][j - 2] + 1) : cost;
    }
}
