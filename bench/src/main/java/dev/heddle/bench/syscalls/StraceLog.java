package dev.heddle.bench.syscalls;

import java.util.ArrayList;
import java.util.List;

/// Reads what `strace -f -o` wrote, line by line: each begins with the thread's number.
///
/// **Thread:** owner (whoever made it).
final class StraceLog {
    // Without the bracket: if another thread's call comes in between, the line ends "<unfinished".
    private static final String BEGIN = "close(" + Marks.BEGIN;
    private static final String END = "close(" + Marks.END;

    private final List<Integer> counts = new ArrayList<>();

    // The thread that made the first mark of a pair; empty between pairs.
    private String thread = "";
    private int calls;

    /// Takes the next line.
    void add(String line) {
        int space = line.indexOf(' ');
        String who = space < 0 ? line : line.substring(0, space);
        String what = space < 0 ? "" : line.substring(space).strip();
        if (thread.isEmpty()) {
            if (what.startsWith(BEGIN)) {
                thread = who;
                calls = 0;
            }
        } else if (who.equals(thread)) {
            if (what.startsWith(END)) {
                counts.add(calls);
                thread = "";
            } else if (isCall(what)) {
                calls++;
            }
        }
    }

    /// {@return the calls between each pair of marks, of the thread that made them}
    List<Integer> counts() {
        return List.copyOf(counts);
    }

    // Not: the second half of a call that another thread interrupted in the log, signals, exits.
    private static boolean isCall(String what) {
        return !what.startsWith("<...") && !what.startsWith("---") && !what.startsWith("+++");
    }
}
