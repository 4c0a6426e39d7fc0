package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs a command in a process of its own and keeps what it says.
///
/// **Thread:** owner.
final class Child {
    static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    static final List<String> FLAGS =
            List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-opens",
                    "java.base/java.lang=ALL-UNNAMED");

    private final Path scratch;
    private final ProcessBuilder builder = new ProcessBuilder();

    /// @param scratch an empty folder
    Child(Path scratch) {
        this.scratch = scratch;
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", scratch.toString());
        builder.environment().put("XDG_CACHE_HOME", scratch.resolve("cache").toString());
        builder.directory(scratch.toFile());
    }

    record Result(int exitCode, String out, String err) {}

    Child with(Map<String, String> environment) {
        builder.environment().putAll(environment);
        return this;
    }

    Child in(Path folder) {
        builder.directory(folder.toFile());
        return this;
    }

    /// Runs the command line's main class.
    Result heddle(String... args) throws IOException, InterruptedException {
        return run(heddleCommand(args));
    }

    static List<String> heddleCommand(String... args) {
        var command = new ArrayList<String>();
        command.add(JAVA.toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        return command;
    }

    Result run(List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(scratch, "out", ".txt");
        Path err = Files.createTempFile(scratch, "err", ".txt");
        var process =
                builder.command(command)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        int exitCode = process.waitFor();
        return new Result(exitCode, Files.readString(out), Files.readString(err));
    }

    /// Starts it with its output on pipes, for a test that talks to it.
    Process start(List<String> command) throws IOException {
        return builder.command(command).start();
    }
}
