package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The launcher script: what it builds and when, and what it becomes.
final class LauncherTest {
    @TempDir Path temporary;
    private LauncherTree tree;
    private Path jdk;

    @BeforeEach
    void plant() throws IOException {
        tree = new LauncherTree(temporary);
        jdk = tree.jdk("25.0.9");
    }

    @Test
    void firstRunBuildsInOneLineAndBecomesOneJvm() throws Exception {
        var result = launch("run", "a b.java", "", "*");

        Path project = tree.script.getParent();
        assertThat(result.exitCode()).isZero();
        assertThat(result.err())
                .matches("heddle: building \\(first run\\) \\.\\.\\. done in \\d+ s\n");
        assertThat(tree.mavenCalls())
                .containsExactly(project + " " + jdk + " -Dquick -pl cli -am package");
        assertThat(result.out().lines())
                .containsExactly(
                        "java of " + jdk,
                        "[--enable-native-access=ALL-UNNAMED]",
                        "[--add-opens]",
                        "[java.base/java.lang=ALL-UNNAMED]",
                        "[-XX:SharedArchiveFile="
                                + project
                                + "/cli/target/heddle-Some_Vendor-25.0.9+9.jsa]",
                        "[-Xlog:cds*=off]",
                        "[-Xlog:aot*=off]",
                        "[-cp]",
                        "[%1$s/core/target/heddle-1.2.3.jar:%1$s/cli/target/heddle-cli-1.2.3.jar:%1$s/cli/target/lib/picocli.jar]"
                                .formatted(project),
                        "[dev.heddle.cli.Main]",
                        "[run]",
                        "[a b.java]",
                        "[]",
                        "[*]");
    }

    @Test
    void secondRunBuildsNothingAndSaysNothing() throws Exception {
        launch("--help");

        assertThat(launch("--help").err()).isEmpty();
        assertThat(tree.mavenCalls()).hasSize(1);
    }

    @Test
    void editedSourceIsBuiltAgain() throws Exception {
        launch();
        tree.edit("core/src/main/java/Source.java");

        assertThat(launch().err()).startsWith("heddle: building (sources changed) ... done in ");
        assertThat(tree.mavenCalls()).hasSize(2);
    }

    @Test
    void removedSourceIsBuiltAgain() throws Exception {
        launch();
        Files.delete(tree.script.resolveSibling("cli/src/main/java/Source.java"));
        tree.edit("cli/src/main/java"); // as the deletion did, but surely later than the build

        launch();
        assertThat(tree.mavenCalls()).hasSize(2);
    }

    @Test
    void whatSomebodyBuiltWithMavenIsNotBuiltAgain() throws Exception {
        launch();
        Files.delete(tree.script.resolveSibling("cli/target/heddle.stamp"));

        launch();
        assertThat(tree.mavenCalls()).hasSize(1);
    }

    @Test
    void benchmarksAreBuiltOnlyWhenAskedForAndHaveTheirOwnMain() throws Exception {
        launch("doctor");
        assertThat(tree.mavenCalls()).allMatch(call -> !call.contains("bench"));
        // Not there yet for the script: the pretend Maven made it too early.
        Files.delete(tree.script.resolveSibling("bench/target/heddle-bench-1.2.3.jar"));

        var result = launch("bench", "loop", "--quick");

        assertThat(tree.mavenCalls().getLast()).endsWith("-Dquick -pl bench -am package");
        assertThat(result.out()).endsWith("[dev.heddle.bench.Main]\n[loop]\n[--quick]\n");
    }

    @Test
    void anotherJdkGetsAnArchiveOfItsOwn() throws Exception {
        launch();
        Path other = tree.jdk("25.0.10");

        var result = tree.launch(Map.of("HEDDLE_JAVA_HOME", other.toString()));

        assertThat(result.err())
                .matches("heddle: preparing JDK 25.0.10 \\.\\.\\. done in \\d+ s\n");
        assertThat(result.out()).contains("25.0.10+9.jsa]");
        assertThat(tree.mavenCalls()).hasSize(1);
    }

