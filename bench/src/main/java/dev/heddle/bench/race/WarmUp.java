package dev.heddle.bench.race;

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

    private double best = Double.MAX_VALUE;
    private long compiledMillis;
    private int calm;

    /// @param compiledMillis how long the side's JIT was at work before
    WarmUp(long compiledMillis) {
        this.compiledMillis = compiledMillis;
    }

    boolean isDone() {
        return calm >= CALM_ROUNDS;
    }

    /// Takes note of a round.
    void add(Sample round, long compiledMillisNow) {
        double cost = Double.isNaN(round.cpu()) ? round.value() : round.cpu();
        boolean compiling = compiledMillisNow - compiledMillis > COMPILING_MILLIS;
        calm = compiling || cost < best * PROGRESS ? 0 : calm + 1;
        best = Math.min(best, cost);
        compiledMillis = compiledMillisNow;
    }
}
