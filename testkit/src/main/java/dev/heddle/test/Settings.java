package dev.heddle.test;

import dev.heddle.HeddleOptions;
import dev.heddle.reactor.Backend;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

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
        List<FaultPlan> faults,
        Duration limit,
        boolean checked,
        UnaryOperator<HeddleOptions> change) {
    static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    static final Settings DEFAULT =
            new Settings(
                    true,
                    0,
                    Schedule.AUTO,
                    null,
                    List.of(),
                    Duration.ZERO,
                    true,
                    UnaryOperator.identity());

    /// {@return whether the seed decides what comes next}
    boolean isSeeded() {
        return switch (schedule) {
            case AUTO, FIFO -> false;
            case RANDOM, PCT -> true;
        };
    }

    /// {@return what else an annotation must say to run the same again: what is not as usual}
    String inAnnotation() {
        return (virtualTime ? "" : ", virtualTime = false")
                + (checked ? "" : ", checkLeaks = false")
                + (limit.isZero() || limit.equals(USUAL_LIMIT)
                        ? ""
                        : ", limitSeconds = " + limit.toSeconds());
    }

    Settings withVirtualTime(boolean value) {
        return new Settings(value, seed, schedule, backend, faults, limit, checked, change);
    }

    Settings withSeed(long value) {
        return new Settings(virtualTime, value, schedule, backend, faults, limit, checked, change);
    }

    Settings withSchedule(Schedule value) {
        return new Settings(virtualTime, seed, value, backend, faults, limit, checked, change);
    }

    Settings withBackend(@Nullable Backend value) {
        return new Settings(virtualTime, seed, schedule, value, faults, limit, checked, change);
    }

    Settings withFaults(List<FaultPlan> value) {
        return new Settings(virtualTime, seed, schedule, backend, value, limit, checked, change);
    }

    Settings withLimit(Duration value) {
        return new Settings(virtualTime, seed, schedule, backend, faults, value, checked, change);
    }

    Settings withChecks(boolean value) {
        return new Settings(virtualTime, seed, schedule, backend, faults, limit, value, change);
    }

    Settings withOptions(UnaryOperator<HeddleOptions> value) {
        return new Settings(virtualTime, seed, schedule, backend, faults, limit, checked, value);
    }
}