    @Test
    void jvmThatMakesNoArchiveRunsWithoutAndIsNotAskedAgain() throws Exception {
        tree.script(jdk.resolve("bin/java"), "printf '[%s]\\n' \"$@\"");

        assertThat(launch().out()).doesNotContain("SharedArchiveFile");
        assertThat(launch().err()).isEmpty();
    }

    @Test
    void failedBuildShowsTheLinesThatMatterAndWhereTheRestIs() throws Exception {
        String warning = "[WARNING] /x/Foo.java:[3,1] not so nice";
        String error = "[ERROR] /x/Foo.java:[4,1] cannot find symbol";
        String goal = "[ERROR] Failed to execute goal";

        assertThat(whatIsSaidOf("[INFO] words", warning, error, goal, error))
                .containsExactly(error);
        assertThat(whatIsSaidOf("[INFO] words", warning, goal)).containsExactly(warning);
        assertThat(whatIsSaidOf("[INFO] words", "[ERROR] ", goal)).containsExactly(goal);

        tree.maven("exit 0");
        assertThat(launch("doctor").exitCode()).as("and the next build succeeds").isZero();
    }

    /// {@return what the script shows of the log of a build that fails}
    private List<String> whatIsSaidOf(String... log) throws Exception {
        tree.maven("printf '%s\\n' '" + String.join("' '", log) + "'; exit 1");
        tree.edit("pom.xml");

        var result = launch("doctor");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        List<String> lines = result.err().lines().toList();
        assertThat(lines.getFirst()).matches("heddle: building .* failed after \\d+ s");
        assertThat(lines.getLast()).endsWith("/the project/target/heddle-build.log");
        return lines.subList(1, lines.size() - 1);
    }

    @Test
    void missingMavenIsOneLine() throws Exception {
        Files.delete(tree.bin.resolve("mvn"));

        assertThat(launch("doctor"))
                .isEqualTo(
                        new Child.Result(
                                1,
                                "",
                                "heddle: cannot build (first run): no mvn on the PATH; install"
                                        + " Maven 3.8.6 or newer\n"));
    }

    @Test
    void exitCodeOfTheProgramIsPassedOn() throws Exception {
        launch();

        assertThat(launch("exit-7").exitCode()).isEqualTo(7);
    }

    @Test
    void optionsForTheJvmAreSplitAtBlanksAndNothingElse() throws Exception {
        launch();

        var result =
                tree.launch(
                        Map.of(
                                "HEDDLE_JAVA_HOME",
                                jdk.toString(),
                                "HEDDLE_JAVA_OPTS",
                                "-Da=* -Xmx1g"),
                        "doctor");

        assertThat(result.out()).contains("[-Da=*]\n[-Xmx1g]\n[-cp]\n");
    }

    @Test
    void itFindsItsFolderThroughLinksFromAnywhere() throws Exception {
        launch();
        Path first = Files.createSymbolicLink(tree.root.resolve("first"), tree.script);
        Path folder = Files.createDirectory(tree.root.resolve("else where"));
        Path second = Files.createSymbolicLink(folder.resolve("h"), Path.of("../first"));
        var environment = Map.of("HEDDLE_JAVA_HOME", jdk.toString(), "CDPATH", "/");

        var viaLinks =
                tree.child(environment).in(Path.of("/")).run(List.of(second.toString(), "x"));
        var byName =
                tree.child(environment)
                        .in(tree.script.getParent())
                        .run(List.of(LauncherTree.find("bash").toString(), "heddle", "x"));

        assertThat(first).exists();
        assertThat(viaLinks.err()).isEmpty();
        assertThat(viaLinks.out()).endsWith("[dev.heddle.cli.Main]\n[x]\n");
        assertThat(byName).isEqualTo(viaLinks);
    }

    private Child.Result launch(String... args) throws Exception {
        return tree.launch(Map.of("HEDDLE_JAVA_HOME", jdk.toString()), args);
    }
}
