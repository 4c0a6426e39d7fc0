package dev.heddle.bench;

import dev.heddle.bench.race.Progress;

import java.io.PrintWriter;

/// Progress as text: on a terminal one line that changes, elsewhere a line per row.
///
/// **Thread:** owner (the measuring thread).
final class TextProgress implements Progress {
    private static final String CLEAR = "\r\033[K";

    private final PrintWriter out;
    private final boolean terminal;
    private String head = "";

    private TextProgress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    static TextProgress onTerminal(PrintWriter out) {
        return new TextProgress(out, true);
    }

    static TextProgress inFile(PrintWriter out) {
        return new TextProgress(out, false);
    }

    @Override
    public void row(String name, int index, int count) {
        head = String.format("[%2d/%d] %-22s", index, count, name);
        step("");
    }

    @Override
    public void step(String what) {
        if (terminal) {
            out.print(CLEAR + head + what);
            out.flush();
        }
    }

    @Override
    public void done(String outcome) {
        out.println((terminal ? CLEAR : "") + head + outcome);
        out.flush();
    }
}
