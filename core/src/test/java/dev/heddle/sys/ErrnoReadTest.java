package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `errno` is read in one place, and only after a call that failed. A look at the sources: what the
/// compiler cannot say.
@Tag("FI-06")
final class ErrnoReadTest {
    // What a read of the captured state needs: its layout, or the segment that holds it.
    private static final Pattern READ =
            Pattern.compile(
                    "captureStateLayout|segment(\\(\\))?\\.get\\(|groupElement\\(\"errno\"\\)");

    // A method: from its first line, at one step of indentation, to its closing brace.
    private static final Pattern METHOD =
            Pattern.compile("\\n    [^\\s/@*}].*?\\{\\n.*?\\n    }\\n", Pattern.DOTALL);

    @Test
    void errnoIsReadOnlyByTheFoldingAndOnlyIfTheResultIsNegative() throws IOException {
        var reads = new ArrayList<String>();
        for (var file : sources()) {
            String text = Files.readString(file);
            if (!file.endsWith("CallState.java") && READ.matcher(text).find()) {
                reads.add(file.toString());
            }
        }
        assertEquals(List.of(), reads, "leave errno to CallState.fold");

        String state = Files.readString(root().resolve("dev/heddle/sys/CallState.java"));
        long all = state.lines().filter(line -> line.contains("segment.get(")).count();
        long afterFailure =
                state.lines()
                        .filter(line -> line.contains("result >= 0 ? result : -segment.get("))
                        .count();
        assertEquals(2, all, "one for each width of a result");
        assertEquals(all, afterFailure, "reads of errno that no failure precedes");
    }

    @Test
    void everyCallThatCapturesErrnoIsFolded() throws IOException {
        var unfolded = new ArrayList<String>();
        int calls = 0;
        for (var file : sources()) {
            var methods = METHOD.matcher(Files.readString(file));
            while (methods.find()) {
                String method = methods.group();
                if (method.contains("state.segment()")) {
                    calls++;
                    if (!method.contains(".fold(")) {
                        unfolded.add(file.getFileName() + ":" + method.strip().lines().findFirst());
                    }
                }
            }
        }
        assertEquals(List.of(), unfolded);
        assertTrue(calls > 15, "only " + calls + " calls found: the pattern has gone blind");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(root())) {
            return all.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        }
    }

    private static Path root() {
        var here = Path.of("src/main/java").toAbsolutePath();
        assertTrue(Files.isDirectory(here), "run this in the folder of the module");
        return here;
    }
}
