package dev.heddle.bench.report;

import dev.heddle.bench.json.Json;
import dev.heddle.bench.race.Result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one run of the benchmarks gave, and its file.
///
/// **Thread:** immutable.
///
/// @param machine where it ran, by keyword
public record Results(Map<String, String> machine, List<Result> rows) {
    public Results {
        machine = new LinkedHashMap<>(machine);
        rows = List.copyOf(rows);
    }

    public void write(Path file) throws IOException {
        Files.writeString(file, toJson().write());
    }

    /// @throws IllegalArgumentException if the file is not one of ours, saying what is wrong
    public static Results read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            return fromJson(Json.read(text).members());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(file + ": " + wrong.getMessage(), wrong);
        }
    }

    Json toJson() {
        var about = new LinkedHashMap<String, Json>();
        machine.forEach((key, value) -> about.put(key, Json.of(value)));
        var all = new LinkedHashMap<String, Json>();
        all.put("machine", new Json.Members(about));
        all.put("rows", new Json.Array(rows.stream().map(ResultJson::write).toList()));
        return new Json.Members(all);
    }

    static Results fromJson(Json.Members file) {
        var about = new LinkedHashMap<String, String>();
        file.get("machine").members().all().forEach((key, v) -> about.put(key, v.text()));
        var rows = file.get("rows").array().stream().map(row -> ResultJson.read(row.members()));
        return new Results(about, rows.toList());
    }
}
