package dev.heddle.bench.race;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A row, measured.
///
/// **Thread:** immutable.
///
/// @param heddle the median of our rounds
/// @param cpu the same on the loop thread's CPU clock; NaN if it was not measured
/// @param spread of the ratios against the first peer, or of our rounds if there is none
/// @param peers by column, in order
/// @param syscalls system calls per operation, by side; what was counted once and stored
public record Result(
        String suite,
        String name,
        Kind kind,
        Unit unit,
        double heddle,
        double cpu,
        Map<String, Versus> peers,
        double spread,
        int rounds,
        Map<String, String> syscalls,
        String note) {
    /// Our column, where sides stand side by side.
    public static final String HEDDLE = "heddle";

    /// What a row is there for.
    public enum Kind {
        /// It counts.
        ROW,
        /// It explains: another backend, or work that is not quite the same.
        INFORMATIONAL
    }

    /// A peer beside us.
    ///
    /// @param value the median of its rounds
    /// @param ratio of the rounds that ran next to each other; above 1 we are better
    /// @param cpuRatio the same on the loop threads' CPU clocks; NaN if not measured
    public record Versus(double value, double cpu, Spread ratio, double cpuRatio) {}

    public Result {
        peers = Collections.unmodifiableMap(new LinkedHashMap<>(peers));
        syscalls = Collections.unmodifiableMap(new LinkedHashMap<>(syscalls));
    }

    /// {@return this row with its system calls}
    public Result withSyscalls(Map<String, String> perOperation) {
        return new Result(
                suite, name, kind, unit, heddle, cpu, peers, spread, rounds, perOperation, note);
    }
}
