package dev.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.cli.Main;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Every example runs as a user would run it, and prints what it should.
final class ExamplesTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final Map<String, String> INPUTS = Map.of("Lines", "one\ntwo\nthree\n");

    private static final Map<String, String> OUTPUTS =
            Map.of(
                    "Hello",
                    """
                    Hello from the loop!
                    It waited with %s.
                    """
                            .formatted(backend()),
                    "FirstSteps",
                    """
                    a task, on the loop
                    a worker says 42
                    a timer, 50 ms later
                    """,
                    "Timers",
                    """
                    once, after 5 ms
                    tick 1
                    tick 2
                    tick 3
                    nothing is left to wait for
                    """,
                    "Offload",
                    """
                    the loop is free meanwhile
                    one failed: For input string: "many"
                    168 primes below 1000
                    1229 primes below 10000
                    9592 primes below 100000
                    """,
                    "CrossThread",
                    """
                    a task each: the sum is 500500
                    a bell: the newest number is 1000
                    """,
                    "Signals",
                    """
                    USR1: reading the configuration again
                    TERM: ending in good order
                    bye
                    """,
                    "Lines",
                    """
                    3 lines
                    """);

    @TempDir Path scratch;

    @Test
    void everyExampleHasAnExpectation() throws IOException {
        assertThat(examples()).isEqualTo(OUTPUTS.keySet());
    }

    @Test
    void readmeShowsTheFirstSteps() throws IOException {
        String program = Files.readString(Path.of("FirstSteps.java"));

        assertThat(Files.readString(Path.of("../README.md")))
                .contains("```java\n" + program + "```\n");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void printsWhatItShould(String name) throws Exception {
        Path out = scratch.resolve("out");
        Path err = scratch.resolve("err");
        var builder =
                new ProcessBuilder(
                                JAVA.toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--add-opens",
                                "java.base/java.lang=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "run",
                                name + ".java")
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("XDG_CACHE_HOME", scratch.resolve("cache").toString());
        var process = builder.start();
        try (var in = process.getOutputStream()) {
            in.write(INPUTS.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8));
        }

        int exitCode = process.waitFor();

        assertThat(Files.readString(err)).isEmpty();
        assertThat(Files.readString(out)).isEqualTo(OUTPUTS.get(name));
        assertThat(exitCode).isZero();
    }

    static Set<String> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(""))) {
            var names = new TreeSet<String>();
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .forEach(file -> names.add(file.substring(0, file.length() - 5)));
            return names;
        }
    }

    private static String backend() {
        try (var reactor = Backend.open().reactor()) {
            return reactor.backend().label();
        } catch (IOException cause) {
            throw new AssertionError("no backend here", cause);
        }
    }
}
