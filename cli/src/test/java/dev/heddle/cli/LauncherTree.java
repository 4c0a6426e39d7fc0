package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A pretend project around the real launcher script, in a folder with a blank in its name: Maven
/// and the JDKs are small scripts that write down how they were called.
///
/// **Thread:** owner.
final class LauncherTree {
    private static final Path SCRIPT = Path.of("..", "heddle").toAbsolutePath().normalize();

    // What the script calls; the rest of the machine stays out of sight, flock in particular.
    private static final List<String> TOOLS =
            List.of(
                    "awk",
                    "bash",
                    "env",
                    "find",
                    "grep",
                    "head",
                    "mkdir",
                    "mv",
                    "readlink",
                    "rm",
                    "sleep");

    final Path root;
    final Path home;
    final Path script;
    final Path bin;

    LauncherTree(Path temporary) throws IOException {
        root = Files.createDirectory(temporary.resolve("with a blank"));
        home = Files.createDirectory(root.resolve("home"));
        bin = Files.createDirectory(root.resolve("bin"));
        Path project = root.resolve("the project");
        script = project.resolve("heddle");
        write(project.resolve("pom.xml"), "<project>\n  <version>1.2.3</version>\n</project>\n");
        for (String module : List.of("core", "cli", "bench")) {
            write(project.resolve(module).resolve("pom.xml"), "");
            write(project.resolve(module).resolve("src/main/java/Source.java"), "");
        }
        Files.copy(SCRIPT, script);
        for (String tool : TOOLS) {
            allow(tool);
        }
        maven("exit 0");
    }

    /// Puts a real tool on the path. Not as a link: JUnit warns when it deletes one.
    void allow(String tool) throws IOException {
        script(bin.resolve(tool), "exec '%s' \"$@\"".formatted(find(tool)));
    }

    /// Makes a pretend Maven, which writes its arguments into `mvn.log`, builds, and goes on as
    /// told.
    void maven(String then) throws IOException {
        script(
                bin.resolve("mvn"),
                """
                echo "$PWD $JAVA_HOME $*" >>"%s/mvn.log"
                mkdir -p core/target cli/target/lib bench/target/lib
                : >core/target/heddle-1.2.3.jar
                : >cli/target/heddle-cli-1.2.3.jar
                : >cli/target/lib/picocli.jar
                : >bench/target/heddle-bench-1.2.3.jar
                %s
                """
                        .formatted(root, then));
    }

    /// {@return a pretend JDK, whose `java` prints its arguments in brackets}
    Path jdk(Path folder, String version) throws IOException {
        write(
                folder.resolve("release"),
                """
                IMPLEMENTOR="Some Vendor"
                JAVA_RUNTIME_VERSION="%s+9"
                JAVA_VERSION="%s"
                """
                        .formatted(version, version));
        script(folder.resolve("bin/javac"), "exit 1");
        script(
                folder.resolve("bin/java"),
                """
                for word in "$@"; do
                    case $word in
                        -XX:ArchiveClassesAtExit=*) echo archive >"${word#*=}" ;;
                        exit-7) exit 7 ;;
                    esac
                done
                echo "java of ${0%/bin/java}"
                printf '[%s]\\n' "$@"
                """);
        return folder;
    }

    Path jdk(String version) throws IOException {
        return jdk(root.resolve("jdk " + version), version);
    }

    /// {@return a child that sees only the pretend tools}
    Child child(Map<String, String> environment) {
        return new Child(root)
                .with(Map.of("PATH", bin.toString(), "HOME", home.toString()))
                .with(environment);
    }

    Child.Result launch(Map<String, String> environment, String... args)
            throws IOException, InterruptedException {
        return child(environment).run(command(args));
    }

    List<String> command(String... args) {
        var command = new java.util.ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(args));
        return command;
    }

    /// Makes a source file newer than everything that has been built.
    void edit(String file) throws IOException {
        var later = FileTime.from(Instant.now().plus(Duration.ofMinutes(1)));
        Files.setLastModifiedTime(script.resolveSibling(file), later);
    }

    /// {@return how Maven was called, line by line}
    List<String> mavenCalls() throws IOException {
        Path log = root.resolve("mvn.log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    void script(Path file, String body) throws IOException {
        write(file, "#!" + find("bash") + "\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    static Path find(String tool) {
        for (String folder : System.getenv("PATH").split(":")) {
            Path file = Path.of(folder, tool);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new AssertionError("no " + tool + " on the PATH");
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
