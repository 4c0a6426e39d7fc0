package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Which JDK the launcher script takes, and what it says if it takes none.
final class LauncherJdkTest {
    @TempDir Path temporary;
    private LauncherTree tree;

    @BeforeEach
    void plant() throws IOException {
        tree = new LauncherTree(temporary);
    }

    @Test
    void ownVariableComesBeforeJavaHomeAndThatBeforeThePath() throws Exception {
        Path own = tree.jdk("25.0.5");
        Path usual = tree.jdk("25.0.6");
        Path onPath = tree.jdk("25.0.7");
        Files.createSymbolicLink(tree.bin.resolve("java"), onPath.resolve("bin/java"));

        assertThat(taken(Map.of("HEDDLE_JAVA_HOME", own.toString(), "JAVA_HOME", usual.toString())))
                .isEqualTo(own.toString());
        assertThat(taken(Map.of("JAVA_HOME", usual.toString()))).isEqualTo(usual.toString());
        assertThat(taken(Map.of())).isEqualTo(onPath.toString());
    }

    @Test
    void relativeJavaHomeIsMadeAbsolute() throws Exception {
        Path jdk = tree.jdk(tree.root.resolve("near"), "25.0.5");

        assertThat(taken(Map.of("JAVA_HOME", "near"))).isEqualTo(jdk.toString());
        assertThat(tree.mavenCalls()).singleElement().asString().contains(" " + jdk + " ");
    }

    @Test
    void olderJavaHomeAndJavaOnThePathArePassedOver() throws Exception {
        Path seventeen = tree.jdk("17.0.15");
        Path onPath = tree.jdk("21");
        Path good = tree.jdk(tree.home.resolve(".jdks/temurin"), "25.0.99");
        Files.createSymbolicLink(tree.bin.resolve("java"), onPath.resolve("bin/java"));

        assertThat(taken(Map.of("JAVA_HOME", seventeen.toString()))).isEqualTo(good.toString());
    }

    @Test
    void newest25OfTheUsualPlacesIsTakenEvenBeforeANewerRelease() throws Exception {
        tree.jdk(tree.home.resolve(".jdks/a"), "25.0.98");
        Path newest = tree.jdk(tree.home.resolve(".sdkman/candidates/java/b"), "25.0.99");
        tree.jdk(tree.home.resolve(".jdks/c"), "99.0.1");
        Path broken = tree.jdk(tree.home.resolve(".jdks/d"), "25.0.100");
        Files.delete(broken.resolve("bin/javac")); // only a runtime

        assertThat(taken(Map.of())).isEqualTo(newest.toString());
    }

    @Test
    void buildsBefore2503AreRefusedUnlessAllowed() throws Exception {
        Path old = tree.jdk("25.0.2");
        var environment = Map.of("HEDDLE_JAVA_HOME", old.toString());

        assertThat(tree.launch(environment, "doctor"))
                .isEqualTo(
                        new Child.Result(
                                1,
                                "",
                                "heddle: JDK 25.0.2 in "
                                        + old
                                        + " can lose a wake-up (JDK-8369227): install 25.0.3 or"
                                        + " newer, or set HEDDLE_ALLOW_OLD_JDK=1\n"));
        assertThat(taken(Map.of("HEDDLE_JAVA_HOME", old.toString(), "HEDDLE_ALLOW_OLD_JDK", "1")))
                .isEqualTo(old.toString());
    }

    @Test
    void firstReleaseOf25CountsAsOldAndEarlyAccessOf26DoesNot() throws Exception {
        Path first = tree.jdk("25");
        Path early = tree.jdk("26-ea");

        assertThat(tree.launch(Map.of("HEDDLE_JAVA_HOME", first.toString())).exitCode())
                .isEqualTo(1);
        assertThat(taken(Map.of("HEDDLE_JAVA_HOME", early.toString()))).isEqualTo(early.toString());
        assertThat(tree.mavenCalls())
                .singleElement()
                .asString()
                .as("a newer compiler may warn of more")
                .contains("-Dwerror=-g");
    }

    @Test
    void ownVariableThatNamesNoJdkIsAnsweredNotPassedOver() throws Exception {
        assertThat(tree.launch(Map.of("HEDDLE_JAVA_HOME", "/nowhere"), "doctor"))
                .isEqualTo(
                        new Child.Result(
                                1,
                                "",
                                "heddle: HEDDLE_JAVA_HOME=/nowhere is not a JDK 25.0.3 or newer:"
                                        + " install one (https://adoptium.net) or set"
                                        + " HEDDLE_JAVA_HOME\n"));
    }

    /// {@return the home of the JDK whose `java` was started}
    private String taken(Map<String, String> environment) throws Exception {
        var result = tree.launch(environment);
        assertThat(result.exitCode()).as(result.err()).isZero();
        String first = result.out().lines().findFirst().orElseThrow();
        return first.replaceFirst("java of ", "");
    }
}
