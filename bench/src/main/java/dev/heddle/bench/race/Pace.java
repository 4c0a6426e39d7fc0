package dev.heddle.bench.race;

import java.time.Duration;

/// How thoroughly to measure.
///
/// **Thread:** immutable.
///
/// @param rounds of each side that count
/// @param warmUpMax rounds of our side at most that do not, while they still get faster
public record Pace(int rounds, int warmUpMax, Duration round) {
    public static final Pace FULL = new Pace(7, 20, Duration.ofMillis(250));
    public static final Pace QUICK = new Pace(3, 10, Duration.ofMillis(200));
}
