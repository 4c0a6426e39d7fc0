package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The table of `docs/reliability.md` is true: every gate in it is held by the tests that it names,
/// and every test that says it holds a gate stands in the table.
///
/// Source files are read, not classes: some of them belong to other modules and source sets. A
/// JUnit test says it by `@Tag("JV-01")`, a race by a line `Gate: MC-01.` in its doc comment.
final class GatesTest {
    private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]{2,3}-\\d\\d) \\|(.*)\\|$");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([A-Z]{2,3}-\\d\\d)\"\\)");
    private static final Pattern NOTE = Pattern.compile("/// Gate: ([A-Z0-9, -]+)\\.");
    private static final int TESTS_COLUMN = 1;
    private static final int PLACE_COLUMN = 2;
    private static final String TO_COME = "to come";

    @Test
    void everyGateIsHeldByTheTestsThatThePageNamesAndNoOthers() throws IOException {
        assertEquals(text(claimedByTests()), text(claimedByPage()));
    }

    @Test
    void aGateWithoutATestSaysThatItIsToCome() throws IOException {
        for (var row : rows().entrySet()) {
            boolean bare = !NAME.matcher(row.getValue().get(TESTS_COLUMN)).find();
            boolean toCome = row.getValue().get(PLACE_COLUMN).strip().equals(TO_COME);
            assertEquals(bare, toCome, row.getKey() + " names no test, or names one to come");
        }
    }

    private static Map<String, Set<String>> claimedByPage() throws IOException {
        var claims = new TreeMap<String, Set<String>>();
        for (var row : rows().entrySet()) {
            var names = NAME.matcher(row.getValue().get(TESTS_COLUMN));
            while (names.find()) {
                claims.computeIfAbsent(row.getKey(), _ -> new TreeSet<>()).add(names.group(1));
            }
        }
        return claims;
    }

    private static Map<String, Set<String>> claimedByTests() throws IOException {
        var claims = new TreeMap<String, Set<String>>();
        for (var file : sources()) {
            String text = Files.readString(file);
            String name = file.getFileName().toString().replace(".java", "");
            for (String gate : gatesOf(text)) {
                claims.computeIfAbsent(gate, _ -> new TreeSet<>()).add(name);
            }
        }
        return claims;
    }

    private static List<String> gatesOf(String text) {
        var gates = new ArrayList<String>();
        var tags = TAG.matcher(text);
        while (tags.find()) {
            gates.add(tags.group(1));
        }
        var notes = NOTE.matcher(text);
        while (notes.find()) {
            gates.addAll(List.of(notes.group(1).split(", ")));
        }
        return gates;
    }

    /// {@return the columns after the gate's name}
    private static Map<String, List<String>> rows() throws IOException {
        var rows = new TreeMap<String, List<String>>();
        for (String line : Files.readAllLines(root().resolve("docs/reliability.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                var before = rows.put(row.group(1), List.of(row.group(2).split("\\|")));
                assertTrue(before == null, row.group(1) + " has two rows");
            }
        }
        assertTrue(rows.size() > 20, "only " + rows.size() + " rows: has the page changed form?");
        return rows;
    }

    private static String text(Map<String, Set<String>> claims) {
        var text = new StringBuilder();
        claims.forEach((gate, tests) -> text.append(gate).append(": ").append(tests).append('\n'));
        return text.toString();
    }

    private static List<Path> sources() throws IOException {
        var files = new ArrayList<Path>();
        for (String place : List.of("core/src/test", "core/src/jcstress", "testkit/src")) {
            try (Stream<Path> all = Files.walk(root().resolve(place))) {
                all.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("GatesTest.java"))
                        .forEach(files::add);
            }
        }
        return files;
    }

    private static Path root() {
        var place = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(place.resolve("core/src/main/java"))) {
            place = place.getParent();
            assertTrue(place != null, "run this inside the project");
        }
        return place;
    }
}
