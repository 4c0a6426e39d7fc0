package dev.heddle.loop;

/// A task that only says who added it, and as which one.
///
/// **Thread:** immutable, but for its link.
final class Numbered extends Task {
    static final int EACH = 2;

    private final int producer;
    private final int number;

    Numbered(int producer, int number) {
        this.producer = producer;
        this.number = number;
    }

    @Override
    protected void run() {}

    /// {@return what became of the tasks of two producers who added [#EACH] one after another}
    static String verdict(ReadyQueue taken) {
        var next = new int[2];
        for (Task task = taken.poll(); task != null; task = taken.poll()) {
            var numbered = (Numbered) task;
            if (numbered.number < next[numbered.producer]) {
                return "twice";
            }
            if (numbered.number > next[numbered.producer]) {
                return "lost or out of order";
            }
            next[numbered.producer]++;
        }
        return next[0] == EACH && next[1] == EACH ? "all, in order" : "lost";
    }
}
