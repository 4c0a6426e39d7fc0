package dev.heddle.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heddle.bench.json.Json;
import dev.heddle.bench.race.ChildJvm;
import dev.heddle.bench.race.Pace;
import dev.heddle.bench.race.Race;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.Spread;
import dev.heddle.bench.race.Unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The row that asks JMH how many bytes a [SteadyTurn] allocates. No peer.
///
/// JMH runs in a JVM of its own: it still uses `Unsafe`, and a JVM that was not started with leave
/// to do so says that in the middle of the table.
///
/// **Thread:** owner (the measuring thread).
record AllocationRow(String suite, String name) implements Row {
    private static final String NOTE =
            "a turn with a task, a timer and a ready pipe (JMH -prof gc); what is left is JMH's";

    @Override
    public Result.Kind kind() {
        return Result.Kind.ROW;
    }

    @Override
    public Result measure(Race race) throws IOException, InterruptedException {
        race.progress().step("JMH");
        Path file = Files.createTempFile("heddle-jmh", ".json");
        try {
            runJmh(race.pace(), file);
            var bytes = bytesPerTurn(Json.read(Files.readString(file)));
            return new Result(
                    suite,
                    name,
                    kind(),
                    Unit.BYTES,
                    bytes.median(),
                    Double.NaN,
                    Map.of(),
                    bytes.relative(),
                    race.pace().rounds(),
                    Map.of(),
                    NOTE);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void runJmh(Pace pace, Path file) throws IOException, InterruptedException {
        var iterations =
                List.of("-wi", "6", "-w", "500ms", "-i", "" + pace.rounds(), "-r", "500ms");
        var command =
                ChildJvm.command(
                        "--sun-misc-unsafe-memory-access=allow",
                        // JMH would refuse to run beside another JMH, whoever's it is.
                        "-Djmh.ignoreLock=true",
                        "org.openjdk.jmh.Main");
        command.addAll(List.of("\\." + SteadyTurn.class.getSimpleName() + "\\.", "-f", "1"));
        command.addAll(iterations);
        command.addAll(List.of("-prof", "gc", "-foe", "true", "-v", "SILENT"));
        command.addAll(List.of("-rf", "json", "-rff", file.toString()));
        var jmh = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(jmh.getInputStream().readAllBytes(), UTF_8);
        if (jmh.waitFor() != 0) {
            throw new IOException("JMH failed: " + said.strip());
        }
    }

    /// @param results what JMH wrote: `[{"secondaryMetrics": {"gc.alloc.rate.norm": {"rawData": …`
    private static Spread bytesPerTurn(Json results) {
        var metrics = results.array().getFirst().members().get("secondaryMetrics").members();
        var forks = metrics.get("gc.alloc.rate.norm").members().get("rawData").array();
        return Spread.of(forks.getFirst().array().stream().mapToDouble(Json::number).toArray());
    }
}
