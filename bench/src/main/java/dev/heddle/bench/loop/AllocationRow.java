package dev.heddle.bench.loop;

import dev.heddle.bench.race.Pace;
import dev.heddle.bench.race.Race;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.Spread;
import dev.heddle.bench.race.Unit;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;
import java.util.Map;

/// The row that asks JMH how many bytes a [SteadyTurn] allocates, in a JVM of its own. No peer.
///
/// **Thread:** owner (the measuring thread).
record AllocationRow(String suite, String name) implements Row {
    private static final String BYTES_PER_TURN = "gc.alloc.rate.norm";
    private static final TimeValue ITERATION = TimeValue.milliseconds(500);

    @Override
    public Result.Kind kind() {
        return Result.Kind.ROW;
    }

    @Override
    public Result measure(Race race) throws RunnerException {
        race.progress().step("JMH");
        // JMH would refuse to run beside another JMH, whoever's it is.
        System.setProperty("jmh.ignoreLock", "true");
        var spread = bytesPerTurn(new Runner(options(race.pace()).build()).run());
        return new Result(
                suite,
                name,
                kind(),
                Unit.BYTES,
                spread.median(),
                Double.NaN,
                Map.of(),
                spread.relative(),
                race.pace().rounds(),
                Map.of(),
                "a turn with a task, a timer and a ready pipe (JMH -prof gc); what is left is"
                        + " JMH's");
    }

    private static OptionsBuilder options(Pace pace) {
        var options = new OptionsBuilder();
        options.include("\\." + SteadyTurn.class.getSimpleName() + "\\.");
        options.forks(1);
        options.warmupIterations(3);
        options.warmupTime(ITERATION);
        options.measurementIterations(pace.rounds());
        options.measurementTime(ITERATION);
        options.addProfiler(GCProfiler.class);
        options.verbosity(VerboseMode.SILENT);
        options.shouldFailOnError(true);
        return options;
    }

    private static Spread bytesPerTurn(Collection<RunResult> results) {
        if (results.size() != 1) {
            throw new IllegalStateException("one benchmark expected, but JMH ran " + results);
        }
        return Spread.of(
                results.iterator().next().getAggregatedResult().getIterationResults().stream()
                        .map(iteration -> iteration.getSecondaryResults().get(BYTES_PER_TURN))
                        .mapToDouble(result -> result.getScore())
                        .toArray());
    }
}
