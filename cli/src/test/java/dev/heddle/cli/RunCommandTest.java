package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// `run` as a process: what is printed where, exit codes, signals, and the cache from run to run.
final class RunCommandTest {
    // A run that had to compile would fail.
    private static final Map<String, String> NO_COMPILER =
            Map.of("JDK_JAVA_OPTIONS", "--limit-modules java.base,jdk.unsupported");

    @TempDir Path folder;

    @Test
    void secondRunDoesNotCompileAndAnEditIsNoticed() throws Exception {
        write("Say.java", "void main() { IO.println(\"one \" + Word.WORD); }");
        write("Word.java", "class Word { static final String WORD = \"first\"; }");
        var child = new Child(folder);
        var withoutCompiler = new Child(folder).with(NO_COMPILER);
        assertThat(withoutCompiler.heddle("run", "Say.java").err()).contains("no compiler in");

        assertThat(child.heddle("run", "Say.java").out()).isEqualTo("one first\n");
        assertThat(withoutCompiler.heddle("run", "Say.java").out()).isEqualTo("one first\n");

        var stored = Files.getLastModifiedTime(folder.resolve("Word.java"));

        write("Word.java", "class Word { static final String WORD = \"other\"; }");
        Files.setLastModifiedTime(folder.resolve("Word.java"), stored);
        assertThat(child.heddle("run", "Say.java").out()).isEqualTo("one other\n");

        write("Say.java", "void main() { IO.println(\"two \" + Word.WORD); }");
        assertThat(child.heddle("run", "Say.java").out()).isEqualTo("two other\n");
    }

    @Test
    void compileErrorIsWhatJavacPrints() throws Exception {
        write("Wrong.java", "void main() {\n    int x = \"text\";\n}\n");

        var result = new Child(folder).heddle("run", "Wrong.java");

        assertThat(result)
                .isEqualTo(
                        new Child.Result(
                                1,
                                "",
                                """
                                Wrong.java:2: error: incompatible types: String cannot be converted to int
                                    int x = "text";
                                            ^
                                1 error
                                """));
    }

    @Test
    void stackTraceBeginsAndEndsInTheProgram() throws Exception {
        write(
                "Boom.java",
                """
                void main() {
                    try {
                        fail();
                    } catch (IllegalStateException inner) {
                        throw new RuntimeException("outer", inner);
                    }
                }

                void fail() {
                    throw new IllegalStateException("inner");
                }
                """);

        var result = new Child(folder).heddle("run", "Boom.java");

        assertThat(result)
                .isEqualTo(
                        new Child.Result(
                                1,
                                "",
                                """
                                Exception in thread "main" java.lang.RuntimeException: outer
                                \tat Boom.main(Boom.java:5)
                                Caused by: java.lang.IllegalStateException: inner
                                \tat Boom.fail(Boom.java:10)
                                \tat Boom.main(Boom.java:3)
                                """));
    }

    @Test
    void failureOfTheProgramsInitialiserIsAlsoOnlyTheProgram() throws Exception {
        write(
                "Init.java",
                "class Init { static int zero = 1 / (args() - 0);\n"
                        + "static int args() { return 0; }\nstatic void main() {} }");

        var result = new Child(folder).heddle("run", "Init.java");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("ArithmeticException", "at Init.<clinit>(Init.java:1)")
                .doesNotContain("dev.heddle", "reflect");
    }

    @Test
    void exitCodeIsTheProgramsOwn() throws Exception {
        write("Exit.java", "void main() { System.exit(42); }");

        assertThat(new Child(folder).heddle("run", "Exit.java"))
                .isEqualTo(new Child.Result(42, "", ""));
    }

    @Test
    void threadsThatAreLeftKeepTheProgramAlive() throws Exception {
        write(
                "Threads.java",
                """
                void main() {
                    var main = Thread.currentThread();
                    Thread.ofPlatform().start(() -> {
                        while (main.isAlive()) {
                            Thread.onSpinWait();
                        }
                        IO.println("after main");
                    });
                }
                """);

        assertThat(new Child(folder).heddle("run", "Threads.java"))
                .isEqualTo(new Child.Result(0, "after main\n", ""));
    }

    @Test
    void userErrorIsOneLineAndExitCodeTwo() throws Exception {
        assertThat(new Child(folder).heddle("run", "Missing.java"))
                .isEqualTo(new Child.Result(2, "", "heddle: no such file: Missing.java\n"));
        assertThat(new Child(folder).heddle("run", "--", "-x.java"))
                .isEqualTo(new Child.Result(2, "", "heddle: no such file: -x.java\n"));
        assertThat(new Child(folder).heddle("run", ""))
                .isEqualTo(
                        new Child.Result(2, "", "heddle: the name of the file to run is empty\n"));
    }

    @Test
    void cacheThatCannotBeWrittenCostsOneLine() throws Exception {
        write("Plain.java", "void main() { IO.println(\"runs\"); }");

        var result =
                new Child(folder)
                        .with(Map.of("XDG_CACHE_HOME", "/dev/null"))
                        .heddle("run", "Plain.java");

        assertThat(result)
                .isEqualTo(
                        new Child.Result(
                                0,
                                "runs\n",
                                "heddle: warning: compiled classes cannot be kept in"
                                        + " /dev/null/heddle/run (Not a directory); compiling every"
                                        + " time\n"));
    }

    @Test
    void fileNameThatTheLocaleCannotSayIsAnswered() throws Exception {
        // Through a shell: Java itself could not hand the name over in such a locale.
        var java = Child.heddleCommand("run");
        var quoted = java.stream().map(word -> "'" + word + "'").toList();
        var line = String.join(" ", quoted) + " \"$(printf 'M\\303\\274ll.java')\"";

        var result = new Child(folder).with(Map.of("LC_ALL", "C")).run(List.of("bash", "-c", line));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().lines()).hasSize(1).first().asString().startsWith("heddle: ");
    }

    @Test
    void signalEndsTheProgram() throws Exception {
        write(
                "Waits.java",
                """
                import dev.heddle.loop.Loop;

                void main() throws Exception {
                    try (var loop = Loop.open()) {
                        loop.post(() -> IO.println("waiting"));
                        loop.async(() -> {});
                        loop.run();
                    }
                }
                """);

        var process = new Child(folder).start(Child.heddleCommand("run", "Waits.java"));
        try (var out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("waiting");
            process.destroy();
            assertThat(process.waitFor()).isEqualTo(128 + 15);
        } finally {
            process.destroyForcibly();
        }
    }

    private void write(String name, String source) throws IOException {
        Files.writeString(folder.resolve(name), source);
    }
}
