package dev.heddle.test;

/// Hangs on the failure of a test and says how to see it again. It is no failure of its own.
///
/// **Thread:** immutable.
final class Replay extends Exception {
    private static final long serialVersionUID = 1;
    private static final int STEPS_SHOWN = 10;

    Replay(String line, TestWorld world) {
        super(text(line, world), null, false, false);
    }

    private static String text(String line, TestWorld world) {
        var trace = world.trace();
        var text = new StringBuilder("replay with ").append(line);
        text.append("  // trace ").append(trace.hashText());
        String passedBy = world.probe().passedBy();
        if (!passedBy.isEmpty()) {
            text.append("\n    virtual time passed while ").append(passedBy);
            text.append(": if that waits for another thread, nobody waited for it; offload it, or");
            text.append(" test with virtualTime = false");
        }
        var last = trace.last();
        if (!last.isEmpty()) {
            text.append("\n    the last of ").append(trace.steps()).append(" steps:");
            last.subList(Math.max(0, last.size() - STEPS_SHOWN), last.size())
                    .forEach(step -> text.append("\n      ").append(step));
        }
        return text.toString();
    }
}
