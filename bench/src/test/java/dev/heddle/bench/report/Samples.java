package dev.heddle.bench.report;

import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Result.Kind;
import dev.heddle.bench.race.Result.Versus;
import dev.heddle.bench.race.Spread;
import dev.heddle.bench.race.Unit;

import java.util.LinkedHashMap;
import java.util.Map;

/// Results to write and draw.
final class Samples {
    static final Result WAKE =
            new Result(
                    "loop",
                    "wake",
                    Kind.ROW,
                    Unit.NANOS,
                    633.5,
                    630,
                    Map.of("libuv", new Versus(822, 819, new Spread(1.3, 1.25, 1.4), 1.29)),
                    0.115385,
                    7,
                    Map.of("heddle", "2.00", "libuv", "3.00"),
                    "");

    static final Result FLOOD = flood();

    static final Result ALLOCATION =
            new Result(
                    "loop",
                    "turn-allocation",
                    Kind.ROW,
                    Unit.BYTES,
                    0.002,
                    Double.NaN,
                    Map.of(),
                    0,
                    3,
                    Map.of(),
                    "JMH \"gc\"");

    private Samples() {}

    private static Result flood() {
        var peers = new LinkedHashMap<String, Versus>();
        peers.put("libuv", new Versus(13, 5, new Spread(0.5, 0.25, 0.75), 0.25));
        peers.put("libuv-queue", new Versus(60_000, 20, new Spread(2, 1, 3), 1.5));
        return new Result(
                "loop",
                "flood-uring",
                Kind.INFORMATIONAL,
                Unit.NANOS,
                26,
                20,
                peers,
                1,
                3,
                Map.of(),
                "only counts");
    }
}
