package dev.heddle.bench.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// How many system calls each side makes per operation of each row, as they were counted last.
///
/// One line per row: its name, then `side=count` for each side. A count after `~` depends on how
/// threads meet, and is only there to be read.
///
/// **Thread:** owner (whoever made it).
public final class Ledger {
    private static final String RESOURCE = "syscalls.txt";
    private static final Path SOURCE =
            Path.of("bench/src/main/resources/dev/heddle/bench/syscalls", RESOURCE);

    private static final String HEAD =
            """
            # System calls of the loop thread per operation, as strace counts them.
            # Checked by ./heddle bench SUITE --verify, written by --verify --update.
            """;

    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();

    public Ledger() {}

    /// {@return what is stored with the program; empty if nothing is}
    public static Ledger load() throws IOException {
        try (InputStream stored = Ledger.class.getResourceAsStream(RESOURCE)) {
            return stored == null
                    ? new Ledger()
                    : parse(new String(stored.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /// @throws IllegalArgumentException if a line is not as it should be, quoting it
    static Ledger parse(String text) {
        var ledger = new Ledger();
        for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
            String[] words = line.strip().split("\\s+", -1);
            for (int i = 1; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                if (equals < 1 || !words[i].substring(equals + 1).matches("~?\\d+(\\.\\d+)?")) {
                    throw new IllegalArgumentException("side=count expected in: " + line);
                }
                String side = words[i].substring(0, equals);
                ledger.put(words[0], side, words[i].substring(equals + 1));
            }
        }
        return ledger;
    }

    /// {@return the counts of a row, by side}
    public Map<String, String> row(String name) {
        return rows.getOrDefault(name, Map.of());
    }

    public void put(String row, String side, String count) {
        rows.computeIfAbsent(row, _ -> new LinkedHashMap<>()).put(side, count);
    }

    /// Puts it in place of what is stored in the source tree.
    ///
    /// @return the file
    public Path store(Path project) throws IOException {
        Path file = project.resolve(SOURCE);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, toString());
    }

    @Override
    public String toString() {
        var text = new StringBuilder(HEAD);
        rows.forEach(
                (name, sides) -> {
                    text.append(name);
                    sides.forEach((k, v) -> text.append(' ').append(k).append('=').append(v));
                    text.append('\n');
                });
        return text.toString();
    }
}
