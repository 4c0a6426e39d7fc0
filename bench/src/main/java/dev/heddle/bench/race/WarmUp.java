package dev.heddle.bench.race;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/// Tells when a side has stopped getting faster: three rounds in a row that were no progress, and
/// in which the JIT had nothing much to do.
///
/// By CPU time where it is known: on a busy machine the wall clock jumps about, and would end the
/// warm-up before the compiler had its turn.
///
/// **Thread:** owner (the measuring thread).
final class WarmUp {
    // A round must beat the best so far by this factor to be progress.
    private static final double PROGRESS = 0.97;
    private static final long COMPILING_MILLIS = 20;
    private static final int CALM_ROUNDS = 3;

    private final Optional<CompilationMXBean> jit =
            Optional.ofNullable(ManagementFactory.getCompilationMXBean())
                    .filter(CompilationMXBean::isCompilationTimeMonitoringSupported);
    private double best = Double.MAX_VALUE;
    private long compiledMillis = compiledMillis();
    private int calm;

    boolean isDone() {
        return calm >= CALM_ROUNDS;
    }

    /// Takes note of a round.
    void add(Sample round) {
        add(round, compiledMillis());
    }

    void add(Sample round, long compiledMillisNow) {
        double cost = Double.isNaN(round.cpu()) ? round.value() : round.cpu();
        boolean compiling = compiledMillisNow - compiledMillis > COMPILING_MILLIS;
        calm = compiling || cost < best * PROGRESS ? 0 : calm + 1;
        best = Math.min(best, cost);
        compiledMillis = compiledMillisNow;
    }

    private long compiledMillis() {
        return jit.map(CompilationMXBean::getTotalCompilationTime).orElse(0L);
    }
}
