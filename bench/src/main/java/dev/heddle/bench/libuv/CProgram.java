package dev.heddle.bench.libuv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// A program from C sources, compiled once for each state of them.
///
/// **Thread:** immutable.
///
/// @param sources the folder with the `.c` and `.h` files
/// @param cache where the program is kept, under a name that tells its sources apart
public record CProgram(Path sources, Path cache, List<String> libraries) {
    private static final List<String> FLAGS = List.of("-O2", "-std=gnu11", "-Wall", "-Wextra");

    /// The compiler refused, or is not there.
    static final class CompileException extends IOException {
        private static final long serialVersionUID = 1;

        CompileException(String message) {
            super(message);
        }
    }

    public CProgram {
        libraries = List.copyOf(libraries);
    }

    /// {@return the program, compiled now unless these sources were before}
    ///
    /// @throws CompileException with what the compiler said
    public Path compile() throws IOException {
        Path program = cache.resolve(sources.getFileName() + "-" + fingerprint());
        if (Files.isExecutable(program)) {
            return program;
        }
        Files.createDirectories(cache);
        // Under another name first: somebody else may compile the same at the same time.
        Path fresh = Files.createTempFile(cache, "compiling", "");
        try {
            compileInto(fresh);
            return Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private void compileInto(Path target) throws IOException {
        var command = new ArrayList<String>();
        command.add("gcc");
        command.addAll(FLAGS);
        command.addAll(List.of("-o", target.toString()));
        files(".c").forEach(file -> command.add(file.toString()));
        command.addAll(libraries);
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new CompileException("gcc is not installed");
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (awaitExit(compiler) != 0) {
            throw new CompileException(said.strip());
        }
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

    private String fingerprint() throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(String.join(" ", FLAGS).getBytes(StandardCharsets.UTF_8));
            digest.update(String.join(" ", libraries).getBytes(StandardCharsets.UTF_8));
            for (var file : files(".c", ".h")) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every JDK has SHA-256", impossible);
        }
    }

    private List<Path> files(String... endings) throws IOException {
        try (var all = Files.list(sources)) {
            return all.filter(file -> endsWithOneOf(file.toString(), endings)).sorted().toList();
        }
    }

    private static boolean endsWithOneOf(String name, String... endings) {
        return List.of(endings).stream().anyMatch(name::endsWith);
    }
}
