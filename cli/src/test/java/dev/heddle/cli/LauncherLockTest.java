package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Two launchers at once: one builds, the other waits and finds it done.
final class LauncherLockTest {
    @TempDir Path temporary;

    @ParameterizedTest(name = "with flock: {0}")
    @ValueSource(booleans = {true, false})
    void concurrentFirstRunsBuildOnce(boolean flock) throws Exception {
        var tree = new LauncherTree(temporary);
        if (flock) {
            tree.allow("flock");
        }
        // The pretend Maven says that it has begun, and waits until it is told to go on.
        Path begun = fifo(tree, "begun");
        Path goOn = fifo(tree, "go on");
        tree.maven("echo >\"%s\"; read -r _ <\"%s\"".formatted(begun, goOn));
        var environment = Map.of("HEDDLE_JAVA_HOME", tree.jdk("25.0.9").toString());

        var first = tree.child(environment).start(tree.command("one"));
        Files.readString(begun);
        var second = tree.child(environment).start(tree.command("two"));
        assertThat(errorsOf(second).readLine())
                .isEqualTo("heddle: waiting for another heddle, which builds");
        Files.writeString(goOn, "\n");

        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();
        assertThat(first.inputReader().lines()).endsWith("[one]");
        assertThat(second.inputReader().lines()).endsWith("[two]");
        assertThat(tree.mavenCalls()).hasSize(1);
    }

    @Test
    void lockOfADeadProcessIsNamedWithTheLineThatRemovesIt() throws Exception {
        var tree = new LauncherTree(temporary);
        Path lock = tree.script.resolveSibling("target/heddle.lock.d");
        Files.createDirectories(lock);
        // No process has this number: the kernel's largest is 2^22.
        Files.writeString(lock.resolve("pid"), "99999999\n");

        var result = tree.launch(Map.of("HEDDLE_JAVA_HOME", tree.jdk("25.0.9").toString()));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("process 99999999 ended", "rm -r '" + lock + "'");
    }

    private static Path fifo(LauncherTree tree, String name) throws Exception {
        Path path = tree.root.resolve(name);
        var process = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
        assertThat(process.waitFor()).isZero();
        return path;
    }

    private static BufferedReader errorsOf(Process process) throws IOException {
        return new BufferedReader(
                new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    }
}
