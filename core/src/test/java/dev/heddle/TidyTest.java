package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The sources of every module keep the rules of [Tidy], and every rule finds what it is for.
final class TidyTest {
    private static final String MAIN = "core/src/main/java/dev/heddle/loop/Thing.java";
    private static final String TEST = "core/src/test/java/dev/heddle/loop/ThingTest.java";
    private static final String BENCH = "bench/src/main/java/dev/heddle/bench/Thing.java";
    private static final String HEAD = "/// A thing.\n///\n/// **Thread:** loop.\n";

    @Test
    void everySourceIsTidy() throws IOException {
        var root = root();
        var findings = new ArrayList<String>();
        int count = 0;
        for (var file : sources(root)) {
            // These two spell out what they forbid.
            if (!file.endsWith("Tidy.java") && !file.endsWith("TidyTest.java")) {
                String path = root.relativize(file).toString().replace('\\', '/');
                findings.addAll(Tidy.check(path, Files.readString(file)));
                count++;
            }
        }
        assertEquals("", String.join("\n", findings));
        assertTrue(count > 60, "only " + count + " sources found below " + root);
    }

    @Test
    void clockIsReadInOnePlace() {
        String line = "    long now = System.nanoTime();\n";

        assertFinds(MAIN, HEAD + line, 4, "take a dev.heddle.loop.Clock");
        assertFinds("cli/src/main/java/dev/heddle/cli/Thing.java", line, 1, "Clock");
        assertTidy("core/src/main/java/dev/heddle/loop/SystemClock.java", line);
        assertTidy(TEST, line);
        assertTidy(BENCH, line);
        assertTidy(MAIN, "    // System.nanoTime() wraps\n");
    }

    @Test
    void nothingSleeps() {
        assertFinds(TEST, "Thread.sleep(10);\n", 1, "wait for the event itself");
        assertFinds(TEST, "TimeUnit.SECONDS.sleep(1);\n", 1, "wait for the event itself");
        assertFinds(MAIN, "Thread.sleep(10);\n", 1, "wait for the event itself");
        assertTidy("core/src/test/java/dev/heddle/SleepJdkBlockingTest.java", "Thread.sleep(1);\n");
        assertTidy(BENCH, "Thread.sleep(10);\n");
    }

    @Test
    void nothingIsPutOff() {
        for (String word : List.of("FIXME", "TODO", "XXX")) {
            assertFinds(MAIN, "// " + word + ": later\n", 1, "do it now");
            assertFinds(BENCH, "\n/* " + word + " */\n", 2, "do it now");
        }
        assertTidy(MAIN, "int maxXXXL;\n");
        assertFinds(TEST, "    @Disabled(\"flaky\")\n", 1, "make the test pass or delete it");
    }

    @Test
    void reactorsHaveNoMonitors() {
        String reactor = "core/src/main/java/dev/heddle/reactor/Thing.java";

        assertFinds(reactor, "synchronized (this) {\n", 1, "never waits for a lock");
        assertTidy(reactor, "/// The hand-over must be synchronized by the caller.\n");
        assertTidy(MAIN, "synchronized (this) {\n");
    }

    @Test
    void restrictedWarningsAreSilencedInNativeOnly() {
        String line = "    @SuppressWarnings(\"restricted\")\n";

        assertFinds(MAIN, line, 1, "add a method to Native");
        assertTidy("core/src/main/java/dev/heddle/sys/Native.java", line);
    }

    @Test
    void everyTypeSaysWhoMayCallIt() {
        String told = HEAD + "public final class Thing {}\n";
        String untold = "/// A thing.\npublic sealed interface Thing permits A, B {\n";

        assertTidy(MAIN, told);
        assertFinds(MAIN, untold, 2, "say in the doc comment who may call it");
        assertFinds(MAIN, "record Thing(int a) {}\n", 1, "who may call it");
        assertFinds(MAIN, "class Thing {\n    /// **Thread:** any\n}\n", 1, "who may call it");
        assertTidy(TEST, untold);
    }

    @Test
    void longFilesSayWhy() {
        String body = "int a;\n".repeat(Tidy.LINES_MAX);

        assertTidy(MAIN, body);
        assertFinds(MAIN, body + "int b;\n", 1, "501 lines: split it");
        assertTidy(MAIN, "// Over 500 lines because it is one table.\n" + body);
        assertFinds(MAIN, body + "// Over 500 lines because I said so.\n", 1, "near the top");
    }

    @Test
    void noExceptionIsDroppedWithoutAReason() {
        assertFinds(MAIN, "a();\ntry { b(); } catch (A e) {}\n", 2, "caught and dropped");
        assertFinds(TEST, "catch (A | B e) {\n    // ignored\n}\n", 1, "caught and dropped");
        assertFinds(BENCH, "catch (A _) { /* never\n mind */ }\n", 1, "caught and dropped");
        assertTidy(MAIN, "catch (IOException e) { throw new UncheckedIOException(e); }\n");
        assertTidy(MAIN, "catch (A _) {\n    // Closed by its peer, as it should be.\n}\n");
    }

    private static void assertTidy(String path, String text) {
        assertEquals(List.of(), Tidy.check(path, text));
    }

    private static void assertFinds(String path, String text, int line, String message) {
        var findings = Tidy.check(path, text);
        assertEquals(1, findings.size(), findings::toString);
        assertTrue(findings.getFirst().startsWith(path + ":" + line + ": "), findings::toString);
        assertTrue(findings.getFirst().contains(message), findings::toString);
    }

    private static Path root() {
        var place = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(place.resolve("core/src/main/java"))) {
            place = place.getParent();
            assertTrue(place != null, "run this inside the project");
        }
        return place;
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !isOutput(root.relativize(file)))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isOutput(Path file) {
        for (var part : file) {
            if (part.toString().equals("target") || part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
