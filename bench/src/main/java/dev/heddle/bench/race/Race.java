package dev.heddle.bench.race;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// Runs the sides of a row by turns, A B A B, and compares the rounds that ran next to each other:
/// what else the machine does meanwhile then disturbs both.
///
/// **Thread:** owner (the measuring thread).
public final class Race {
    private final Pace pace;
    private final Set<String> peers;
    private final Progress progress;

    /// @param peers names of those that take part; rivals of other peers are left out
    public Race(Pace pace, Set<String> peers, Progress progress) {
        this.pace = pace;
        this.peers = Set.copyOf(peers);
        this.progress = progress;
    }

    public Pace pace() {
        return pace;
    }

    public Progress progress() {
        return progress;
    }

    /// {@return the row's figures}
    public Result run(Contest row) throws Exception {
        var rivals = row.rivals().stream().filter(r -> peers.contains(r.peer().name())).toList();
        try (var sides = new Sides(row, rivals)) {
            warmUp(sides);
            var samples = new LinkedHashMap<String, List<Sample>>();
            for (int i = 0; i < pace.rounds(); i++) {
                progress.step("round " + (i + 1) + "/" + pace.rounds());
                for (var side : sides.all.entrySet()) {
                    samples.computeIfAbsent(side.getKey(), _ -> new ArrayList<>())
                            .add(side.getValue().round(pace.round()));
                }
            }
            return evaluate(row, samples);
        }
    }

    private void warmUp(Sides sides) throws Exception {
        for (var entry : sides.all.entrySet()) {
            var side = entry.getValue();
            switch (side.warmth()) {
                case NONE -> {}
                case ONE_ROUND -> side.round(pace.round());
                case UNTIL_CALM -> warmUp(entry.getKey(), side);
            }
        }
    }

    private void warmUp(String label, Contestant side) throws Exception {
        var warmUp = new WarmUp(side.compiledMillis());
        for (int i = 0; i < pace.warmUpMax() && !warmUp.isDone(); i++) {
            progress.step("warm-up " + (i + 1) + " of " + label);
            warmUp.add(side.round(pace.round()), side.compiledMillis());
        }
    }

    /// {@return what the rounds come to; the side called [Result#HEDDLE] against each other}
    static Result evaluate(Contest row, Map<String, List<Sample>> samples) {
        var ours = samples.getOrDefault(Result.HEDDLE, List.of());
        var versus = new LinkedHashMap<String, Result.Versus>();
        samples.forEach(
                (label, theirs) -> {
                    if (!label.equals(Result.HEDDLE)) {
                        versus.put(label, versus(row.unit(), ours, theirs));
                    }
                });
        var own = spread(ours, Sample::value);
        double spread =
                versus.values().stream()
                        .findFirst()
                        .map(first -> first.ratio().relative())
                        .orElse(own.relative());
        return new Result(
                row.suite(),
                row.name(),
                row.kind(),
                row.unit(),
                own.median(),
                spread(ours, Sample::cpu).median(),
                versus,
                spread,
                ours.size(),
                Map.of(),
                row.note());
    }

    private static Result.Versus versus(Unit unit, List<Sample> ours, List<Sample> theirs) {
        double[] ratios = new double[ours.size()];
        double[] cpuRatios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = unit.ratio(ours.get(i).value(), theirs.get(i).value());
            cpuRatios[i] = unit.ratio(ours.get(i).cpu(), theirs.get(i).cpu());
        }
        return new Result.Versus(
                spread(theirs, Sample::value).median(),
                spread(theirs, Sample::cpu).median(),
                Spread.of(ratios),
                Spread.of(cpuRatios).median());
    }

    private static Spread spread(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return Spread.of(samples.stream().mapToDouble(figure).toArray());
    }

    /// The sides of a row, open, ours first.
    private static final class Sides implements Closeable {
        final Map<String, Contestant> all = new LinkedHashMap<>();

        Sides(Contest row, List<Rival> rivals) throws Exception {
            try {
                all.put(Result.HEDDLE, row.openOurs());
                for (var rival : rivals) {
                    all.put(rival.label(), rival.peer().open(rival.workload()));
                }
            } catch (Throwable failed) {
                closeAfter(failed);
                throw failed;
            }
        }

        @Override
        public void close() throws IOException {
            var failure = new IOException("could not close every side");
            closeAfter(failure);
            if (failure.getSuppressed().length > 0) {
                throw failure;
            }
        }

        private void closeAfter(Throwable failure) {
            for (var side : all.values()) {
                try {
                    side.close();
                } catch (Throwable thrown) {
                    failure.addSuppressed(thrown);
                }
            }
        }
    }
}
