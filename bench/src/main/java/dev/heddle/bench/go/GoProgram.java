package dev.heddle.bench.go;

import dev.heddle.bench.race.ChildPeer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The Go program in `bench/src/main/go`, compiled anew in every run: Go has a cache of its own,
/// and asks it.
///
/// **Thread:** immutable.
public final class GoProgram implements ChildPeer.Program {
    /// What installs Go.
    public static final String CURE = "apt-get install golang-go";

    private final Path sources;
    private final Path program;

    /// @param project the root of the source tree
    public GoProgram(Path project) {
        Path bench = project.resolve("bench");
        sources = bench.resolve("src/main/go");
        program = bench.resolve("target/peers/go-coroutines");
    }

    @Override
    public List<String> command() throws IOException {
        Files.createDirectories(program.getParent());
        Process compiler;
        try {
            compiler =
                    new ProcessBuilder("go", "build", "-o", program.toString(), ".")
                            .directory(sources.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException absent) {
            throw new IOException("go is not installed", absent);
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (awaitExit(compiler) != 0) {
            throw new IOException("go build failed: " + said.strip());
        }
        return List.of(program.toString());
    }

    private static int awaitExit(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while compiling", interrupted);
        }
    }
}
