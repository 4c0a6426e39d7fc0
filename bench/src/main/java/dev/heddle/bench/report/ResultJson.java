package dev.heddle.bench.report;

import dev.heddle.bench.json.Json;
import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Result.Kind;
import dev.heddle.bench.race.Result.Versus;
import dev.heddle.bench.race.Spread;
import dev.heddle.bench.race.Unit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A [Result] as a member of `rows`:
///
/// ```
/// {"suite", "name", "unit", "heddle", "peers": {"libuv": …}, "ratio": {"libuv": …}, "spread",
///  "rounds", "note", "informational", "range": {"libuv": [least, most]},
///  "cpu": {"heddle": …, "libuv": …}, "cpuRatio": {"libuv": …}, "syscalls": {"heddle": …}}
/// ```
///
/// **Thread:** any.
final class ResultJson {
    private ResultJson() {}

    static Json write(Result row) {
        var cpu = new LinkedHashMap<String, Json>();
        cpu.put(Result.HEDDLE, Json.of(row.cpu()));
        row.peers().forEach((label, versus) -> cpu.put(label, Json.of(versus.cpu())));
        var calls = new LinkedHashMap<String, Json>();
        row.syscalls().forEach((label, text) -> calls.put(label, Json.of(text)));

        var members = new LinkedHashMap<String, Json>();
        members.put("suite", Json.of(row.suite()));
        members.put("name", Json.of(row.name()));
        members.put("unit", Json.of(row.unit().label()));
        members.put("heddle", Json.of(row.heddle()));
        members.put("peers", eachPeer(row, versus -> Json.of(versus.value())));
        members.put("ratio", eachPeer(row, versus -> Json.of(versus.ratio().median())));
        members.put("spread", Json.of(row.spread()));
        members.put("rounds", Json.of(row.rounds()));
        members.put("note", Json.of(row.note()));
        members.put("informational", new Json.Truth(row.kind() == Kind.INFORMATIONAL));
        members.put("range", eachPeer(row, ResultJson::range));
        members.put("cpu", new Json.Members(cpu));
        members.put("cpuRatio", eachPeer(row, versus -> Json.of(versus.cpuRatio())));
        members.put("syscalls", new Json.Members(calls));
        return new Json.Members(members);
    }

    static Result read(Json.Members row) {
        var cpu = row.get("cpu").members();
        var peers = new LinkedHashMap<String, Versus>();
        for (String label : row.get("peers").members().all().keySet()) {
            var range = member(row, "range", label).array();
            peers.put(
                    label,
                    new Versus(
                            member(row, "peers", label).number(),
                            cpu.get(label).number(),
                            new Spread(
                                    member(row, "ratio", label).number(),
                                    range.getFirst().number(),
                                    range.getLast().number()),
                            member(row, "cpuRatio", label).number()));
        }
        return new Result(
                row.get("suite").text(),
                row.get("name").text(),
                row.get("informational").truth() ? Kind.INFORMATIONAL : Kind.ROW,
                Unit.parse(row.get("unit").text()),
                row.get("heddle").number(),
                cpu.get(Result.HEDDLE).number(),
                peers,
                row.get("spread").number(),
                (int) row.get("rounds").number(),
                syscalls(row),
                row.get("note").text());
    }

    private static Json member(Json.Members row, String group, String label) {
        return row.get(group).members().get(label);
    }

    private static Map<String, String> syscalls(Json.Members row) {
        var calls = new LinkedHashMap<String, String>();
        row.get("syscalls").members().all().forEach((k, v) -> calls.put(k, v.text()));
        return calls;
    }

    private static Json eachPeer(Result row, Function<Versus, Json> figure) {
        var members = new LinkedHashMap<String, Json>();
        row.peers().forEach((label, versus) -> members.put(label, figure.apply(versus)));
        return new Json.Members(members);
    }

    private static Json range(Versus versus) {
        return new Json.Array(
                List.of(Json.of(versus.ratio().min()), Json.of(versus.ratio().max())));
    }
}
