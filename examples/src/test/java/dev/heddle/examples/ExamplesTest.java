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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every example runs as a user would run it, and prints what it should.
final class ExamplesTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final Map<String, String> INPUTS = Map.of("Lines", "one\ntwo\nthree\n");

    // What each prints, a file for each.
    private static final Path OUTPUTS = Path.of("src/test/resources/dev/heddle/examples");
    private static final String BACKEND = "BACKEND";

    // Errors only: on a busy machine the watchdog may have something to say about a slow start.
    private static final Path LOGGING = OUTPUTS.resolve("logging.properties");

    @TempDir Path scratch;

    @Test
    void everyExampleHasAnExpectation() throws IOException {
        assertThat(names(OUTPUTS, ".txt")).isEqualTo(examples());
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
                                "-Djava.util.logging.config.file=" + LOGGING,
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

        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();

        assertThat(ended).as("%s has ended", name).isTrue();
        assertThat(Files.readString(err)).isEmpty();
        assertThat(Files.readString(out)).isEqualTo(expected(name));
        assertThat(process.exitValue()).isZero();
    }

    static Set<String> examples() throws IOException {
        return names(Path.of(""), ".java");
    }

    private static Set<String> names(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(suffix))
                    .map(file -> file.substring(0, file.length() - suffix.length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String expected(String name) throws IOException {
        String text = Files.readString(OUTPUTS.resolve(name + ".txt"));
        return text.replace(BACKEND, backend());
    }

    private static String backend() {
        try (var reactor = Backend.open().reactor()) {
            return reactor.backend().label();
        } catch (IOException cause) {
            throw new AssertionError("no backend here", cause);
        }
    }
}
