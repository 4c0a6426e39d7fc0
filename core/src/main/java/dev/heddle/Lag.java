package dev.heddle;

import java.util.LinkedHashMap;
import java.util.Map;

/// Whether a loop that moves is nevertheless behind: for how long the coroutines that are ready
/// have waited for their turn, and who ran meanwhile.
///
/// The loop is not asked to measure anything: it says only which round it is behind with. Who runs
/// is seen by looking now and then, so who runs most is seen most.
///
/// **Thread:** owner (whoever looks: the watchdog's thread, or a test).
final class Lag {
    private static final int NAMES_MAX = 3;
    private static final int QUIET_LOOKS = 40;

    private final Scheduler scheduler;
    private long round;
    private int looks;
    private int quietLooks;
    private boolean reported;
    private int samples;
    private final Map<Coroutine<?>, Integer> seen = new LinkedHashMap<>();

    Lag(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// {@return how many looks in a row have found the loop behind with the same round; zero if it
    /// has been reported, until the loop has kept up for a while}
    int look() {
        long now = scheduler.loop.roundBehind();
        quietLooks = now == 0 ? quietLooks + 1 : 0;
        if (quietLooks >= QUIET_LOOKS) {
            reported = false;
        }
        if (now == 0 || now != round) {
            looks = 0;
            samples = 0;
            seen.clear();
        }
        round = now;
        if (now == 0 || reported) {
            return 0;
        }
        sample();
        return ++looks;
    }

    /// {@return whether it pays to see who runs}
    boolean isLikely() {
        return looks > 0;
    }

    /// Sees who runs.
    void sample() {
        Coroutine<?> current = scheduler.current;
        samples++;
        if (current != null) {
            seen.merge(current, 1, Integer::sum);
        }
    }

    /// {@return who was seen most, in words, for a report}
    String told() {
        reported = true;
        looks = 0;
        var text = new StringBuilder("Seen running, in ").append(samples).append(" looks: ");
        seen.entrySet().stream()
                .sorted(Map.Entry.<Coroutine<?>, Integer>comparingByValue().reversed())
                .limit(NAMES_MAX)
                .forEach(each -> text.append(line(each)).append("; "));
        if (seen.size() > NAMES_MAX) {
            text.append("and ").append(seen.size() - NAMES_MAX).append(" more");
        } else if (seen.isEmpty()) {
            text.append("no coroutine");
        } else {
            text.setLength(text.length() - 2);
        }
        seen.clear();
        return text.toString();
    }

    private static String line(Map.Entry<Coroutine<?>, Integer> entry) {
        int times = entry.getValue();
        return WaitLines.origin(entry.getKey()) + (times == 1 ? ", once" : ", " + times + " times");
    }
}
