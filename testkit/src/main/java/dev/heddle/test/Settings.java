package dev.heddle.test;

import dev.heddle.reactor.Backend;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// How a scenario is run.
///
/// **Thread:** immutable.
///
/// @param backend null for the usual one: simulated in virtual time, else the best there is
/// @param limit after which a run counts as hanging; zero for never
record Settings(
        boolean virtualTime,
        long seed,
        Schedule schedule,
        @Nullable Backend backend,
        Duration limit,
        boolean checked) {
    static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    static final Settings DEFAULT = new Settings(true, 0, Schedule.AUTO, null, Duration.ZERO, true);

    /// {@return whether the seed decides what comes next}
    boolean isSeeded() {
        return switch (schedule) {
            case AUTO, FIFO -> false;
            case RANDOM, PCT -> true;
        };
    }

    Settings withVirtualTime(boolean value) {
        return new Settings(value, seed, schedule, backend, limit, checked);
    }

    Settings withSeed(long value) {
        return new Settings(virtualTime, value, schedule, backend, limit, checked);
    }

    Settings withSchedule(Schedule value) {
        return new Settings(virtualTime, seed, value, backend, limit, checked);
    }

    Settings withBackend(@Nullable Backend value) {
        return new Settings(virtualTime, seed, schedule, value, limit, checked);
    }

    Settings withLimit(Duration value) {
        return new Settings(virtualTime, seed, schedule, backend, value, checked);
    }

    Settings withChecks(boolean value) {
        return new Settings(virtualTime, seed, schedule, backend, limit, value);
    }
}
