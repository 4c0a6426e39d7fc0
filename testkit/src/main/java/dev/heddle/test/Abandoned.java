package dev.heddle.test;

import dev.heddle.Report;

/// Hangs on what ended a program, and says what its coroutines were doing then. It is no failure of
/// its own.
///
/// **Thread:** immutable.
final class Abandoned extends Exception {
    private static final long serialVersionUID = 1;
    private static final int SHOWN_MAX = 20;
    private static final String VIRTUAL_HINT =
            "; in virtual time nothing waits for other threads: offload what they do, or test with"
                    + " virtualTime = false";

    private Abandoned(String message) {
        super(message, null, false, false);
    }

    /// If the world's coroutines did not end, says so on `thrown`.
    static void explain(Throwable thrown, TestWorld world) {
        var left =
                world.reports().stream()
                        .filter(report -> report.kind() == Report.Kind.ABANDONED)
                        .map(Report::full)
                        .toList();
        if (left.isEmpty()) {
            return;
        }
        var text = new StringBuilder();
        text.append(left.size()).append(" coroutines had not ended then");
        text.append(world.isVirtual() ? VIRTUAL_HINT : ":");
        left.stream().limit(SHOWN_MAX).forEach(each -> text.append("\n    ").append(each));
        thrown.addSuppressed(new Abandoned(text.toString()));
    }
}
